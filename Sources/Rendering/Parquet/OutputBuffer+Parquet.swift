import Glibc

extension OutputBuffer {
    /// Appends the bytes of an integer, the lowest first.
    @inline(__always)
    func append<Bits: FixedWidthInteger>(littleEndian value: Bits) {
        let size = MemoryLayout<Bits>.size
        UnsafeMutableRawPointer(reserve(size)).storeBytes(of: value.littleEndian, as: Bits.self)
        advance(size)
    }

    /// Replaces four bytes that the buffer already contains.
    @inline(__always)
    func overwrite(_ value: UInt32, at offset: Int) {
        UnsafeMutableRawPointer(start + offset).storeBytes(of: value.littleEndian, as: UInt32.self)
    }

    /// Appends the bits of numbers without gaps, the lowest bit first, in groups of eight numbers.
    ///
    /// - Parameters:
    ///   - values: Numbers of at most `width` bits.
    ///   - width: The number of bits of each number, from 1 to 16.
    func append(bitPacked values: UnsafeBufferPointer<some FixedWidthInteger & UnsignedInteger>, width: Int) {
        let size = (values.count + 7) / 8 * width
        var target = UnsafeMutableRawPointer(reserve(size))
        let end = target + size
        var bits: UInt64 = 0
        var filled = 0
        for value in values {
            bits |= UInt64(truncatingIfNeeded: value) &<< UInt64(filled)
            filled += width
            if filled >= 32 {
                target.storeBytes(of: UInt32(truncatingIfNeeded: bits).littleEndian, as: UInt32.self)
                target += 4
                bits &>>= 32
                filled -= 32
            }
        }
        while target < end {
            target.storeBytes(of: UInt8(truncatingIfNeeded: bits), as: UInt8.self)
            target += 1
            bits &>>= 8
        }
        advance(size)
    }

    /// Appends numbers as one run of Parquet's hybrid of run-length encoding and bit packing.
    ///
    /// Source: Apache Parquet, "Encodings", RLE.
    func append(
        hybrid values: UnsafeBufferPointer<some FixedWidthInteger & UnsignedInteger>, width: Int, areEqual: Bool
    ) {
        var header: [UInt8] = []
        guard areEqual, let value = values.first else {
            header.append(varint: UInt64((values.count + 7) / 8) << 1 | 1)
            append(header)
            return append(bitPacked: values, width: width)
        }
        header.append(varint: UInt64(values.count) << 1)
        append(header)
        if width <= 8 {
            append(UInt8(truncatingIfNeeded: value))
        } else {
            append(littleEndian: UInt16(truncatingIfNeeded: value))
        }
    }
}
