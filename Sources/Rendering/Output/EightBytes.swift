/// Eight bytes, looked at together (Anderson, "Bit Twiddling Hacks", "Determine if a word has a byte less than n").
package struct EightBytes {
    /// The first is the lowest.
    let bytes: UInt64

    /// Which kinds of bytes there are: empty where there is none, and nothing is said of where they are.
    package struct Marks {
        fileprivate let bits: UInt64

        var isEmpty: Bool { bits & EightBytes.highBits == 0 }

        static func | (a: Marks, b: Marks) -> Marks { Marks(bits: a.bits | b.bits) }
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    fileprivate static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Those of `source` from `place` on.
    @inline(__always)
    init(_ source: UnsafeRawBufferPointer, at place: Int) {
        bytes = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }

    /// All of `source`, one to seven, and letters behind them.
    @inline(__always)
    init(upTo7 source: UnsafeRawBufferPointer) {
        let count = source.count
        var low: UInt64
        if count >= 4 {
            // Where the halves overlap they are the same.
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

    /// `limit` is 128 at most.
    func below(_ limit: UInt8) -> Marks { Marks(bits: (bytes &- Self.ones &* UInt64(limit)) & ~bytes) }

    func equal(to character: Unicode.Scalar) -> Marks {
        EightBytes(bytes: bytes ^ (Self.ones &* UInt64(UInt8(ascii: character)))).below(1)
    }

    private init(bytes: UInt64) { self.bytes = bytes }
}
