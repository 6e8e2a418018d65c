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
        append(field, length: content.count)
        bytes.append(contentsOf: content)
    }

    /// Appends a field that contains a list of integers.
    mutating func append(_ field: UInt64, packed values: [UInt64]) {
        append(field, length: values.reduce(0) { length, value in length + value.varintLength })
        for value in values { bytes.append(varint: value) }
    }

    /// Appends the fields of another part of the same message.
    mutating func append(contentsOf other: ProtobufBytes) {
        bytes.append(contentsOf: other.bytes)
    }

    /// Removes all fields, so that the memory is reused for another message.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends the beginning of a field whose content has a length in bytes.
    private mutating func append(_ field: UInt64, length: Int) {
        bytes.append(varint: field << 3 | 2)
        bytes.append(varint: UInt64(length))
    }
}
