/// Eight bytes that are examined together.
///
/// See Anderson, "Bit Twiddling Hacks", "Determine if a word has a byte less than n".
package struct SWARWord {
    /// The bytes as an integer.
    ///
    /// The first byte is the lowest.
    let bytes: UInt64

    /// The result of a test of eight bytes: whether at least one byte matches, but not which one.
    package struct Marks {
        fileprivate let bits: UInt64

        var isEmpty: Bool { bits & SWARWord.highBits == 0 }

        static func | (a: Marks, b: Marks) -> Marks { Marks(bits: a.bits | b.bits) }
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    fileprivate static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Reads the eight bytes of `source` from `offset` on.
    @inline(__always)
    init(_ source: UnsafeRawBufferPointer, at offset: Int) {
        bytes = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Reads all bytes of `source`, which has one to seven, and fills the remaining bytes with the letter `a`.
    @inline(__always)
    init(upTo7 source: UnsafeRawBufferPointer) {
        let count = source.count
        var low: UInt64
        if count >= 4 {
            // If the halves overlap, their common bytes are equal.
            low = UInt64(UInt32(littleEndian: source.loadUnaligned(fromByteOffset: 0, as: UInt32.self)))
            let high = UInt64(UInt32(littleEndian: source.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)))
            low |= high &<< UInt64(8 * (count - 4))
        } else {
            low = UInt64(source[0])
            low |= UInt64(source[count / 2]) &<< UInt64(8 * (count / 2))
            low |= UInt64(source[count - 1]) &<< UInt64(8 * (count - 1))
        }
        bytes = low | (Self.ones &* UInt64(UInt8(ascii: "a"))) &<< UInt64(8 * count)
    }

    var nonASCII: Marks { Marks(bits: bytes) }

    /// Marks the bytes that are less than `limit`, which is 128 at most.
    func below(_ limit: UInt8) -> Marks { Marks(bits: (bytes &- Self.ones &* UInt64(limit)) & ~bytes) }

    func equal(to character: Unicode.Scalar) -> Marks {
        SWARWord(bytes: bytes ^ (Self.ones &* UInt64(UInt8(ascii: character)))).below(1)
    }

    private init(bytes: UInt64) { self.bytes = bytes }
}
