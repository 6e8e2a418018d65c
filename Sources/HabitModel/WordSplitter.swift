import CUtf8proc
import RegexBuilder

/// Splits texts into words, in the form in which a `WordList` compares them.
///
/// The text is folded first: NFKC and full case folding (Unicode 15, section 3.13, `NFKC_Casefold`), so that full-width
/// letters, ligatures and capitals are the letters they stand for, and what cannot be seen (soft hyphens, zero-width
/// characters) is gone. Accents count. Then it is split at the word boundaries of UAX 29 (section 4.1.1), and a piece also
/// at the punctuation that UAX 29 leaves inside words, but for apostrophes and what stands between digits: `it.Now` and
/// `_now_` hold `now`, while `can't` and `3.5` are one word. UAX 29, section 4, foresees such tailoring.
struct WordSplitter {
    /// Made once for many texts: to make and compile it takes longer than to split a short one.
    private let piece = Regex {
        OneOrMore(.any, .reluctant)
        Anchor.wordBoundary
    }
    .wordBoundaryKind(.default)

    /// The words of the text in their order. About 1 µs a word.
    func words(of text: String) -> [String] {
        let folded = text.foldedForWords
        return folded.matches(of: piece).flatMap { words(in: folded[$0.range]) }
    }

    private func words(in piece: Substring) -> [String] {
        var followsDigit = false
        let parts = piece.split { character in
            defer { followsDigit = character.isNumber }
            if character.isPartOfWord || character == "'" { return false }
            return !followsDigit || character == "_"
        }
        return parts.filter { $0.contains(where: \.isPartOfWord) }.map { String($0) }
    }

}

extension String {
    fileprivate var foldedForWords: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
        // LUMP makes one character of the several apostrophes, dashes and low lines.
        return mapped(
            UTF8PROC_STABLE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_COMPOSE.rawValue
                | UTF8PROC_CASEFOLD.rawValue | UTF8PROC_IGNORE.rawValue | UTF8PROC_LUMP.rawValue)
    }
}

extension Character {
    fileprivate var isPartOfWord: Bool { isLetter || isNumber }
}
