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
        let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        bytes = UInt64(littleEndian: word)
    }

    /// Reads all bytes of `source`, which has one to seven, and fills the remaining bytes with the letter `a`.
    @inline(__always)
    init(upTo7 source: UnsafeRawBufferPointer) {
        let count = source.count
        var low: UInt64
        if count >= 4 {
            // If the halves overlap, their common bytes are equal.
            let last = count - 4
            low = Self.fourBytes(of: source, at: 0)
            low |= Self.fourBytes(of: source, at: last) &<< UInt64(8 * last)
        } else {
            // With one or two bytes, these indices are partly the same.
            let middle = count / 2
            let last = count - 1
            low = UInt64(source[0])
            low |= UInt64(source[middle]) &<< UInt64(8 * middle)
            low |= UInt64(source[last]) &<< UInt64(8 * last)
        }
        let letters = Self.ones &* UInt64(UInt8(ascii: "a"))
        bytes = low | letters &<< UInt64(8 * count)
    }

    @inline(__always)
    private static func fourBytes(of source: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        let word = source.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return UInt64(UInt32(littleEndian: word))
    }

    var nonASCII: Marks { Marks(bits: bytes) }

    /// Marks the bytes that are less than `limit`, which is 128 at most.
    func below(_ limit: UInt8) -> Marks {
        let limits = Self.ones &* UInt64(limit)
        return Marks(bits: (bytes &- limits) & ~bytes)
    }

    func equal(to character: Unicode.Scalar) -> Marks {
        let characters = Self.ones &* UInt64(UInt8(ascii: character))
        return SWARWord(bytes: bytes ^ characters).below(1)
    }

    private init(bytes: UInt64) { self.bytes = bytes }
}
