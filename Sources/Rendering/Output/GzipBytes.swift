import Base
import CZlib

extension [UInt8] {
    /// Returns the gzip form (RFC 1952) of the bytes.
    ///
    /// Equal bytes have equal forms, because the header has no time.
    ///
    /// - Throws: `internal` if zlib cannot allocate memory.
    package func gzipped() throws -> [UInt8] {
        let memory = MemorySink()
        let gzip = try DeflateSink(into: memory, .gzip)
        try gzip.write(span.bytes)
        try gzip.commit()
        return memory.bytes
    }

    /// Returns the content of the gzip form of at most 4 GiB, which the program has made itself.
    ///
    /// - Throws: `internal` if the bytes are not one complete gzip member, or if zlib cannot allocate memory.
    package func gunzipped() throws -> [UInt8] {
        var stream = z_stream()
        // zlib keeps a pointer to the stream.
        return try withUnsafeMutablePointer(to: &stream) { stream in
            try gunzipped(with: stream)
        }
    }

    private func gunzipped(with stream: UnsafeMutablePointer<z_stream>) throws -> [UInt8] {
        // 15 selects the largest window, and 16 restricts the input to the gzip format.
        let windowBits: Int32 = 15 + 16
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, windowBits, ZLIB_VERSION, size) == Z_OK else {
            throw HabitError(.internal, "zlib cannot be initialized")
        }
        defer { inflateEnd(stream) }
        // The last four bytes of a member are the length of its content, the lowest byte first.
        let length = suffix(4).reversed().reduce(0) { length, byte in length << 8 | Int(byte) }
        var input = self
        var output = [UInt8](repeating: 0, count: length)
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                return inflate(stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END, stream.pointee.total_out == UInt(length) else {
            throw HabitError(.internal, "the gzip data is damaged")
        }
        return output
    }
}

/// A sink that keeps all bytes in memory.
private final class MemorySink: OutputSink {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { bytes in
            self.bytes += bytes
        }
    }

    func commit() {}
}
