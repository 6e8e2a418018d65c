import Glibc

/// The ASCII bytes that delimit records and cells.
enum ASCII {
    static let quote = UInt8(ascii: "\"")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    /// The record separator (RS), which precedes each text in RFC 8142.
    static let recordSeparator: UInt8 = 0x1E
}

/// Returns the index of the first `byte` at or after `start`, or `nil` if it is not found.
func firstIndex(of byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
        guard start >= 0, start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(byte), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
