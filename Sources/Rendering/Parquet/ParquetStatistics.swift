import Glibc

/// The lowest and the highest value of a column in a row group, in the encoding PLAIN.
struct ParquetStatistics {
    var lowest: [UInt8]
    var highest: [UInt8]

    /// The number of bytes of the longest text that is written as a statistic.
    private static let longest = 64

    /// Finds the bounds of the values at `offsets`, or of all values if `offsets` is `nil`.
    ///
    /// The result is `nil` if there are no values, if the type has no order, or if a bound is a long text. A zero is
    /// written as -0 in the lowest value and as +0 in the highest value, as `parquet.thrift` requires.
    init?(_ column: ParquetColumn, at offsets: [Int]?) {
        let bytes = UnsafeRawBufferPointer(column.values.bytes)
        switch column.type {
        case .wkb: return nil
        case .boolean: self.init(bytes, offsets, of: UInt8.self) { $0 }
        case .int16, .date: self.init(bytes, offsets, of: Int32.self) { $0 }
        case .int64, .timestamp: self.init(bytes, offsets, of: Int64.self) { $0 }
        case .float:
            self.init(bytes, offsets, of: UInt32.self) { Float(bitPattern: $0) }
            let (low, high) = (Float(bitPattern: Self.load(lowest)), Float(bitPattern: Self.load(highest)))
            guard low <= high else { return nil }
            if low == 0 { lowest = Self.bytes((-Float.zero).bitPattern) }
            if high == 0 { highest = Self.bytes(Float.zero.bitPattern) }
        case .double:
            self.init(bytes, offsets, of: UInt64.self) { Double(bitPattern: $0) }
            let (low, high) = (Double(bitPattern: Self.load(lowest)), Double(bitPattern: Self.load(highest)))
            guard low <= high else { return nil }
            if low == 0 { lowest = Self.bytes((-Double.zero).bitPattern) }
            if high == 0 { highest = Self.bytes(Double.zero.bitPattern) }
        case .text, .json: self.init(texts: bytes, offsets)
        }
    }

    private init?<Bits: FixedWidthInteger, Order: Comparable>(
        _ bytes: UnsafeRawBufferPointer, _ offsets: [Int]?, of type: Bits.Type, _ order: (Bits) -> Order
    ) {
        guard !bytes.isEmpty else { return nil }
        func value(_ offset: Int) -> Bits { bytes.loadUnaligned(fromByteOffset: offset, as: Bits.self) }
        var low = value(offsets?.first ?? 0)
        var high = low
        func add(_ offset: Int) {
            let value = value(offset)
            if order(value) < order(low) { low = value }
            if order(value) > order(high) { high = value }
        }
        if let offsets {
            for offset in offsets { add(offset) }
        } else {
            for offset in stride(from: 0, to: bytes.count, by: MemoryLayout<Bits>.size) { add(offset) }
        }
        lowest = Self.bytes(low)
        highest = Self.bytes(high)
    }

    private static func load<Bits: FixedWidthInteger>(_ bytes: [UInt8]) -> Bits {
        bytes.withUnsafeBytes { Bits(littleEndian: $0.loadUnaligned(as: Bits.self)) }
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private init?(texts bytes: UnsafeRawBufferPointer, _ offsets: [Int]?) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
        func size(_ offset: Int) -> Int { Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
        func isLess(_ a: Int, _ b: Int) -> Bool {
            let (sizeA, sizeB) = (size(a), size(b))
            let order = memcmp(start + a + 4, start + b + 4, min(sizeA, sizeB))
            return order != 0 ? order < 0 : sizeA < sizeB
        }
        var low = offsets?.first ?? 0
        var high = low
        func add(_ offset: Int) {
            if isLess(offset, low) { low = offset } else if isLess(high, offset) { high = offset }
        }
        if let offsets {
            for offset in offsets { add(offset) }
        } else {
            var offset = 0
            while offset < bytes.count {
                add(offset)
                offset += 4 + size(offset)
            }
        }
        guard size(low) <= Self.longest, size(high) <= Self.longest else { return nil }
        lowest = Array(bytes[low + 4..<low + 4 + size(low)])
        highest = Array(bytes[high + 4..<high + 4 + size(high)])
    }
}
