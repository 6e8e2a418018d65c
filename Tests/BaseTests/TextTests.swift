import HabitTestSupport
import Testing

@testable import Base

@Suite(.engineIndependent) struct TextFoldTests {
    @Test(arguments: [
        ("ÉTÉ", "été", true), ("E\u{301}te\u{301}", "été", true), ("ete", "été", false), ("STRASSE", "straße", true),
        ("ΣΑΣ", "σας", true), ("ß", "ẞ", true), ("ночной БЕГ", "НОЧНОЙ бег", true), ("朝ラン", "朝ラン", true),
        ("I", "ı", false),
        ("ﬁt", "FIT", true), ("Ǆ", "ǆ", true),
    ])
    func foldingIgnoresCaseAndComposition(a: String, b: String, isSame: Bool) {
        // Compares bytes, because `==` of `String` compares canonically.
        #expect(Array(a.folded.utf8).elementsEqual(b.folded.utf8) == isSame)
    }
}

@Suite(.engineIndependent) struct WordMatchTests {
    @Test(arguments: [
        ("morning run", "run", true), ("running", "run", false), ("run!", "run", true), ("trunk", "run", false),
        ("don't stop", "don", false), ("don't stop", "don't", true), ("3.5km", "5km", false),
        ("half_done", "half", false),
        ("朝ラン", "朝", true), ("朝ラン", "ラ", false), ("café stop", "café", true), ("cafés", "café", false),
        ("run run", "run", true),
        ("runs run", "run", true), ("", "run", false), ("run", "", false), ("long run today", "run today", true),
        ("été à vélo", "été", true), ("👍run", "run", true),
    ])
    func onlyWholeWordsMatch(text: String, word: String, isFound: Bool) {
        #expect(text.containsWord(word) == isFound)
    }

    /// The ASCII path and the standard library's word boundaries give equal results.
    ///
    /// A distant non-ASCII letter selects the path of the standard library.
    @Test func fastAndStandardPathsAgree() {
        let seed: UInt64 = 7
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("ab1_.,:;' -\r\n!")
        for _ in 0..<3000 {
            let text = String(
                (0..<Int.random(in: 1...8, using: &generator)).compactMap { _ in
                    alphabet.randomElement(using: &generator)
                })
            let word = String(
                (0..<Int.random(in: 1...3, using: &generator)).compactMap { _ in
                    alphabet.randomElement(using: &generator)
                })
            guard text.utf8.firstRange(of: word.utf8) != nil, text.contains(word) else { continue }
            #expect(
                text.containsWord(word) == (text + "\n\u{4e00}").containsWord(word),
                "seed \(seed): \(text.debugDescription) \(word.debugDescription)")
        }
    }
}
