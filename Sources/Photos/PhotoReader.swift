/// Reads numbers and ranges from a part of a photo file.
///
/// All read methods throw an error if the part is too short.
struct PhotoReader {
    /// The complete file.
    let bytes: [UInt8]
    /// The offset of the next byte in the file.
    private(set) var offset: Int
    /// The offset of the end of the part in the file.
    let end: Int

    /// Creates a reader for the part of `bytes` in `range`, which is clamped to the bounds of `bytes`.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        let range = range.clamped(to: bytes.indices)
        offset = range.lowerBound
        end = range.upperBound
    }

    /// Whether all bytes of the part have been read.
    var isAtEnd: Bool { offset >= end }

    /// Skips the next `count` bytes and returns their range.
    ///
    /// - Throws: `PhotoError.truncated` if fewer than `count` bytes remain.
    mutating func range(_ count: Int) throws(PhotoError) -> Range<Int> {
        guard count >= 0, count <= end - offset else { throw .truncated }
        defer { offset += count }
        return offset..<offset + count
    }

    /// Reads a byte.
    mutating func byte() throws(PhotoError) -> UInt8 { bytes[try range(1).lowerBound] }

    /// Reads an unsigned big-endian number of `count` bytes, at most 4.
    mutating func bigEndian(_ count: Int) throws(PhotoError) -> Int {
        bytes[try range(count)].reduce(0) { number, byte in number << 8 | Int(byte) }
    }

    /// Reads an unsigned little-endian number of `count` bytes, at most 4.
    mutating func littleEndian(_ count: Int) throws(PhotoError) -> Int {
        bytes[try range(count)].reversed().reduce(0) { number, byte in number << 8 | Int(byte) }
    }

    /// Reads the name of a chunk: four bytes in ISO 8859-1.
    mutating func name() throws(PhotoError) -> String {
        let scalars = bytes[try range(4)].map { byte in Unicode.Scalar(byte) }
        return String(String.UnicodeScalarView(scalars))
    }
}
