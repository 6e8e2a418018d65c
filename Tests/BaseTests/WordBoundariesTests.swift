import HabitTestSupport
import Testing

@testable import Base

/// Tests of the word boundaries of UAX 29 by rule.
@Suite(.engineIndependent) struct WordBoundariesTests {
    /// The texts between the boundaries of a text.
    private static func pieces(of text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        let boundaries = WordBoundaries(scalars)
        let ends = (1...max(scalars.count, 1)).filter { boundaries.contains($0) }
        return zip([0] + ends, ends).map { start, end in
            String(String.UnicodeScalarView(scalars[start..<end]))
        }
    }

    @Test(arguments: [
        ("WB3", ["a", "\r\n", "b"]),
        ("WB3a", ["a", "\u{85}", "\u{301}", "b"]),
        ("WB3c", ["👨\u{200d}👩", "👨"]),
        ("WB3d", ["a", " \u{2003}", "b"]),
        ("WB4", ["a\u{301}\u{200d}\u{ad}b", "。"]),
        ("WB5 Latin", ["héllo", "!"]),
        ("WB5 Hangul", ["한국어", " ", "좋아요"]),
        ("WB5 two scripts", ["Ёлка한", "-", "달리기"]),
        ("WB6 apostrophe", ["can't", " ", "'", "t"]),
        ("WB6 colon", ["a:b", ":", ":", "c"]),
        ("WB7 mark", ["a.\u{301}b", "."]),
        ("WB7 one dot leader", ["Σας․한국", "․"]),
        ("WB7a", ["ג'", " ", "ג'ירפה"]),
        ("WB7a at the end", ["צ'", "\"", "a"]),
        ("WB7b", ["צה\"ל", "\""]),
        ("WB7c needs two letters", ["ה", "\"", "1"]),
        ("WB8", ["12", "+", "٣٤"]),
        ("WB9 and WB10", ["a1b2"]),
        ("WB11 and WB12", ["1,234.5'6", ",", " ", ".", "7"]),
        ("WB11 needs digits", ["1", ",", "a"]),
        ("WB13", ["カタカナ", "ひ", "ら", "漢", "字", "ｶﾀ"]),
        ("WB13 mark", ["ｶﾞー"]),
        ("WB13a", ["a_", "-", "1_2", "カ_한"]),
        ("WB13b", ["_a", "-", "__1"]),
        ("WB15 and WB16", ["🇵🇹", "🇯🇵", "🇵", "a", "🇵🇹"]),
        ("WB16 mark", ["🇵\u{301}🇹", "🇯"]),
        ("WB999", ["ก", "ข", "!", "?"]),
    ])
    func textIsSplitByRule(rule: String, pieces: [String]) {
        #expect(Self.pieces(of: pieces.joined()) == pieces, "\(rule)")
    }

    @Test func emptyTextHasNoBoundary() {
        #expect(!WordBoundaries([]).contains(0))
    }

    @Test(arguments: [
        ("한국어", "한", false), ("한국어", "한국어", true), ("저는 한국어 해요", "한국어", true), ("달리기", "달", false),
        ("ג'ירפה", "ירפה", false), ("ג'ירפה", "ג'ירפה", true), ("צה\"ל", "צה", false), ("달리기'한국", "달리기", false),
        ("Σας․한국", "σας", false), ("ёлка한", "ёлка", false), ("カタカナ", "カタ", false), ("走る人", "る", true),
        ("e\u{323}x e", "e", true), ("x\u{302}", "x", false), ("🇵🇹🇯🇵", "🇯🇵", true), ("a🇵🇹", "🇹", false),
    ])
    func wordIsFoundBetweenBoundaries(text: String, word: String, isFound: Bool) {
        #expect(text.containsWord(word) == isFound)
    }

    /// The result equals a search of the word among all runs of pieces.
    @Test func wordIsRunOfPieces() {
        let seed: UInt64 = 20_261_127
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("ab1'\".:_한국שג́ひカ漢🇵🇹 -".unicodeScalars) + ["\u{301}", "\u{200d}"]
        func randomText(length count: Int) -> String {
            let scalars = (0..<count).compactMap { _ in alphabet.randomElement(using: &random) }
            return String(String.UnicodeScalarView(scalars)).composed
        }
        for _ in 0..<5000 {
            let textLength = Int.random(in: 1...8, using: &random)
            let text = randomText(length: textLength)
            let wordLength = Int.random(in: 1...3, using: &random)
            let word = randomText(length: wordLength)
            let pieces = Self.pieces(of: text)
            let runs = pieces.indices.flatMap { start in
                (start..<pieces.count).map { pieces[start...$0].joined() }
            }
            let isRun = runs.contains { $0.unicodeScalars.elementsEqual(word.unicodeScalars) }
            guard text.contains(word) || !isRun else { continue }
            #expect(
                text.containsWord(word) == isRun, "seed \(seed): \(text.debugDescription) \(word.debugDescription)")
        }
    }
}
