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
        case .wkb:
            return nil
        case .boolean:
            self.init(bytes, at: offsets, of: UInt8.self) { bits in bits }
        case .int16, .date:
            self.init(bytes, at: offsets, of: Int32.self) { bits in bits }
        case .int64, .timestamp:
            self.init(bytes, at: offsets, of: Int64.self) { bits in bits }
        case .float:
            self.init(bytes, at: offsets, of: UInt32.self) { bits in Float(bitPattern: bits) }
            let low = Float(bitPattern: Self.load(lowest))
            let high = Float(bitPattern: Self.load(highest))
            guard low <= high else { return nil }
            if low == 0 { lowest = Self.bytes((-Float.zero).bitPattern) }
            if high == 0 { highest = Self.bytes(Float.zero.bitPattern) }
        case .double:
            self.init(bytes, at: offsets, of: UInt64.self) { bits in Double(bitPattern: bits) }
            let low = Double(bitPattern: Self.load(lowest))
            let high = Double(bitPattern: Self.load(highest))
            guard low <= high else { return nil }
            if low == 0 { lowest = Self.bytes((-Double.zero).bitPattern) }
            if high == 0 { highest = Self.bytes(Double.zero.bitPattern) }
        case .text, .json:
            self.init(texts: bytes, at: offsets)
        }
    }

    private init?<Bits: FixedWidthInteger, Order: Comparable>(
        _ bytes: UnsafeRawBufferPointer,
        at offsets: [Int]?,
        of type: Bits.Type,
        _ order: (Bits) -> Order
    ) {
        guard !bytes.isEmpty else { return nil }
        func value(at offset: Int) -> Bits {
            bytes.loadUnaligned(fromByteOffset: offset, as: Bits.self)
        }
        var low = value(at: offsets?.first ?? 0)
        var high = low
        func add(_ offset: Int) {
            let value = value(at: offset)
            if order(value) < order(low) { low = value }
            if order(value) > order(high) { high = value }
        }
        if let offsets {
            for offset in offsets {
                add(offset)
            }
        } else {
            for offset in stride(from: 0, to: bytes.count, by: MemoryLayout<Bits>.size) {
                add(offset)
            }
        }
        lowest = Self.bytes(low)
        highest = Self.bytes(high)
    }

    private static func load<Bits: FixedWidthInteger>(_ bytes: [UInt8]) -> Bits {
        bytes.withUnsafeBytes { content in
            let bits = content.loadUnaligned(as: Bits.self)
            return Bits(littleEndian: bits)
        }
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { content in Array(content) }
    }

    private init?(texts bytes: UnsafeRawBufferPointer, at offsets: [Int]?) {
        guard let texts = PlainTexts(bytes) else { return nil }
        var low = offsets?.first ?? 0
        var high = low
        func add(_ offset: Int) {
            if texts.isLess(offset, than: low) {
                low = offset
            } else if texts.isLess(high, than: offset) {
                high = offset
            }
        }
        if let offsets {
            for offset in offsets {
                add(offset)
            }
        } else {
            var offset = 0
            while offset < bytes.count {
                add(offset)
                offset += PlainTexts.lengthSize + texts.size(at: offset)
            }
        }
        guard texts.size(at: low) <= Self.longest, texts.size(at: high) <= Self.longest else { return nil }
        lowest = texts.text(at: low)
        highest = texts.text(at: high)
    }
}

/// The texts of a column in the encoding PLAIN, each of which follows its length.
private struct PlainTexts {
    /// The size of a length in bytes.
    static let lengthSize = 4

    private let bytes: UnsafeRawBufferPointer
    private let start: UnsafeRawPointer

    /// Creates the texts, or returns `nil` if there are no bytes.
    @inline(__always)
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
        self.bytes = bytes
        self.start = start
    }

    /// Returns the length in bytes of the text whose length is at an offset.
    @inline(__always)
    func size(at offset: Int) -> Int {
        Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Returns whether a text is before another in the order of bytes.
    @inline(__always)
    func isLess(_ first: Int, than second: Int) -> Bool {
        let firstSize = size(at: first)
        let secondSize = size(at: second)
        let firstText = start + first + Self.lengthSize
        let secondText = start + second + Self.lengthSize
        let order = memcmp(firstText, secondText, min(firstSize, secondSize))
        guard order == 0 else { return order < 0 }
        return firstSize < secondSize
    }

    /// Returns the bytes of a text.
    func text(at offset: Int) -> [UInt8] {
        let begin = offset + Self.lengthSize
        return Array(bytes[begin..<begin + size(at: offset)])
    }
}
