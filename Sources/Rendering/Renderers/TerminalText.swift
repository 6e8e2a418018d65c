import CUtf8proc

/// A text that is safe to write to a terminal, and its width in terminal columns.
///
/// Control characters, line breaks and bidirectional overrides are replaced by symbols. A cell therefore cannot move
/// the cursor, break a line or reverse the adjacent text.
struct TerminalText {
    private(set) var text: String
    private(set) var width: Int
    private var isRightToLeft = false

    init(_ bytes: Span<UInt8>) {
        text = bytes.text
        width = bytes.count
        let isPrintableASCII = bytes.allSatisfy { byte in (0x20..<0x7F).contains(byte) }
        guard !isPrintableASCII else { return }
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            visible.append(scalar.isUnsafeInTerminal ? scalar.symbol : scalar)
            if scalar.isRightToLeft { isRightToLeft = true }
        }
        text = String(visible)
        width = text.reduce(0) { width, character in width + character.terminalWidth }
    }

    init(_ text: String) {
        self.init(text.utf8.span)
    }

    /// Returns the text truncated to `limit` terminal columns.
    ///
    /// A truncated text ends with `…`.
    func cut(to limit: Int) -> TerminalText {
        guard width > limit else { return self }
        var cut = self
        cut.text = ""
        cut.width = 0
        for character in text {
            let width = character.terminalWidth
            guard cut.width + width < limit else { break }
            cut.text.append(character)
            cut.width += width
        }
        cut.text += "…"
        cut.width += 1
        return cut
    }

    /// The text for output next to other text.
    ///
    /// Right-to-left text is enclosed in isolates (UAX 9, FSI and PDI), which have no width.
    var isolated: String { isRightToLeft ? "\u{2068}\(text)\u{2069}" : text }
}

extension Unicode.Scalar {
    /// Whether a terminal may act on the scalar instead of showing it.
    ///
    /// Such scalars are controls, line and paragraph separators, embeddings, overrides and isolates.
    var isUnsafeInTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The visible symbol that replaces the scalar.
    var symbol: Unicode.Scalar {
        switch value {
        case 0x0A, 0x2028, 0x2029: "␤"
        case 0..<0x20: Unicode.Scalar(0x2400 + value) ?? "�"
        case 0x7F: "␡"
        default: "�"
        }
    }

    /// Whether the scalar is in a block of a right-to-left script.
    ///
    /// The blocks are Hebrew to Arabic Extended, the presentation forms, and the blocks in the supplementary planes.
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF: true
        default: false
        }
    }

    fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}

extension Character {
    /// The width in terminal columns: the width of the widest scalar, or two for a flag or an emoji with VS16.
    var terminalWidth: Int {
        if isASCII { return 1 }
        let scalars = unicodeScalars
        let isEmoji = scalars.first?.properties.isEmoji ?? false
        if isEmoji, scalars.contains("\u{FE0F}") { return 2 }
        if scalars.count == 2, scalars.allSatisfy(\.isRegionalIndicator) { return 2 }
        return scalars.reduce(0) { widest, scalar in
            let width = utf8proc_charwidth(Int32(scalar.value))
            return max(widest, Int(width))
        }
    }
}
