import Base

/// The words of a list that a text can contain in a disguise.
///
/// Two simple disguises are found: a sign instead of letters (`f*ck`), and punctuation after each letter (`f.u.c.k`).
/// Only words of at least three letters are found, because shorter ones would also match harmless abbreviations.
struct DisguisedWords: Sendable {
    /// The properties that a word with a sign instead of inner letters reveals.
    private struct Shape: Hashable {
        var first: Character
        var last: Character
        var count: Int

        /// Creates the shape of a word of at least three characters, or returns `nil` for a shorter word.
        init?(_ word: some BidirectionalCollection<Character>) {
            guard let first = word.first, let last = word.last, word.count >= 3 else { return nil }
            self.first = first
            self.last = last
            count = word.count
        }
    }

    /// The signs that stand for a letter.
    private static let signs: Set<Character> = ["*", "#", "@", "$", "!"]

    private var words: Set<String> = []
    private var wordsByShape: [Shape: [String]] = [:]

    /// Adds a word in the form that ``WordSplitter`` produces.
    mutating func add(_ word: String) {
        guard let shape = Shape(word), word.allSatisfy(\.isLetter), words.insert(word).inserted else { return }
        wordsByShape[shape, default: []].append(word)
    }

    /// Returns a text in which the words are written without a disguise.
    ///
    /// If several words match a disguise, the word that was added first is used.
    ///
    /// - Parameter text: A folded text.
    /// - Returns: The text with replaced words. All other parts are unchanged.
    func revealed(in text: String) -> String {
        var revealed = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: { character in !character.isWhitespace }) {
            revealed += rest[..<start]
            rest = rest[start...]
            let end = rest.firstIndex(where: \.isWhitespace) ?? rest.endIndex
            revealed += reveal(rest[..<end])
            rest = rest[end...]
        }
        return revealed + rest
    }

    /// Reveals the words in a part of a text that contains no white space.
    private func reveal(_ token: Substring) -> String {
        if token.allSatisfy(\.isLetter) { return String(token) }
        if let word = spelledWord(token) { return word }
        guard token.contains(where: Self.signs.contains) else { return String(token) }
        var revealed = ""
        var rest = token
        while let start = rest.firstIndex(where: \.isLetter) {
            revealed += rest[..<start]
            rest = rest[start...]
            let lettersAndSigns = rest.prefix { character in
                character.isLetter || Self.signs.contains(character)
            }
            // A sign after the last letter is punctuation.
            let last = lettersAndSigns.lastIndex(where: \.isLetter) ?? start
            let masked = rest[...last]
            revealed += maskedWord(masked) ?? String(masked)
            rest = rest[rest.index(after: last)...]
        }
        return revealed + rest
    }

    /// Returns the word whose letters are separated by punctuation, or `nil` if the token is not such a word.
    private func spelledWord(_ token: Substring) -> String? {
        var word = ""
        var followsLetter = false
        for character in token {
            if character.isLetter {
                guard !followsLetter else { return nil }
                word.append(character)
            } else if character.isNumber {
                return nil
            }
            followsLetter = character.isLetter
        }
        return words.contains(word) ? word : nil
    }

    /// Returns the first word that equals the letters of `masked` and has other letters for its signs, or `nil`.
    private func maskedWord(_ masked: Substring) -> String? {
        let hasSign = masked.contains(where: Self.signs.contains)
        guard hasSign, let shape = Shape(masked) else { return nil }
        return wordsByShape[shape]?.first { word in
            zip(word, masked).allSatisfy { letter, character in
                letter == character || Self.signs.contains(character)
            }
        }
    }
}
