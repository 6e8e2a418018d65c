/// The bytes of a message of Protocol Buffers.
///
/// Source: Protocol Buffers documentation, "Encoding".
struct ProtobufBytes {
    private(set) var bytes: [UInt8] = []

    /// Appends a field that contains an integer.
    mutating func append(_ field: UInt64, varint value: UInt64) {
        bytes.append(varint: field << 3)
        bytes.append(varint: value)
    }

    /// Appends a field that contains a text or a message.
    mutating func append(_ field: UInt64, _ content: some Collection<UInt8>) {
        bytes.append(varint: field << 3 | 2)
        bytes.append(varint: UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    /// Appends a field that contains a list of integers.
    mutating func append(_ field: UInt64, packed values: [UInt64]) {
        var content: [UInt8] = []
        for value in values { content.append(varint: value) }
        append(field, content)
    }
}
