import CPostgres
import Geo
import StoreEngine

/// A value in the format of the PostgreSQL protocol.
struct PostGISParameter {
    /// The type of the value, or 0 if the server determines it.
    var type: Oid
    /// The bytes of the value.
    ///
    /// `nil` is null.
    var bytes: [UInt8]?
    var isBinary = true

    init(_ value: Value) {
        switch value {
        case .null: (type, bytes) = (0, nil)
        case .integer(let number): (type, bytes) = (PostGISType.int8, Self.bigEndian(UInt64(bitPattern: number)))
        case .number(let number): (type, bytes) = (PostGISType.float8, Self.bigEndian(number.bitPattern))
        case .text(let text): (type, bytes) = (PostGISType.text, Array(text.utf8))
        case .blob(let blob): (type, bytes) = (PostGISType.bytea, blob)
        case .point(let position): (type, bytes) = (0, PointEWKB.bytes(position))
        }
    }

    init(isTrue: Bool) {
        type = PostGISType.bool
        bytes = [isTrue ? 1 : 0]
    }

    /// Creates an array of values of one type, which may be null.
    init(array values: [Value], of kind: TableFunction.Column.Kind) {
        let element: Oid
        switch kind {
        case .text: (type, element) = (PostGISType.textArray, PostGISType.text)
        case .integer: (type, element) = (PostGISType.int8Array, PostGISType.int8)
        case .number: (type, element) = (PostGISType.float8Array, PostGISType.float8)
        }
        // The number of dimensions, a flag for nulls, the type, the length and the first index.
        var array = [1, 1, element, UInt32(values.count), 1].flatMap(Self.bytes)
        for value in values {
            guard let bytes = PostGISParameter(Self.converted(value, to: kind)).bytes else {
                array += Self.bytes(.max)
                continue
            }
            array += Self.bytes(UInt32(bytes.count)) + bytes
        }
        bytes = array
    }

    /// Returns the value with the type of an array's elements, or null if it has another type.
    private static func converted(_ value: Value, to kind: TableFunction.Column.Kind) -> Value {
        switch (kind, value) {
        case (.text, .text), (.integer, .integer), (.number, .number): value
        case (.number, .integer(let number)): .number(Double(number))
        case (.text, .integer(let number)): .text(String(number))
        case (.text, .number(let number)): .text(String(number))
        default: .null
        }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    private static func bigEndian(_ bits: UInt64) -> [UInt8] {
        withUnsafeBytes(of: bits.bigEndian) { Array($0) }
    }
}

/// Object identifiers of types that are the same on every server (`pg_type.dat`).
enum PostGISType {
    static let (bool, bytea, int8, int2, int4, text): (Oid, Oid, Oid, Oid, Oid, Oid) = (16, 17, 20, 21, 23, 25)
    static let (float4, float8, numeric): (Oid, Oid, Oid) = (700, 701, 1700)
    /// The smallest number of a type that is not part of PostgreSQL itself (`FirstNormalObjectId`).
    static let firstOfExtensions: Oid = 16_384
    static let (textArray, int8Array, float8Array): (Oid, Oid, Oid) = (1009, 1016, 1022)
}

/// Calls `body` with the values in the format of libpq.
///
/// The pointers are valid only until `body` returns.
func withParameters<Result>(
    _ parameters: [PostGISParameter],
    _ body: (
        _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
        _ formats: UnsafePointer<Int32>?
    ) -> Result
) -> Result {
    // All values are in one buffer. It is never empty, because an empty text without an address would be null.
    let bytes = parameters.reduce(into: [UInt8](repeating: 0, count: 1)) { $0 += $1.bytes ?? [] }
    let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
    let formats = parameters.map { $0.isBinary ? Int32(1) : 0 }
    return bytes.withUnsafeBytes { bytes in
        var start = 1
        let values = parameters.map { parameter -> UnsafePointer<CChar>? in
            guard let count = parameter.bytes?.count else { return nil }
            defer { start += count }
            return bytes.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
        }
        return body(values, lengths, formats)
    }
}

/// The PostGIS format of a point on WGS 84: OGC well-known binary with the SRID, little-endian.
enum PointEWKB {
    /// Byte order, class "point with SRID", SRID 4326.
    private static let head: [UInt8] = [1, 1, 0, 0, 0x20, 0xE6, 0x10, 0, 0]

    static func bytes(_ position: Position) -> [UInt8] {
        var bytes = head
        for value in [position.longitude, position.latitude] {
            withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Parses the hexadecimal format of the server.
    ///
    /// Returns `nil` if the value is not a point on WGS 84.
    static func position(hex: Span<UInt8>) -> Position? {
        guard hex.count == 50 else { return nil }
        for (index, byte) in head.enumerated() {
            guard Hexadecimal.byte(hex[2 * index], hex[2 * index + 1]) == byte else { return nil }
        }
        guard let x = double(hex, at: 18), let y = double(hex, at: 34) else { return nil }
        return Position(longitude: x, latitude: y)
    }

    private static func double(_ hex: Span<UInt8>, at start: Int) -> Double? {
        var bits: UInt64 = 0
        for index in 0..<8 {
            guard let byte = Hexadecimal.byte(hex[start + 2 * index], hex[start + 2 * index + 1]) else { return nil }
            bits |= UInt64(byte) << UInt64(8 * index)
        }
        return Double(bitPattern: bits)
    }
}

enum Hexadecimal {
    /// Returns the byte for two hexadecimal digits, or `nil` if one of them is not a digit.
    static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = digit(high), let low = digit(low) else { return nil }
        return high << 4 | low
    }

    /// Returns the hexadecimal digit for a number below 16.
    static func digit(of number: UInt8) -> UInt8 {
        number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
