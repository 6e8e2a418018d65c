extension String {
    /// Returns whether the text contains `word` between two Unicode word boundaries (UAX 29).
    ///
    /// The comparison is exact. Fold both texts first to ignore the letter case. Takes about 0.1 µs for ASCII, and
    /// microseconds for other texts that contain `word`.
    ///
    /// - Parameter word: A word or a phrase. The result is `false` if it is empty.
    /// - Returns: Whether the text contains `word` between two word boundaries.
    public func containsWord(_ word: String) -> Bool {
        guard !word.isEmpty, contains(word) else { return false }
        let bytes = utf8.span
        if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.containsASCIIWord(word.utf8.span) }
        return Array(unicodeScalars).containsWord(Array(word.unicodeScalars))
    }
}

extension [Unicode.Scalar] {
    /// Returns whether the text contains `word` between two word boundaries.
    fileprivate func containsWord(_ word: [Unicode.Scalar]) -> Bool {
        guard let first = word.first, word.count <= count else { return false }
        let boundaries = WordBoundaries(self)
        return (0...(count - word.count)).contains { start in
            self[start] == first && boundaries.contains(start) && boundaries.contains(start + word.count)
                && self[start..<start + word.count].elementsEqual(word)
        }
    }
}

/// The classes of ASCII characters in the rules for word boundaries.
private enum WordClass { case letter, digit, underscore, midLetter, midNumber, midBoth, space, carriageReturn, other }

/// The word boundaries of UAX 29 (section 4.1.1) in an ASCII text, which requires only some of the rules.
extension Span<UInt8> {
    /// Returns whether the text contains `word` between two word boundaries.
    fileprivate func containsASCIIWord(_ word: Span<UInt8>) -> Bool {
        guard word.count <= count else { return false }
        return (0...(count - word.count)).contains { start in
            isBoundary(start) && isBoundary(start + word.count) && holds(word, at: start)
        }
    }

    /// Returns whether the text contains `word` at `start`.
    private func holds(_ word: Span<UInt8>, at start: Int) -> Bool {
        for index in word.indices where self[start + index] != word[index] { return false }
        return true
    }

    /// Returns whether there is a word boundary before byte `i`.
    private func isBoundary(_ i: Int) -> Bool {
        guard i > 0, i < count else { return true }  // WB1, WB2
        let before = kind(i - 1)
        let after = kind(i)
        switch (before, after) {
        case (.carriageReturn, _): return self[i] != UInt8(ascii: "\n")  // WB3
        case (.space, .space): return false  // WB3d
        case (.letter, .letter), (.letter, .digit), (.digit, .letter), (.digit, .digit): return false  // WB5, 8, 9, 10
        case (.underscore, .letter), (.underscore, .digit), (.underscore, .underscore): return false  // WB13b
        case (.letter, .underscore), (.digit, .underscore): return false  // WB13a
        case (.letter, .midLetter), (.letter, .midBoth): return kind(i + 1) != .letter  // WB6
        case (.midLetter, .letter), (.midBoth, .letter): return kind(i - 2) != .letter  // WB7
        case (.digit, .midNumber), (.digit, .midBoth): return kind(i + 1) != .digit  // WB12
        case (.midNumber, .digit), (.midBoth, .digit): return kind(i - 2) != .digit  // WB11
        default: return true  // WB999
        }
    }

    /// Returns the class of byte `i`, or `other` if the index is out of bounds.
    private func kind(_ i: Int) -> WordClass {
        guard indices.contains(i) else { return .other }
        switch self[i] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return .letter
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .digit
        case UInt8(ascii: "_"): return .underscore
        case UInt8(ascii: ":"): return .midLetter
        case UInt8(ascii: ","), UInt8(ascii: ";"): return .midNumber
        case UInt8(ascii: "."), UInt8(ascii: "'"): return .midBoth
        case UInt8(ascii: " "): return .space
        case UInt8(ascii: "\r"): return .carriageReturn
        default: return .other
        }
    }
}
