import HabitTestSupport
import Testing

@testable import Base

/// Tests of the IDs of claims, follows and other records that several IDs identify.
@Suite(.engineIndependent) struct CompositeIDTests {
    @Test(arguments: [
        (["lamp", "ann"], "lamp/ann"), (["a/b", "c"], "a%2Fb/c"), (["a", "b/c"], "a/b/c"),
        (["a%2Fb", "c"], "a%252Fb/c"),
        (["50%", "x%y/z"], "50%25/x%y/z"), (["a/\u{301}b", "c"], "a%2F\u{301}b/c"), (["only/one"], "only/one"),
    ])
    func partsAreSeparatedBySlash(parts: [String], id: String) {
        #expect(CompositeID.text(parts) == id)
        if let pair = CompositeID.pair(id) {
            if parts.count == 2 { #expect([pair.first, pair.second] == parts) }
        }
    }

    @Test func idWithoutSlashHasNoParts() { #expect(CompositeID.pair("lamp") == nil) }

    @Test func differentPartsHaveDifferentIDs() throws {
        let alphabet = ["a", "/", "%", "2", "F", "5"]
        var words = [""]
        for _ in 0..<3 { words += words.flatMap { word in alphabet.map { word + $0 } } }
        let some = Array(Set(words)).sorted()
        var parts: [String: [String]] = [:]
        for first in some {
            for second in ["a", "/a", "a/b", "%2F"] {
                let id = CompositeID.text([first, second])
                #expect(parts.updateValue([first, second], forKey: id) == nil)
                let pair = try #require(CompositeID.pair(id))
                #expect(pair.first == first)
                #expect(pair.second == second)
            }
        }
    }
}
