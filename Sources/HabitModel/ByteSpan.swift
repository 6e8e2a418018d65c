extension Span<UInt8> {
    /// The bytes as text. Bytes that are not UTF-8 become U+FFFD.
    @inlinable package var text: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

    /// Whether the bytes are the UTF-8 of `text`.
    @inlinable package func isEqual(to text: String) -> Bool {
        withUnsafeBufferPointer { $0.elementsEqual(text.utf8) }
    }

    /// The first byte; `nil` if there is none.
    @inlinable package var first: UInt8? { isEmpty ? nil : self[unchecked: 0] }

    /// The last byte; `nil` if there is none.
    @inlinable package var last: UInt8? { isEmpty ? nil : self[unchecked: count - 1] }

    @inlinable package func allSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
        for index in indices where !predicate(self[unchecked: index]) { return false }
        return true
    }
}
