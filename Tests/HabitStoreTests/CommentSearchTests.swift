import Base
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

/// Tests that every text of one or more characters is found in every comment that contains it, with and without the
/// index.
@Suite struct CommentSearchTests {
    private static let letters = Array("abA é雨ß\"\"'%_*-\u{301}\u{316}\u{10FFFF}😀".unicodeScalars)

    private func text(_ length: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: length, using: &random) {
            text.append(Self.letters.randomElement(using: &random) ?? "a")
        }
        return String(text)
    }

    @Test(arguments: [3_364_164_432_158_984_957, UInt64.random(in: 0...(.max))]) func termsOfEveryLengthMatchScan(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let store = try TestStore()
        let first = try #require(Day("2020-01-01"))
        var comments: [String: String] = [:]
        var records: [Record] = [.user("u"), .habit("h", of: "u")]
        for number in 0..<800 {
            let comment = text(0...6, &random)
            comments["e\(number)"] = comment
            records.append(.event("h", first.advanced(by: number).description, id: "e\(number)", comment: comment))
        }
        try store.write(records)
        // Changed and removed comments are found by their current text.
        for number in 0..<100 {
            let comment = number % 3 == 0 ? "" : text(1...5, &random)
            comments["e\(number)"] = comment
            try store.write([
                .event("h", first.advanced(by: number).description, id: "e\(number)", comment: comment)
            ])
        }
        for _ in 0..<150 {
            let term = text(1...4, &random)
            let expected = Set(comments.filter { contains($0.value.folded, term.folded) }.keys)
            let found = try store.rows(columns: ["id"]) { session, viewer in
                var query = EventQuery(viewer: viewer)
                query.filter.comment = term
                return try query.selection(in: session)
            }
            #expect(Set(found.map { $0[0] }) == expected, "'\(term)', seed \(seed)")
        }
    }

    /// The remaining text of an edited comment is found, and the removed text is not.
    @Test func editedCommentIsFoundByItsCurrentText() throws {
        let store = try TestStore()
        try store.write([.user("u"), .habit("h", of: "u")])
        for comment in ["leg day", "my leg day, again", "leg", "leg", "", "a leg day"] {
            try store.write([.event("h", "2026-11-20", id: "e", comment: comment)])
            for term in ["l", "le", "leg", "leg day", "day", "y", "my", ", again"] {
                let found = try store.rows(columns: ["id"]) { session, viewer in
                    var query = EventQuery(viewer: viewer)
                    query.filter.comment = term
                    return try query.selection(in: session)
                }
                #expect(found.count == (comment.contains(term) ? 1 : 0), "'\(term)' in '\(comment)'")
            }
        }
        #expect(try StoreDoctor(store.engine).examine().allSatisfy { $0.status == .ok })
    }

    /// The index appends two padding characters to each comment.
    @Test(arguments: ["\u{3}", "\u{3}\u{3}", "y\u{3}", "y\u{3}\u{3}", "ay\u{3}"])
    func paddingAfterCommentsIsNotFound(term: String) throws {
        let store = try TestStore()
        try store.write([
            .user("u"),
            .habit("h", of: "u"),
            .event("h", "2026-11-20", id: "e", comment: "leg day"),
        ])
        let found = try store.rows(columns: ["id"]) { session, viewer in
            var query = EventQuery(viewer: viewer)
            query.filter.comment = term
            return try query.selection(in: session)
        }
        #expect(found.isEmpty)
    }

    /// A term of four letters has two trigrams, and a comment can contain both at different places.
    @Test(arguments: [("abab", "aba bab"), ("leg day", "leg d, leg day"), ("abab", "bab, aba"), ("aaba", "aab aba")])
    func commentWithAllPartsOfTermIsFoundOnlyWithTerm(term: String, comment: String) throws {
        let store = try TestStore()
        try store.write([
            .user("u"), .habit("h", of: "u"), .event("h", "2026-11-19", id: "parts", comment: comment),
            .event("h", "2026-11-20", id: "term", comment: "x\(term)x"),
        ])
        let found = try store.rows(columns: ["id"]) { session, viewer in
            var query = EventQuery(viewer: viewer)
            query.filter.comment = term
            return try query.selection(in: session)
        }
        let expected = comment.contains(term) ? ["parts", "term"] : ["term"]
        #expect(Set(found.flatMap(\.self)) == Set(expected))
    }

    /// Compares code points, because Swift's own search compares characters.
    private func contains(_ text: String, _ term: String) -> Bool {
        let text = Array(text.unicodeScalars)
        let term = Array(term.unicodeScalars)
        guard text.count >= term.count else { return false }
        return (0...(text.count - term.count)).contains { Array(text[$0..<$0 + term.count]) == term }
    }
}
