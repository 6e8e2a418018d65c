import Glibc

/// The distinct values of a column in a row group, and the index of the value of each row.
struct ParquetDictionary {
    /// The offsets of the distinct values in the column's values, in the order of their first occurrence.
    private(set) var offsets: [Int] = []
    /// The index of the value of each row that is not null.
    private(set) var indices: [UInt16] = []
    private var hashes: [UInt64] = []
    /// A hash table: the index after the index of a value, or 0.
    ///
    /// The number of slots is a power of two.
    private var slots = [UInt32](repeating: 0, count: 256)
    private var previous = 0

    /// The number of values after which a column with almost only distinct values gets no dictionary.
    private static let sample = 1024

    /// Creates the dictionary of fixed-width values.
    ///
    /// The result is `nil` if a dictionary would not make the values shorter.
    init?<Bits: FixedWidthInteger & UnsignedInteger>(_ values: UnsafeBufferPointer<UInt8>, of type: Bits.Type) {
        let bytes = UnsafeRawBufferPointer(values)
        let width = MemoryLayout<Bits>.size
        let count = values.count / width
        let limit = Self.limit(ofCount: count)
        indices.reserveCapacity(count)
        for offset in stride(from: 0, to: values.count, by: width) {
            let value = bytes.loadUnaligned(fromByteOffset: offset, as: Bits.self)
            let isAdded = add(offset, limit: limit, hash: Self.mix(UInt64(value))) { other in
                bytes.loadUnaligned(fromByteOffset: other, as: Bits.self) == value
            }
            guard isAdded else { return nil }
        }
    }

    /// Creates the dictionary of `count` values that follow their lengths.
    ///
    /// The result is `nil` if a dictionary would not make the values shorter.
    init?(_ values: UnsafeBufferPointer<UInt8>, count: Int) {
        let bytes = UnsafeRawBufferPointer(values)
        let limit = Self.limit(ofCount: count)
        indices.reserveCapacity(count)
        var offset = 0
        while offset < bytes.count {
            let length = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            let size = 4 + Int(length)
            let value = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size])
            let isAdded = add(offset, limit: limit, hash: Self.hash(value)) { other in
                // The compared bytes begin with the lengths, so the sizes are equal if they are.
                guard other + size <= bytes.count else { return false }
                return Self.areEqual(bytes, at: other, and: offset, size: size)
            }
            guard isAdded else { return nil }
            offset += size
        }
    }

    /// The number of distinct values above which the values are written without a dictionary.
    private static func limit(ofCount count: Int) -> Int {
        min(Int(UInt16.max), count / 3 + 1)
    }

    /// Adds a value and returns whether the dictionary is still worthwhile.
    @inline(__always)
    private mutating func add(
        _ offset: Int,
        limit: Int,
        hash: @autoclosure () -> UInt64,
        isEqual: (Int) -> Bool
    ) -> Bool {
        // Adjacent rows often have the same value.
        if previous < offsets.count, isEqual(offsets[previous]) {
            indices.append(UInt16(truncatingIfNeeded: previous))
            return true
        }
        let hash = hash()
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if hashes[index] == hash, isEqual(offsets[index]) {
                previous = index
                indices.append(UInt16(truncatingIfNeeded: index))
                return true
            }
            slot = (slot + 1) & mask
        }
        guard offsets.count < limit else { return false }
        let isEndOfSample = indices.count == Self.sample
        if isEndOfSample, offsets.count >= Self.sample / 8 * 7 { return false }
        previous = offsets.count
        indices.append(UInt16(truncatingIfNeeded: previous))
        offsets.append(offset)
        hashes.append(hash)
        slots[slot] = UInt32(offsets.count)
        if offsets.count * 2 > slots.count { grow() }
        return true
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 4)
        let mask = slots.count - 1
        for (index, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash) & mask
            while slots[slot] != 0 {
                slot = (slot + 1) & mask
            }
            slots[slot] = UInt32(index + 1)
        }
    }

    /// Whether `size` bytes at two offsets are equal.
    ///
    /// Most values are short or differ in their first eight bytes.
    @inline(__always)
    private static func areEqual(
        _ bytes: UnsafeRawBufferPointer,
        at a: Int,
        and b: Int,
        size: Int
    ) -> Bool {
        func eight(_ offset: Int) -> UInt64 {
            bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        guard let start = bytes.baseAddress, size >= 8 else {
            return bytes[a..<a + size].elementsEqual(bytes[b..<b + size])
        }
        guard eight(a) == eight(b) else { return false }
        let restSize = size - 8
        if restSize <= 8 {
            // The last eight bytes may overlap the first.
            return eight(a + restSize) == eight(b + restSize)
        }
        return memcmp(start + a + 8, start + b + 8, restSize) == 0
    }

    /// Returns a hash of a value that follows its length of four bytes.
    @inline(__always)
    private static func hash(_ value: UnsafeRawBufferPointer) -> UInt64 {
        guard value.count >= 8 else {
            return mix(SWARWord(upTo7: value).bytes)
        }
        func eight(_ offset: Int) -> UInt64 {
            value.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        let lastOffset = value.count - 8
        var hash: UInt64 = 0
        var offset = 0
        while offset < lastOffset {
            hash = mix(hash ^ eight(offset))
            offset += 8
        }
        // The last eight bytes may overlap the preceding bytes.
        return mix(hash ^ eight(lastOffset))
    }

    /// Returns a hash of eight bytes: the xor of the halves of a product, as in wyhash.
    @inline(__always)
    private static func mix(_ bits: UInt64) -> UInt64 {
        let product = (bits ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low
    }
}
