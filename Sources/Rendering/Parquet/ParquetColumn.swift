/// The type of a Parquet column.
///
/// Source: Apache Parquet, "Parquet Logical Type Definitions" and `parquet.thrift`.
enum ParquetType {
    case boolean, int16, int64, float, double
    /// Days since 1970-01-01.
    case date
    /// Microseconds since 1970-01-01 UTC.
    case timestamp
    /// A text in UTF-8.
    case text
    /// A JSON document in UTF-8.
    case json
    /// A geometry in well-known binary form (OGC 06-103r4, section 8).
    case wkb

    /// The number of the physical type.
    var physical: Int {
        switch self {
        case .boolean: 0
        case .int16, .date: 1
        case .int64, .timestamp: 2
        case .float: 4
        case .double: 5
        case .text, .json, .wkb: 6
        }
    }

    /// The number of bytes of each value in ``ParquetColumn/values``, or `nil` if each value follows its length.
    var size: Int? {
        switch self {
        case .boolean: 1
        case .int16, .date, .float: 4
        case .int64, .timestamp, .double: 8
        case .text, .json, .wkb: nil
        }
    }

    /// The number of the converted type, which earlier readers use instead of the logical type.
    var converted: Int? {
        switch self {
        case .text: 0
        case .date: 6
        case .timestamp: 10
        case .int16: 16
        case .int64: 18
        case .json: 19
        case .boolean, .float, .double, .wkb: nil
        }
    }

    /// The coordinate reference system of geometries: longitude and latitude on WGS 84.
    private static let crs = "OGC:CRS84"

    /// The level of zstd for the values.
    ///
    /// The bytes of coordinates rarely repeat: level -1 takes half of the time of level 1, and makes them 6 % longer.
    var compressionLevel: Int { self == .wkb ? -1 : 1 }

    var logical: ThriftBytes? {
        switch self {
        case .text: return ThriftBytes(1)
        case .date: return ThriftBytes(6)
        case .timestamp:
            var timestamp = ThriftBytes()
            timestamp.append(1, true)
            timestamp.append(2, ThriftBytes(2))
            return ThriftBytes(8, timestamp)
        case .int16, .int64:
            var integer = ThriftBytes()
            integer.append(1, byte: self == .int16 ? 16 : 64)
            integer.append(2, true)
            return ThriftBytes(10, integer)
        case .json: return ThriftBytes(12)
        case .wkb:
            var geometry = ThriftBytes()
            geometry.append(1, Self.crs)
            return ThriftBytes(17, geometry)
        case .boolean, .float, .double: return nil
        }
    }
}

/// The values of one Parquet column in the current row group.
///
/// A column is optional: each row has a value or a null.
final class ParquetColumn {
    /// The names from the root of the schema to the column.
    let path: [String]
    var type: ParquetType
    /// The values without nulls in the encoding PLAIN, except that a Boolean is a byte.
    let values = OutputBuffer()
    /// The indexes of the rows with a null, of four bytes each.
    private let nulls = OutputBuffer()
    /// Whether the values are worth a dictionary.
    ///
    /// A column whose values are distinct in one row group gets no dictionary in the following row groups.
    var usesDictionary: Bool
    /// Whether the values are worth the time of the compression.
    ///
    /// A column that zstd shortens by less than 30 % in one row group is not compressed in the following row groups.
    var usesCompression = true

    init(_ path: [String], _ type: ParquetType) {
        self.path = path
        self.type = type
        usesDictionary = type != .boolean
    }

    var nullCount: Int { nulls.count / 4 }

    /// Removes all rows.
    func removeAll() {
        values.truncate(to: 0)
        nulls.truncate(to: 0)
    }

    /// Appends a null.
    ///
    /// - Parameter row: The index of the row in the row group.
    @inline(__always)
    func appendNull(at row: Int) { nulls.append(littleEndian: UInt32(truncatingIfNeeded: row)) }

    /// Appends rows of another column of the same type.
    ///
    /// Cost: proportional to the number of rows of `other`.
    ///
    /// - Parameters:
    ///   - rows: The indexes of the rows in `other`.
    ///   - other: The other column.
    ///   - row: The index in the row group of the first appended row.
    func append(_ rows: Range<Int>, of other: ParquetColumn, at row: Int) {
        let nulls = other.nullRows
        for null in nulls where rows.contains(null) {
            appendNull(at: null - rows.lowerBound + row)
        }
        appendValues(other.valueRange(of: rows), of: other)
    }

    /// Appends values of another column of the same type.
    ///
    /// - Parameters:
    ///   - range: The indexes of the values, without nulls.
    ///   - other: The other column.
    func appendValues(_ range: Range<Int>, of other: ParquetColumn) {
        let begin = other.offset(ofValue: range.lowerBound)
        let end = other.offset(ofValue: range.upperBound)
        let bytes = other.values.bytes[begin..<end]
        values.append(UnsafeBufferPointer(rebasing: bytes))
    }

    /// Returns the indexes of the values of some rows.
    func valueRange(of rows: Range<Int>) -> Range<Int> {
        let nulls = nullRows
        let before = nulls.prefix { row in row < rows.lowerBound }.count
        let among = nulls.dropFirst(before).prefix { row in row < rows.upperBound }.count
        let begin = rows.lowerBound - before
        let end = rows.upperBound - before - among
        return begin..<end
    }

    /// The indexes of the rows with a null, in ascending order.
    private var nullRows: [Int] {
        let bytes = UnsafeRawBufferPointer(nulls.bytes)
        return stride(from: 0, to: bytes.count, by: 4).map {
            Int(bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
        }
    }

    /// Returns the offset of a value in ``values``, or the end of the values for the index after the last value.
    private func offset(ofValue index: Int) -> Int {
        if let size = type.size { return index * size }
        let bytes = UnsafeRawBufferPointer(values.bytes)
        var offset = 0
        for _ in 0..<index { offset += 4 + Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
        return offset
    }

    /// Replaces the nulls by those of another column.
    func copyNulls(of other: ParquetColumn) {
        nulls.truncate(to: 0)
        nulls.append(other.nulls)
    }

    /// Returns one byte for each of `rows` rows: 1 if the row has a value, or 0 if it is null.
    func levels(_ rows: Int) -> [UInt8] {
        var levels = [UInt8](repeating: 1, count: rows)
        for row in nullRows { levels[row] = 0 }
        return levels
    }

    /// Appends the bits of a number.
    @inline(__always)
    func append<Bits: FixedWidthInteger>(_ bits: Bits) { values.append(littleEndian: bits) }

    @inline(__always)
    func append(_ value: Bool) { append(UInt8(value ? 1 : 0)) }

    @inline(__always)
    func append(_ number: Double) { append(number.bitPattern) }

    /// Appends a text, in which ill-formed UTF-8 becomes U+FFFD.
    @inline(__always)
    func append(text: Span<UInt8>) {
        values.append(littleEndian: UInt32(truncatingIfNeeded: text.count))
        if values.append(text, unless: { $0.nonASCII }) { return }
        values.truncate(to: values.count - 4)
        append { $0.append(wellFormed: text) }
    }

    /// Appends a value that `body` writes.
    @inline(__always)
    func append(_ body: (OutputBuffer) -> Void) {
        let begin = values.count
        values.append(littleEndian: UInt32(0))
        body(values)
        values.overwrite(UInt32(truncatingIfNeeded: values.count - begin - 4), at: begin)
    }
}
