import HabitModel

extension ImportFile {
    /// Opens a text in an encoding.
    ///
    /// A text that begins with the byte order mark of UTF-16 is UTF-16.
    ///
    /// - Returns: The text in UTF-8, without a byte order mark and blank lines at its start.
    /// - Throws: An error of reading the file.
    func openText(_ encoding: TableOptions.Encoding) throws -> ByteSource {
        let start = try content.bytes.prefix(2)
        if encoding == .utf16 || start == [0xFF, 0xFE] || start == [0xFE, 0xFF] {
            return try open().decoded(.utf16)
        }
        return try openText().decoded(encoding)
    }
}

extension ByteSource {
    /// Returns a source of the same text in UTF-8.
    func decoded(_ encoding: TableOptions.Encoding) -> ByteSource {
        switch encoding {
        case .utf8: self
        case .latin1: decoded(by: Latin1Decoder())
        case .utf16: decoded(by: UTF16Decoder())
        }
    }

    private func decoded(by decoder: some TextDecoder) -> ByteSource {
        var decoder = decoder
        var text: [UInt8] = []
        var start = 0
        var block = [UInt8](repeating: 0, count: 1 << 15)
        return ByteSource(name: name, totalBytes: totalBytes, mayBeCompressed: false) { [self] buffer in
            while start == text.count {
                let count = try read(into: &block)
                text.removeAll(keepingCapacity: true)
                start = 0
                decoder.decode(block[..<count], isLast: count == 0, into: &text)
                if count == 0, text.isEmpty { return 0 }
            }
            let count = buffer.copyBeginning(of: text[start...])
            start += count
            return count
        }
    }
}

/// A converter of a text to UTF-8 that receives the text in pieces.
private protocol TextDecoder {
    mutating func decode(_ bytes: ArraySlice<UInt8>, isLast: Bool, into text: inout [UInt8])
}

/// A decoder of ISO 8859-1 and of the characters that Windows-1252 adds to it.
private struct Latin1Decoder: TextDecoder {
    /// The characters of Windows-1252 for the bytes from 0x80 to 0x9F.
    ///
    /// These bytes have no other use in texts.
    private static let windows: [Unicode.Scalar] = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    mutating func decode(_ bytes: ArraySlice<UInt8>, isLast: Bool, into text: inout [UInt8]) {
        for byte in bytes {
            let isWindows = (0x80...0x9F).contains(byte)
            let scalar = isWindows ? Self.windows[Int(byte) - 0x80] : Unicode.Scalar(byte)
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}

/// A decoder of UTF-16 with or without a byte order mark.
///
/// Without one, the text is little-endian.
private struct UTF16Decoder: TextDecoder {
    private var rest: [UInt8] = []
    private var isBigEndian: Bool?
    private var high: UInt16?
    /// Whether only line ends have been decoded so far.
    private var isBlank = true

    mutating func decode(_ bytes: ArraySlice<UInt8>, isLast: Bool, into text: inout [UInt8]) {
        var bytes = rest + bytes
        if isBigEndian == nil, bytes.count >= 2 {
            let hasBigEndianMark = bytes.starts(with: [0xFE, 0xFF])
            let hasLittleEndianMark = bytes.starts(with: [0xFF, 0xFE])
            isBigEndian = hasBigEndianMark
            if hasBigEndianMark || hasLittleEndianMark { bytes.removeFirst(2) }
        }
        var index = 0
        while index + 1 < bytes.count {
            let first = UInt16(bytes[index])
            let second = UInt16(bytes[index + 1])
            let unit = isBigEndian == true ? first << 8 | second : second << 8 | first
            add(unit, to: &text)
            index += 2
        }
        rest = Array(bytes[index...])
        if isLast, !rest.isEmpty || high != nil {
            text.append(contentsOf: UTF8.encodedReplacementCharacter)
            rest = []
            high = nil
        }
    }

    private mutating func add(_ unit: UInt16, to text: inout [UInt8]) {
        if let first = high {
            high = nil
            if UTF16.isTrailSurrogate(unit) {
                let highBits = UInt32(first) - 0xD800
                let lowBits = UInt32(unit) - 0xDC00
                let code = 0x10000 + (highBits << 10) + lowBits
                return append(Unicode.Scalar(code), to: &text)
            }
            append(nil, to: &text)
        }
        if UTF16.isLeadSurrogate(unit) {
            high = unit
        } else {
            append(Unicode.Scalar(unit), to: &text)
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar?, to text: inout [UInt8]) {
        if isBlank, scalar == "\n" || scalar == "\r" { return }
        isBlank = false
        let encoded = scalar.flatMap { scalar in UTF8.encode(scalar) }
        text.append(contentsOf: encoded ?? UTF8.encodedReplacementCharacter)
    }
}
