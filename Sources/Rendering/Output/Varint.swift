extension [UInt8] {
    /// Appends an integer in groups of seven bits, the lowest first (LEB128).
    mutating func append(varint value: UInt64) {
        var value = value
        while value >= 0x80 {
            append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        append(UInt8(truncatingIfNeeded: value))
    }
}

extension UInt64 {
    /// The number of bytes of the number as a varint: 1 to 10.
    var varintLength: Int {
        let bits = UInt64.bitWidth - leadingZeroBitCount
        return Swift.max(1, (bits + 6) / 7)
    }
}

extension Int64 {
    /// The integer in the form in which small negative numbers are short: 0, -1, 1, -2 become 0, 1, 2, 3.
    var zigzag: UInt64 { UInt64(bitPattern: self << 1 ^ self >> 63) }
}
