import HabitTestSupport
import Testing

@testable import HabitModel

@Suite(.engineIndependent) struct WordListPropertyTests {
    private static let seed: UInt64 = 20_260
    private let entries = ["ass", "send money first", "ÉTÉ", "straße", "don't go", "死ね", "バカ", "3.5", "x"]
    private let others = [
        "assess", "send", "funds", "ete", "go", "don", "生", "バカンス", "3", "5",
        "first", "xx", "class", "ね",
    ]
    private let separators = [
        " ", "  ", ", ", "\n", "\r\n", "-", "! ", " (", "“", "/",
        "…", "\u{3000}", " 👍 ", "; ", "\u{a0}",
    ]

    @Test func entryIsFoundOnlyAmongWholeWords() throws {
        var generator = SeededGenerator(seed: Self.seed)
        let list = try WordList(entries.joined(separator: "\n"), name: "words.txt")
        for _ in 0..<2000 {
            var words = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
                others.randomElement(using: &generator)
            }
            let harmless = try joined(words, &generator)
            #expect(list.firstForbidden(in: harmless) == nil, "seed \(Self.seed): \(harmless.debugDescription)")
            let entry = try #require(entries.randomElement(using: &generator))
            let spelling = Bool.random(using: &generator) ? entry.uppercased() : entry
            words.insert(spelling, at: Int.random(in: 0...words.count, using: &generator))
            let harmful = try joined(words, &generator)
            #expect(list.firstForbidden(in: harmful) == entry, "seed \(Self.seed): \(harmful.debugDescription)")
        }
    }

    @Test func anyUnicodeIsReadWithoutTrap() throws {
        var generator = SeededGenerator(seed: Self.seed)
        let list = try WordList(entries.joined(separator: "\n"), name: "words.txt")
        for _ in 0..<500 {
            let top: UInt32 = [0x7f, 0x3ff, 0x30ff, 0xffff, 0x10ffff].randomElement(using: &generator) ?? 0x7f
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...60, using: &generator) {
                guard let scalar = Unicode.Scalar(UInt32.random(in: 0...top, using: &generator)) else { continue }
                text.append(scalar)
            }
            // An entry in its own paragraph is found next to any text.
            #expect(
                list.firstForbidden(in: "\(String(text))\u{2029}first ass") != nil, "seed \(Self.seed): \(text)")
            // As a word list, the text is accepted or refused.
            _ = try? WordList(String(text), name: "words.txt")
        }
    }

    private func joined(_ words: [String], _ generator: inout SeededGenerator) throws -> String {
        try words.reduce(into: "") { text, word in
            text += word + (try #require(separators.randomElement(using: &generator)))
        }
    }
}
