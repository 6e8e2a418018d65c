/// The bytes of a message of Protocol Buffers.
///
/// Source: Protocol Buffers documentation, "Encoding".
struct ProtobufBytes {
    private(set) var bytes: [UInt8] = []

    /// Appends an integer in groups of seven bits, the lowest first.
    mutating func append(varint value: UInt64) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    /// Appends a field that contains an integer.
    mutating func append(_ field: UInt64, varint value: UInt64) {
        append(varint: field << 3)
        append(varint: value)
    }

    /// Appends a field that contains a text or a message.
    mutating func append(_ field: UInt64, _ content: some Collection<UInt8>) {
        append(varint: field << 3 | 2)
        append(varint: UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    /// Appends a field that contains a list of integers.
    mutating func append(_ field: UInt64, packed values: [UInt64]) {
        var content = ProtobufBytes()
        for value in values { content.append(varint: value) }
        append(field, content.bytes)
    }

    /// Returns a signed integer in the form in which small negative numbers are short.
    static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }
}
