extension Span<UInt8> {
    /// The bytes as text. Bytes that are not UTF-8 become U+FFFD.
    package var text: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

    /// Whether the bytes are the UTF-8 of `text`.
    package func isEqual(to text: String) -> Bool {
        withUnsafeBufferPointer { $0.elementsEqual(text.utf8) }
    }

    /// The first byte; `nil` if there is none.
    package var first: UInt8? { isEmpty ? nil : self[0] }

    /// The last byte; `nil` if there is none.
    package var last: UInt8? { isEmpty ? nil : self[count - 1] }

    package func allSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
        for index in indices where !predicate(self[index]) { return false }
        return true
    }
}
