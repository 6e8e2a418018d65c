/// The eight decimal digits of a number below 10⁸, computed in parallel.
///
/// See Khuong, "How to print integers really fast".
struct PackedDigits {
    /// The digits as bytes.
    ///
    /// The first digit is the lowest byte.
    private let digits: UInt64

    @inline(__always)
    init(_ value: UInt32) {
        // Two numbers of four digits, four of two, eight of one: 10486/2²⁰ and 103/2¹⁰ are 1/100 and 1/10 for them.
        let first = UInt64(value / 10_000)
        let last = UInt64(value % 10_000)
        let fours = first | last &<< 32
        let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
        let twos = hundreds | (fours &- 100 &* hundreds) &<< 16
        let tens = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
        digits = tens | (twos &- 10 &* tens) &<< 8
    }

    var ascii: UInt64 { digits | 0x3030_3030_3030_3030 }

    /// The number of digits without trailing zeros.
    var countWithoutZeros: Int { 8 - digits.leadingZeroBitCount / 8 }
}
