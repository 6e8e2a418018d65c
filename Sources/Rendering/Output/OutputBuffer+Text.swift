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
            bytes,
            special: { byte in byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") },
            escape: { byte in appendEscape(byte) })
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
        append(
            bytes,
            special: { byte in byte == UInt8(ascii: "\"") },
            escape: { _ in append(literal: "\"\"") })
    }

    /// Appends text in which the special characters of HTML and XML are replaced by entities.
    package func append(escaping bytes: Span<UInt8>) {
        append(
            bytes,
            special: { byte in byte <= UInt8(ascii: ">") && Self.entity(of: byte) != nil },
            escape: { byte in
                guard let entity = Self.entity(of: byte) else { return }
                append(literal: entity)
            })
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
        for index in bytes.indices {
            append(hex: bytes[index])
        }
    }

    private func append(hex byte: UInt8) {
        append(hexDigit(byte >> 4))
        append(hexDigit(byte & 15))
    }

    private func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Appends a text verbatim, eight bytes at a time.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - isQuoted: Whether to add a double quote before and after the text.
    ///   - special: A closure that marks the bytes which the text must not contain.
    /// - Returns: `false`, with nothing appended, if `special` marks at least one byte.
    @inline(__always)
    package func append(
        _ bytes: Span<UInt8>,
        inQuotes isQuoted: Bool = false,
        unless special: (SWARWord) -> SWARWord.Marks
    ) -> Bool {
        bytes.bytes.withUnsafeBytes { source in
            append(source, inQuotes: isQuoted, unless: special)
        }
    }

    @inline(__always)
    private func append(
        _ source: UnsafeRawBufferPointer,
        inQuotes isQuoted: Bool,
        unless special: (SWARWord) -> SWARWord.Marks
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
        bytes.withUnsafeBufferPointer { source in
            append(source, special: special, escape: escape)
        }
    }

    @inline(__always)
    private func append(
        _ bytes: UnsafeBufferPointer<UInt8>,
        special: (UInt8) -> Bool,
        escape: (UInt8) -> Void
    ) {
        guard let source = bytes.baseAddress else { return }
        // The bytes from `runStart` to `index` are copied together.
        var runStart = 0
        var index = 0
        while index < bytes.count {
            let byte = source[index]
            let isASCII = byte < 0x80
            if isASCII, !special(byte) {
                index += 1
                continue
            }
            var length = 1
            var isCopied = false
            if !isASCII {
                let sequence = utf8Length(source + index, count: bytes.count - index)
                length = sequence.length
                isCopied = sequence.isValid
            }
            if !isCopied {
                append(UnsafeBufferPointer(start: source + runStart, count: index - runStart))
                if isASCII {
                    escape(byte)
                } else {
                    append(literal: "\u{FFFD}")
                }
                runStart = index + length
            }
            index += length
        }
        append(UnsafeBufferPointer(start: source + runStart, count: index - runStart))
    }
}

/// Returns the length of the well-formed UTF-8 sequence at `bytes`, or of the maximal subpart of an ill-formed one.
///
/// See The Unicode Standard, table 3-7 and section 3.9.
private func utf8Length(_ bytes: UnsafePointer<UInt8>, count: Int) -> (length: Int, isValid: Bool) {
    var length = 2
    // The range of the second byte.
    var lowest: UInt8 = 0x80
    var highest: UInt8 = 0xBF
    switch bytes[0] {
    case 0xC2...0xDF:
        break
    case 0xE0:
        length = 3
        lowest = 0xA0
    case 0xED:
        length = 3
        highest = 0x9F
    case 0xE1...0xEF:
        length = 3
    case 0xF0:
        length = 4
        lowest = 0x90
    case 0xF4:
        length = 4
        highest = 0x8F
    case 0xF1...0xF3:
        length = 4
    default:
        return (1, false)
    }
    for index in 1..<length {
        guard index < count, bytes[index] >= lowest, bytes[index] <= highest else { return (index, false) }
        lowest = 0x80
        highest = 0xBF
    }
    return (length, true)
}
