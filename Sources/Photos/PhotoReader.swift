/// Reads numbers and ranges from a part of a photo's file; says that the photo is truncated where the part ends.
struct PhotoReader {
    let bytes: [UInt8]
    private(set) var offset: Int
    let end: Int

    /// The part of `bytes` in `range`, which is cut to what there is.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        let range = range.clamped(to: bytes.indices)
        offset = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { offset >= end }

    /// The range of the next `count` bytes, which it steps over.
    mutating func range(_ count: Int) throws(PhotoError) -> Range<Int> {
        guard count >= 0, count <= end - offset else { throw .truncated }
        defer { offset += count }
        return offset..<offset + count
    }

    mutating func byte() throws(PhotoError) -> UInt8 { bytes[try range(1).lowerBound] }

    /// An unsigned number of up to four bytes.
    mutating func bigEndian(_ count: Int) throws(PhotoError) -> Int {
        bytes[try range(count)].reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func littleEndian(_ count: Int) throws(PhotoError) -> Int {
        bytes[try range(count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// A chunk's name: four bytes, as ISO 8859-1.
    mutating func name() throws(PhotoError) -> String {
        String(String.UnicodeScalarView(bytes[try range(4)].map { Unicode.Scalar($0) }))
    }
}
