extension [UInt8] {
    /// Calls `body` with the bytes of the array.
    ///
    /// - Parameter body: Receives the bytes, which it can change.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    mutating func withMutableBytes<Result>(_ body: (inout MutableRawSpan) throws -> Result) rethrows -> Result {
        var elements = mutableSpan
        var bytes = elements.mutableBytes
        return try body(&bytes)
    }
}

extension MutableRawSpan {
    /// Copies as many of `bytes` as fit to the beginning of the span.
    ///
    /// - Parameter bytes: The bytes to copy.
    /// - Returns: The number of copied bytes.
    mutating func copyBeginning(of bytes: ArraySlice<UInt8>) -> Int {
        withUnsafeMutableBytes { buffer in
            let count = min(buffer.count, bytes.count)
            buffer.copyBytes(from: bytes.prefix(count))
            return count
        }
    }
}
