extension OutputBuffer {
    /// Appends a JSON string with its quotes, escaped as RFC 8259, section 7, requires.
    package func append(json bytes: Span<UInt8>) {
        if append(bytes, inQuotes: true, unless: Self.needsJSONEscape) { return }
        append(UInt8(ascii: "\""))
        append(escapingJSON: bytes)
        append(UInt8(ascii: "\""))
    }

    /// Appends the content of a JSON string, escaped but without quotes.
    package func append(jsonInside bytes: Span<UInt8>) {
        if !append(bytes, unless: Self.needsJSONEscape) { append(escapingJSON: bytes) }
    }

    @inline(__always)
    private static func needsJSONEscape(_ eight: SWARWord) -> SWARWord.Marks {
        eight.nonASCII | eight.below(0x20) | eight.equal(to: "\"") | eight.equal(to: "\\")
    }

    private func append(escapingJSON bytes: Span<UInt8>) {
        append(
            bytes, special: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") },
            escape: { appendEscape($0) })
    }

    private func appendEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append(literal: "\\\"")
        case UInt8(ascii: "\\"): append(literal: "\\\\")
        case UInt8(ascii: "\n"): append(literal: "\\n")
        case UInt8(ascii: "\r"): append(literal: "\\r")
        case UInt8(ascii: "\t"): append(literal: "\\t")
        default:
            append(literal: "\\u00")
            append(hex: byte)
        }
    }

    /// Appends text verbatim, except that ill-formed UTF-8 becomes U+FFFD.
    func append(wellFormed bytes: Span<UInt8>) {
        append(bytes, special: { _ in false }, escape: { _ in })
    }

    /// Appends text with doubled quotes, as RFC 4180, section 2, requires.
    package func append(doublingQuotes bytes: Span<UInt8>) {
        append(bytes, special: { $0 == UInt8(ascii: "\"") }, escape: { _ in append(literal: "\"\"") })
    }

    /// Appends text in which the special characters of HTML and XML are replaced by entities.
    package func append(escaping bytes: Span<UInt8>) {
        append(
            bytes, special: { $0 <= UInt8(ascii: ">") && Self.entity(of: $0) != nil },
            escape: { if let entity = Self.entity(of: $0) { append(literal: entity) } })
    }

    @inline(__always)
    private static func entity(of byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }

    /// Appends each byte as two lowercase hexadecimal digits.
    package func append(hex bytes: Span<UInt8>) {
        for index in bytes.indices { append(hex: bytes[index]) }
    }

    private func append(hex byte: UInt8) {
        append(hexDigit(byte >> 4))
        append(hexDigit(byte & 15))
    }

    private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? value + UInt8(ascii: "0") : value + 87 }

    /// Appends a text verbatim, eight bytes at a time.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - isQuoted: Whether to add a double quote before and after the text.
    ///   - special: A closure that marks the bytes which the text must not contain.
    /// - Returns: `false`, with nothing appended, if `special` marks at least one byte.
    @inline(__always)
    package func append(
        _ bytes: Span<UInt8>, inQuotes isQuoted: Bool = false, unless special: (SWARWord) -> SWARWord.Marks
    ) -> Bool {
        bytes.bytes.withUnsafeBytes { append($0, inQuotes: isQuoted, unless: special) }
    }

    @inline(__always)
    private func append(
        _ source: UnsafeRawBufferPointer, inQuotes isQuoted: Bool, unless special: (SWARWord) -> SWARWord.Marks
    ) -> Bool {
        let count = source.count
        let begin = UnsafeMutableRawPointer(reserve(count + 10))
        let target = isQuoted ? begin + 1 : begin
        var offset = 0
        while offset < count {
            // The last eight bytes may overlap the preceding bytes.
            let start = count < 8 ? 0 : min(offset, count - 8)
            let eight = count < 8 ? SWARWord(upTo7: source) : SWARWord(source, at: start)
            guard special(eight).isEmpty else { return false }
            target.storeBytes(of: eight.bytes.littleEndian, toByteOffset: start, as: UInt64.self)
            offset += 8
        }
        if isQuoted {
            begin.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
            target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: count, as: UInt8.self)
        }
        advance(isQuoted ? count + 2 : count)
        return true
    }

    /// Appends text and calls `escape` for each ASCII byte that is `special`.
    ///
    /// All other bytes are copied in runs. Ill-formed UTF-8 becomes U+FFFD, one for each maximal subpart of a sequence.
    /// The output is thus valid UTF-8.
    @inline(__always)
    private func append(_ bytes: Span<UInt8>, special: (UInt8) -> Bool, escape: (UInt8) -> Void) {
        bytes.withUnsafeBufferPointer { append($0, special: special, escape: escape) }
    }

    @inline(__always)
    private func append(
        _ bytes: UnsafeBufferPointer<UInt8>, special: (UInt8) -> Bool, escape: (UInt8) -> Void
    ) {
        guard let source = bytes.baseAddress else { return }
        var (clean, i) = (0, 0)
        while i < bytes.count {
            let byte = source[i]
            if byte < 0x80, !special(byte) {
                i += 1
                continue
            }
            let (length, isValid) = byte < 0x80 ? (1, false) : utf8Length(source + i, bytes.count - i)
            if !isValid {
                append(UnsafeBufferPointer(start: source + clean, count: i - clean))
                if byte < 0x80 { escape(byte) } else { append(literal: "\u{FFFD}") }
                clean = i + length
            }
            i += length
        }
        append(UnsafeBufferPointer(start: source + clean, count: i - clean))
    }
}

/// Returns the length of the well-formed UTF-8 sequence at `bytes`, or of the maximal subpart of an ill-formed one.
///
/// See The Unicode Standard, table 3-7 and section 3.9.
private func utf8Length(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> (length: Int, isValid: Bool) {
    let lead = bytes[0]
    guard (0xC2...0xF4).contains(lead) else { return (1, false) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var lowest: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
    var highest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
    for i in 1..<length {
        guard i < count, bytes[i] >= lowest, bytes[i] <= highest else { return (i, false) }
        (lowest, highest) = (0x80, 0xBF)
    }
    return (length, true)
}
