extension Span<UInt8> {
    /// The bytes decoded as UTF-8.
    ///
    /// Invalid bytes become U+FFFD.
    @inlinable package var text: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

    /// Whether the bytes are the UTF-8 encoding of `text`.
    @inlinable package func isEqual(to text: String) -> Bool {
        withUnsafeBufferPointer { $0.elementsEqual(text.utf8) }
    }

    /// The first byte, or `nil` if the span is empty.
    @inlinable package var first: UInt8? { isEmpty ? nil : self[unchecked: 0] }

    /// The last byte, or `nil` if the span is empty.
    @inlinable package var last: UInt8? { isEmpty ? nil : self[unchecked: count - 1] }

    /// Returns whether all bytes satisfy `predicate`.
    ///
    /// Returns `true` if the span is empty.
    @inlinable package func allSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
        for index in indices where !predicate(self[unchecked: index]) { return false }
        return true
    }
}
