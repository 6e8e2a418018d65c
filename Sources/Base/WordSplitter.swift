import CUtf8proc

/// Splits texts into normalized words, the form in which a `WordList` compares them.
///
/// 1. The text is folded with NFKC and full case folding (Unicode 15, section 3.13, `NFKC_Casefold`). Full-width
///    letters, ligatures and capitals become ordinary lowercase letters. Invisible characters (soft hyphens, zero-width
///    characters) are removed. Accents are kept.
/// 2. The text is split at the word boundaries of UAX 29 (section 4.1.1).
/// 3. Each piece is split at the punctuation that UAX 29 leaves inside words, except apostrophes and punctuation
///    between digits. So `it.Now` and `_now_` contain the word `now`, while `can't` and `3.5` are single words. UAX 29,
///    section 4, permits such tailoring.
package struct WordSplitter: Sendable {
    /// Creates a splitter.
    package init() {}

    /// Returns the words of the text in their order.
    ///
    /// Costs about 1 µs per word.
    ///
    /// - Parameters:
    ///   - text: The text to split.
    ///   - reveal: A closure that changes the folded text before it is split.
    /// - Returns: The words.
    package func words(of text: String, revealing reveal: (String) -> String = { $0 }) -> [String] {
        let folded = reveal(text.foldedForWords)
        return pieces(of: folded).flatMap { words(in: $0) }
    }

    /// Splits a text at its word boundaries.
    private func pieces(of text: String) -> [Substring] {
        let scalars = text.unicodeScalars
        let boundaries = WordBoundaries(Array(scalars))
        var pieces: [Substring] = []
        var start = scalars.startIndex
        for (offset, index) in scalars.indices.enumerated() {
            guard offset > 0, boundaries.contains(offset) else {
                continue
            }
            pieces.append(text[start..<index])
            start = index
        }
        if start < scalars.endIndex {
            pieces.append(text[start...])
        }
        return pieces
    }

    /// Splits a piece at the punctuation inside it.
    private func words(in piece: Substring) -> [String] {
        var followsDigit = false
        let parts = piece.split { character in
            defer { followsDigit = character.isNumber }
            if character.isPartOfWord || character == "'" {
                return false
            }
            return !followsDigit || character == "_"
        }
        let words = parts.filter { $0.contains(where: \.isPartOfWord) }
        return words.map { String($0) }
    }
}

extension String {
    /// The text after step 1 of ``WordSplitter``.
    fileprivate var foldedForWords: String {
        if utf8.allSatisfy({ $0 < 0x80 }) {
            return lowercased()
        }
        // LUMP maps similar apostrophes, dashes and low lines to one character each.
        let options =
            UTF8PROC_STABLE.rawValue
            | UTF8PROC_COMPAT.rawValue
            | UTF8PROC_COMPOSE.rawValue
            | UTF8PROC_CASEFOLD.rawValue
            | UTF8PROC_IGNORE.rawValue
            | UTF8PROC_LUMP.rawValue
        return mapped(options)
    }
}

extension Character {
    /// Whether the character is a letter or a number.
    fileprivate var isPartOfWord: Bool {
        isLetter || isNumber
    }
}
