/// The word boundaries of a text (UAX 29, section 4.1.1, rules WB1 to WB999 without tailoring).
///
/// An offset counts Unicode scalars from the beginning of the text.
struct WordBoundaries {
    /// Whether there is a boundary before the scalar at each offset, and one at the end of the text.
    private let flags: [Bool]

    /// Finds the boundaries of a text.
    ///
    /// Linear in the length of the text.
    init(_ scalars: [Unicode.Scalar]) {
        let classes = scalars.map { scalar in WordBreak(scalar) }
        guard !classes.isEmpty else {
            flags = [false]
            return
        }
        let offsetCount = classes.count + 1
        var flags = Array(repeating: true, count: offsetCount)
        var context = Context()
        context.add(classes[0])
        for offset in 1..<classes.count {
            let previous = classes[offset - 1]
            let next = classes[offset]
            let following = Self.significant(after: offset, in: classes)
            let joinsPictographs =
                previous == .zeroWidthJoiner
                && WordBreak.isPictograph(scalars[offset])  // WB3c
            let joins = Self.joins(previous, next) ?? context.joins(next, following: following)
            flags[offset] = !joins && !joinsPictographs
            let isAttached = next.isIgnored && !previous.isLineBreak
            if !isAttached {
                context.add(next)
            }
        }
        self.flags = flags
    }

    /// Returns whether there is a boundary before the scalar at `offset`.
    ///
    /// The number of scalars is the offset of the end.
    func contains(_ offset: Int) -> Bool {
        flags[offset]
    }

    /// Returns the class of the next scalar after `offset` that rule WB4 does not attach to an earlier one.
    private static func significant(after offset: Int, in classes: [WordBreak]) -> WordBreak {
        // Only these rules look ahead.
        guard classes[offset].isInsideWords else {
            return .other
        }
        let following = classes[(offset + 1)...]
        let significant = following.first { next in !next.isIgnored }
        return significant ?? .other
    }

    /// Applies the rules for adjacent scalars, WB3 to WB4 except WB3c.
    ///
    /// - Returns: Whether the scalars belong together, or `nil` if the later rules decide.
    private static func joins(_ previous: WordBreak, _ next: WordBreak) -> Bool? {
        if previous == .carriageReturn, next == .lineFeed { return true }  // WB3
        if previous.isLineBreak || next.isLineBreak { return false }  // WB3a, WB3b
        if previous == .space, next == .space { return true }  // WB3d
        return next.isIgnored ? true : nil  // WB4
    }

    /// The significant scalars before the examined offset.
    ///
    /// Rule WB4 attaches the other scalars to their predecessor.
    private struct Context {
        private var beforeLast = WordBreak.other
        private var last = WordBreak.other
        /// The number of regional indicators in a row.
        private var indicators = 0

        /// Adds a scalar that rule WB4 does not attach to its predecessor.
        mutating func add(_ next: WordBreak) {
            beforeLast = last
            last = next.isIgnored ? .other : next
            indicators = next == .regionalIndicator ? indicators + 1 : 0
        }

        /// Applies the rules for significant scalars, WB5 to WB999.
        func joins(_ next: WordBreak, following: WordBreak) -> Bool {
            if last.isLetter, next.isLetter { return true }  // WB5
            if last.isLetter, next.isBetweenLetters, following.isLetter { return true }  // WB6
            if beforeLast.isLetter, last.isBetweenLetters, next.isLetter { return true }  // WB7
            if last == .hebrewLetter, next == .singleQuote { return true }  // WB7a
            if last == .hebrewLetter, next == .doubleQuote, following == .hebrewLetter { return true }  // WB7b
            if beforeLast == .hebrewLetter, last == .doubleQuote, next == .hebrewLetter { return true }  // WB7c
            if last == .digit, next == .digit || next.isLetter { return true }  // WB8, WB10
            if last.isLetter, next == .digit { return true }  // WB9
            if beforeLast == .digit, last.isBetweenDigits, next == .digit { return true }  // WB11
            if last == .digit, next.isBetweenDigits, following == .digit { return true }  // WB12
            if last == .katakana, next == .katakana { return true }  // WB13
            if last.canBeExtended || last == .lowLine, next == .lowLine { return true }  // WB13a
            if last == .lowLine, next.canBeExtended { return true }  // WB13b
            return next == .regionalIndicator && indicators % 2 == 1  // WB15, WB16
        }
    }
}

