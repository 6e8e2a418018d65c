/// The bytes of a struct in Thrift's compact protocol, in which Parquet writes its metadata.
///
/// Fields are appended in increasing order of their numbers. Source: Apache Thrift, "Thrift compact
/// protocol encoding".
struct ThriftBytes {
    private enum Kind: UInt8 {
        case yes = 1
        case no, byte
        case int32 = 5
        case int64
        case double
        case binary
        case list
        case structure = 12
    }

    private var bytes: [UInt8] = []
    private var last = 0

    /// The bytes of the struct with its end.
    var complete: [UInt8] { bytes + [0] }

    /// Creates a struct without fields.
    init() {}

    /// Creates a struct with one field that contains a struct, which is how a union is written.
    init(_ field: Int, _ content: ThriftBytes = ThriftBytes()) { append(field, content) }

    private mutating func begin(_ field: Int, _ kind: Kind) {
        let step = field - last
        if step < 16 {
            bytes.append(UInt8(step) << 4 | kind.rawValue)
        } else {
            bytes.append(kind.rawValue)
            bytes.append(varint: Int64(field).zigzag)
        }
        last = field
    }

    mutating func append(_ field: Int, _ value: Bool) { begin(field, value ? .yes : .no) }

    mutating func append(_ field: Int, byte value: Int8) {
        begin(field, .byte)
        bytes.append(UInt8(bitPattern: value))
    }

    mutating func append(_ field: Int, int32 value: Int) {
        begin(field, .int32)
        bytes.append(varint: Int64(value).zigzag)
    }

    mutating func append(_ field: Int, int64 value: Int) {
        begin(field, .int64)
        bytes.append(varint: Int64(value).zigzag)
    }

    mutating func append(_ field: Int, double value: Double) {
        begin(field, .double)
        withUnsafeBytes(of: value.bitPattern.littleEndian) { content in bytes += content }
    }

    mutating func append(_ field: Int, _ value: [UInt8]) {
        begin(field, .binary)
        append(binary: value)
    }

    mutating func append(_ field: Int, _ value: String) { append(field, Array(value.utf8)) }

    mutating func append(_ field: Int, _ content: ThriftBytes) {
        begin(field, .structure)
        bytes += content.complete
    }

    mutating func append(_ field: Int, _ contents: [ThriftBytes]) {
        beginList(field, count: contents.count, of: .structure)
        for content in contents {
            bytes += content.complete
        }
    }

    mutating func append(_ field: Int, _ texts: [String]) {
        beginList(field, count: texts.count, of: .binary)
        for text in texts {
            append(binary: Array(text.utf8))
        }
    }

    mutating func append(_ field: Int, int32s values: [Int]) {
        beginList(field, count: values.count, of: .int32)
        for value in values {
            bytes.append(varint: Int64(value).zigzag)
        }
    }

    private mutating func beginList(_ field: Int, count: Int, of kind: Kind) {
        begin(field, .list)
        if count < 15 {
            bytes.append(UInt8(count) << 4 | kind.rawValue)
        } else {
            bytes.append(0xF0 | kind.rawValue)
            bytes.append(varint: UInt64(count))
        }
    }

    private mutating func append(binary value: [UInt8]) {
        bytes.append(varint: UInt64(value.count))
        bytes += value
    }
}
