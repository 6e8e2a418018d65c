extension String {
    /// Returns whether the text contains `word` between two Unicode word boundaries (UAX 29).
    ///
    /// The comparison is exact. Fold both texts first to ignore the letter case. Takes about 0.1 µs for ASCII, and
    /// microseconds for other texts that contain `word`.
    ///
    /// - Parameter word: A word or a phrase. The result is `false` if it is empty.
    /// - Returns: Whether the text contains `word` between two word boundaries.
    public func containsWord(_ word: String) -> Bool {
        guard !word.isEmpty, contains(word) else {
            return false
        }
        let bytes = utf8.span
        if bytes.allSatisfy({ $0 < 0x80 }) {
            return bytes.containsASCIIWord(word.utf8.span)
        }
        let scalars = Array(unicodeScalars)
        return scalars.containsWord(Array(word.unicodeScalars))
    }
}

extension [Unicode.Scalar] {
    /// Returns whether the text contains `word` between two word boundaries.
    fileprivate func containsWord(_ word: [Unicode.Scalar]) -> Bool {
        guard let first = word.first, word.count <= count else {
            return false
        }
        let boundaries = WordBoundaries(self)
        for start in 0...(count - word.count) where self[start] == first {
            let end = start + word.count
            guard boundaries.contains(start), boundaries.contains(end) else {
                continue
            }
            if self[start..<end] == word[...] {
                return true
            }
        }
        return false
    }
}

/// The classes of ASCII characters in the rules for word boundaries.
private enum WordClass {
    case letter, digit, underscore
    case midLetter, midNumber, midBoth
    case space, carriageReturn, other

    var isAlphanumeric: Bool {
        self == .letter || self == .digit
    }

    /// MidLetter and MidNumLetQ.
    var isBetweenLetters: Bool {
        self == .midLetter || self == .midBoth
    }

    /// MidNum and MidNumLetQ.
    var isBetweenDigits: Bool {
        self == .midNumber || self == .midBoth
    }
}

/// The word boundaries of UAX 29 (section 4.1.1) in an ASCII text, which requires only some of the rules.
extension Span<UInt8> {
    /// Returns whether the text contains `word` between two word boundaries.
    fileprivate func containsASCIIWord(_ word: Span<UInt8>) -> Bool {
        guard word.count <= count else {
            return false
        }
        for start in 0...(count - word.count) {
            guard isBoundary(start), isBoundary(start + word.count) else {
                continue
            }
            if holds(word, at: start) {
                return true
            }
        }
        return false
    }

    /// Returns whether the text contains `word` at `start`.
    private func holds(_ word: Span<UInt8>, at start: Int) -> Bool {
        for index in word.indices {
            guard self[start + index] == word[index] else {
                return false
            }
        }
        return true
    }

    /// Returns whether there is a word boundary before byte `i`.
    private func isBoundary(_ i: Int) -> Bool {
        guard i > 0, i < count else { return true }  // WB1, WB2
        let before = kind(i - 1)
        let after = kind(i)
        if before == .carriageReturn {  // WB3
            return self[i] != UInt8(ascii: "\n")
        }
        if before == .space, after == .space {  // WB3d
            return false
        }
        if before.isAlphanumeric || before == .underscore {  // WB5, 8, 9, 10, 13a, 13b
            if after.isAlphanumeric || after == .underscore {
                return false
            }
        }
        if before == .letter, after.isBetweenLetters {  // WB6
            return kind(i + 1) != .letter
        }
        if before.isBetweenLetters, after == .letter {  // WB7
            return kind(i - 2) != .letter
        }
        if before == .digit, after.isBetweenDigits {  // WB12
            return kind(i + 1) != .digit
        }
        if before.isBetweenDigits, after == .digit {  // WB11
            return kind(i - 2) != .digit
        }
        return true  // WB999
    }

    /// Returns the class of byte `i`, or `other` if the index is out of bounds.
    private func kind(_ i: Int) -> WordClass {
        guard indices.contains(i) else {
            return .other
        }
        switch Unicode.Scalar(self[i]) {
        case "a"..."z", "A"..."Z": return .letter
        case "0"..."9": return .digit
        case "_": return .underscore
        case ":": return .midLetter
        case ",", ";": return .midNumber
        case ".", "'": return .midBoth
        case " ": return .space
        case "\r": return .carriageReturn
        default: return .other
        }
    }
}
