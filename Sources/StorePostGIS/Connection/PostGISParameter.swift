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
        case .null:
            type = 0
            bytes = nil
        case .integer(let number):
            type = PostGISType.int8
            bytes = Self.bigEndian(UInt64(bitPattern: number))
        case .number(let number):
            type = PostGISType.float8
            bytes = Self.bigEndian(number.bitPattern)
        case .text(let text):
            type = PostGISType.text
            bytes = Array(text.utf8)
        case .blob(let blob):
            type = PostGISType.bytea
            bytes = blob
        case .point(let position):
            type = 0
            bytes = PointEWKB.bytes(position)
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
        case .text:
            type = PostGISType.textArray
            element = PostGISType.text
        case .integer:
            type = PostGISType.int8Array
            element = PostGISType.int8
        case .number:
            type = PostGISType.float8Array
            element = PostGISType.float8
        }
        let dimensions: UInt32 = 1
        let hasNulls: UInt32 = 1
        let count = UInt32(values.count)
        let firstIndex: UInt32 = 1
        var array = [dimensions, hasNulls, element, count, firstIndex].flatMap(Self.bigEndian)
        for value in values {
            let parameter = PostGISParameter(Self.converted(value, to: kind))
            guard let bytes = parameter.bytes else {
                array += Self.bigEndian(Self.lengthOfNull)
                continue
            }
            array += Self.bigEndian(UInt32(bytes.count))
            array += bytes
        }
        bytes = array
    }

    /// The length of a null in an array, -1 as a 32-bit number.
    private static let lengthOfNull = UInt32.max

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

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { bytes in Array(bytes) }
    }
}

/// Object identifiers of types that are the same on every server (`pg_type.dat`).
enum PostGISType {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let float4: Oid = 700
    static let float8: Oid = 701
    static let textArray: Oid = 1009
    static let int8Array: Oid = 1016
    static let float8Array: Oid = 1022
    static let numeric: Oid = 1700
    /// The smallest number of a type that is not part of PostgreSQL itself (`FirstNormalObjectId`).
    static let firstOfExtensions: Oid = 16_384
}

/// Calls `body` with the values in the format of libpq.
///
/// The pointers are valid only until `body` returns.
func withParameters<Result>(
    _ parameters: [PostGISParameter],
    _ body: (
        _ values: UnsafePointer<UnsafePointer<CChar>?>?,
        _ lengths: UnsafePointer<Int32>?,
        _ formats: UnsafePointer<Int32>?
    ) -> Result
) -> Result {
    // All values are in one buffer. It is never empty, because an empty text without an address would be null.
    var buffer: [UInt8] = [0]
    var lengths: [Int32] = []
    var formats: [Int32] = []
    for parameter in parameters {
        let bytes = parameter.bytes ?? []
        buffer += bytes
        lengths.append(Int32(bytes.count))
        formats.append(parameter.isBinary ? 1 : 0)
    }
    return buffer.withUnsafeBytes { buffer in
        var start = 1
        let values = parameters.map { parameter -> UnsafePointer<CChar>? in
            guard let count = parameter.bytes?.count, let base = buffer.baseAddress else { return nil }
            let address = base + start
            start += count
            return address.assumingMemoryBound(to: CChar.self)
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
            let bits = value.bitPattern.littleEndian
            withUnsafeBytes(of: bits) { valueBytes in
                bytes.append(contentsOf: valueBytes)
            }
        }
        return bytes
    }

    /// Parses the hexadecimal format of the server.
    ///
    /// Returns `nil` if the value is not a point on WGS 84.
    static func position(hex: Span<UInt8>) -> Position? {
        guard hex.count == 50 else { return nil }
        for (index, byte) in head.enumerated() {
            guard Hexadecimal.byte(of: hex, at: 2 * index) == byte else { return nil }
        }
        guard let longitude = double(hex, at: 18) else { return nil }
        guard let latitude = double(hex, at: 34) else { return nil }
        return Position(longitude: longitude, latitude: latitude)
    }

    private static func double(_ hex: Span<UInt8>, at start: Int) -> Double? {
        var bits: UInt64 = 0
        for index in 0..<8 {
            guard let byte = Hexadecimal.byte(of: hex, at: start + 2 * index) else { return nil }
            bits |= UInt64(byte) << UInt64(8 * index)
        }
        return Double(bitPattern: bits)
    }
}

enum Hexadecimal {
    /// Returns the byte of the two hexadecimal digits from an index, or `nil` if one of them is not a digit.
    static func byte(of text: Span<UInt8>, at index: Int) -> UInt8? {
        guard let high = value(ofDigit: text[index]) else { return nil }
        guard let low = value(ofDigit: text[index + 1]) else { return nil }
        return high << 4 | low
    }

    /// Returns the hexadecimal digit for a number below 16.
    static func digit(of number: UInt8) -> UInt8 {
        number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
    }

    private static func value(ofDigit byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
