extension Span<UInt8> {
    /// The bytes decoded as UTF-8.
    ///
    /// Invalid bytes become U+FFFD.
    @inlinable package var text: String {
        withUnsafeBufferPointer { bytes in
            String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Whether the bytes are the UTF-8 encoding of `text`.
    @inlinable package func isEqual(to text: String) -> Bool {
        withUnsafeBufferPointer { bytes in
            bytes.elementsEqual(text.utf8)
        }
    }

    /// The first byte, or `nil` if the span is empty.
    @inlinable package var first: UInt8? {
        guard !isEmpty else {
            return nil
        }
        return self[unchecked: 0]
    }

    /// The last byte, or `nil` if the span is empty.
    @inlinable package var last: UInt8? {
        guard !isEmpty else {
            return nil
        }
        return self[unchecked: count - 1]
    }

    /// Returns whether all bytes satisfy `predicate`.
    ///
    /// Returns `true` if the span is empty.
    @inlinable package func allSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
        for index in indices {
            let byte = self[unchecked: index]
            guard predicate(byte) else {
                return false
            }
        }
        return true
    }
}