/// The values of the property Word_Break (UAX 29, table 3), derived from other properties of a scalar.
private enum WordBreak {
    case other
    case carriageReturn, lineFeed, newline, space
    case extend, zeroWidthJoiner, format
    case letter, katakana, hebrewLetter
    case singleQuote, doubleQuote
    case midBoth, midLetter, midNumber
    case digit
    case regionalIndicator
    /// ExtendNumLet: the low line and similar signs.
    case lowLine

    init(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            self.init(ascii: UInt8(scalar.value))
        } else {
            self = Self.listed(scalar) ?? Self.derived(scalar)
        }
    }

    private init(ascii byte: UInt8) {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z": self = .letter
        case "0"..."9": self = .digit
        case " ": self = .space
        case "_": self = .lowLine
        case "'": self = .singleQuote
        case "\"": self = .doubleQuote
        case ".": self = .midBoth
        case ":": self = .midLetter
        case ",", ";": self = .midNumber
        case "\r": self = .carriageReturn
        case "\n": self = .lineFeed
        case "\u{b}", "\u{c}": self = .newline
        default: self = .other
        }
    }

    /// Returns the class of a scalar that table 3 lists by its code point, or `nil`.
    private static func listed(_ scalar: Unicode.Scalar) -> WordBreak? {
        switch scalar.value {
        case 0x85, 0x2028, 0x2029: .newline
        case 0x200d: .zeroWidthJoiner
        case 0x2018, 0x2019, 0x2024, 0xfe52, 0xff07, 0xff0e: .midBoth
        case 0xb7, 0x387, 0x55f, 0x5f4, 0x2027, 0xfe13, 0xfe55, 0xff1a: .midLetter
        case 0x37e, 0x589, 0x60c, 0x60d, 0x66c, 0x7f8, 0x2044, 0xfe10, 0xfe14, 0xfe50, 0xfe54, 0xff0c, 0xff1b:
            .midNumber
        case 0x202f: .lowLine
        case 0x66b: .digit
        case 0x1680, 0x2000...0x2006, 0x2008...0x200a, 0x205f, 0x3000: .space
        case 0x1f1e6...0x1f1ff: .regionalIndicator
        case 0xac00...0xd7a3: .letter
        case 0x4e00...0x9fff, 0x200b: .other
        default: nil
        }
    }

    private static func derived(_ scalar: Unicode.Scalar) -> WordBreak {
        let properties = scalar.properties
        let category = properties.generalCategory
        if properties.isGraphemeExtend || properties.isEmojiModifier {
            return .extend
        }
        switch category {
        case .spacingMark: return .extend
        case .format: return .format
        case .decimalNumber: return .digit
        case .connectorPunctuation: return .lowLine
        default: break
        }
        if contains(scalar, in: katakanaRanges) {
            return .katakana
        }
        if category == .otherLetter, contains(scalar, in: hebrewRanges) {
            return .hebrewLetter
        }
        if contains(scalar, in: lettersByList) {
            return .letter
        }
        guard properties.isAlphabetic, !properties.isIdeographic else {
            return .other
        }
        return contains(scalar, in: separateLetters) ? .other : .letter
    }

    /// Returns whether the scalar has the property Extended_Pictographic.
    static func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
        contains(scalar, in: pictographs)
    }

    private static func contains(_ scalar: Unicode.Scalar, in ranges: [ClosedRange<UInt32>]) -> Bool {
        ranges.contains { range in range.contains(scalar.value) }
    }

    /// The scalars of the script Katakana, and five more marks.
    private static let katakanaRanges: [ClosedRange<UInt32>] = [
        0x3031...0x3035, 0x309b...0x309c, 0x30a0...0x30fa, 0x30fc...0x30ff, 0x31f0...0x31ff, 0x32d0...0x32fe,
        0x3300...0x3357, 0xff66...0xff9d, 0x1aff0...0x1affe, 0x1b000...0x1b000, 0x1b120...0x1b122, 0x1b155...0x1b155,
        0x1b164...0x1b167,
    ]

    /// The blocks of Hebrew letters and of their presentation forms.
    private static let hebrewRanges: [ClosedRange<UInt32>] = [0x5d0...0x5f2, 0xfb1d...0xfb4f]

    /// The signs that table 3 adds to the letters.
    private static let lettersByList: [ClosedRange<UInt32>] = [
        0x2c2...0x2c5, 0x2d2...0x2d7, 0x2de...0x2df, 0x2e5...0x2eb, 0x2ed...0x2ed, 0x2ef...0x2ff,
        0x55a...0x55c, 0x55e...0x55e, 0x58a...0x58a, 0x5f3...0x5f3, 0xa708...0xa716, 0xa720...0xa721,
        0xa789...0xa78a, 0xab5b...0xab5b,
    ]

    /// The letters of which each is a word of its own: Hiragana, and the scripts with Line_Break=Complex_Context.
    ///
    /// These are Thai, Lao, Myanmar, Khmer, Tai Le, New Tai Lue, Tai Tham, Tai Viet and Ahom.
    private static let separateLetters: [ClosedRange<UInt32>] = [
        0xe01...0xe46, 0xe81...0xedf, 0x1000...0x103f, 0x1050...0x108e, 0x1780...0x17dc, 0x1950...0x1974,
        0x1980...0x19c9, 0x1a20...0x1aa7, 0x3041...0x3096, 0x309d...0x309f, 0xa9e0...0xa9fe, 0xaa60...0xaadd,
        0x11700...0x11746, 0x1b001...0x1b11f, 0x1b132...0x1b132, 0x1b150...0x1b152,
    ]

    /// The scalars with the property Extended_Pictographic.
    private static let pictographs: [ClosedRange<UInt32>] = [
        0xa9...0xa9, 0xae...0xae, 0x203c...0x203c, 0x2049...0x2049, 0x2122...0x2122, 0x2139...0x2139,
        0x2194...0x2199, 0x21a9...0x21aa, 0x231a...0x231b, 0x2328...0x2328, 0x2388...0x2388, 0x23cf...0x23cf,
        0x23e9...0x23f3,
        0x23f8...0x23fa, 0x24c2...0x24c2, 0x25aa...0x25ab, 0x25b6...0x25b6, 0x25c0...0x25c0, 0x25fb...0x25fe,
        0x2600...0x2605, 0x2607...0x2612, 0x2614...0x2685, 0x2690...0x2705, 0x2708...0x2712, 0x2714...0x2714,
        0x2716...0x2716, 0x271d...0x271d, 0x2721...0x2721, 0x2728...0x2728, 0x2733...0x2734, 0x2744...0x2744,
        0x2747...0x2747, 0x274c...0x274c, 0x274e...0x274e, 0x2753...0x2755, 0x2757...0x2757, 0x2763...0x2767,
        0x2795...0x2797, 0x27a1...0x27a1, 0x27b0...0x27b0, 0x27bf...0x27bf, 0x2934...0x2935, 0x2b05...0x2b07,
        0x2b1b...0x2b1c, 0x2b50...0x2b50, 0x2b55...0x2b55, 0x3030...0x3030, 0x303d...0x303d, 0x3297...0x3297,
        0x3299...0x3299, 0x1f000...0x1f0ff, 0x1f10d...0x1f10f, 0x1f12f...0x1f12f, 0x1f16c...0x1f171,
        0x1f17e...0x1f17f, 0x1f18e...0x1f18e, 0x1f191...0x1f19a, 0x1f1ad...0x1f1e5, 0x1f201...0x1f20f,
        0x1f21a...0x1f21a, 0x1f22f...0x1f22f, 0x1f232...0x1f23a, 0x1f23c...0x1f23f, 0x1f249...0x1f3fa,
        0x1f400...0x1f53d, 0x1f546...0x1f64f, 0x1f680...0x1f6ff, 0x1f774...0x1f77f, 0x1f7d5...0x1f7ff,
        0x1f80c...0x1f80f, 0x1f848...0x1f84f, 0x1f85a...0x1f85f, 0x1f888...0x1f88f, 0x1f8ae...0x1f8ff,
        0x1f90c...0x1f93a, 0x1f93c...0x1f945, 0x1f947...0x1faff, 0x1fc00...0x1fffd,
    ]

    // MARK: Groups of classes in the rules

    var isLineBreak: Bool {
        self == .carriageReturn || self == .lineFeed || self == .newline
    }

    /// Whether rule WB4 attaches the scalar to the one before it.
    var isIgnored: Bool {
        self == .extend || self == .format || self == .zeroWidthJoiner
    }

    /// AHLetter.
    var isLetter: Bool {
        self == .letter || self == .hebrewLetter
    }

    /// MidLetter and MidNumLetQ.
    var isBetweenLetters: Bool {
        self == .midLetter || self == .midBoth || self == .singleQuote
    }

    /// MidNum and MidNumLetQ.
    var isBetweenDigits: Bool {
        self == .midNumber || self == .midBoth || self == .singleQuote
    }

    /// Whether a rule examines the scalar after one of this class.
    var isInsideWords: Bool {
        isBetweenLetters || isBetweenDigits || self == .doubleQuote
    }

    /// The classes that ExtendNumLet joins.
    var canBeExtended: Bool {
        isLetter || self == .digit || self == .katakana
    }
}
