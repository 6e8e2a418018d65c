import HTTPTypes
import Hummingbird
import Rendering

extension Response {
    /// Creates a response with a complete body in a content encoding.
    ///
    /// - Parameters:
    ///   - bytes: The body without an encoding.
    ///   - encoding: The encoding of the response.
    ///   - status: The status.
    ///   - headers: The header fields without the encoding.
    /// - Throws: An error of the compression.
    package init(
        _ bytes: [UInt8],
        encoded encoding: ContentEncoding,
        status: HTTPResponse.Status = .ok,
        headers: HTTPFields
    ) throws {
        var headers = headers
        var body = bytes
        if encoding == .gzip {
            let memory = MemorySink()
            let gzip = try DeflateSink(into: memory, .gzip)
            try gzip.write(bytes.span.bytes)
            try gzip.commit()
            body = memory.bytes
            headers[.contentEncoding] = "gzip"
        }
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

/// A sink that keeps all bytes in memory.
private final class MemorySink: OutputSink {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: RawSpan) { bytes.withUnsafeBytes { self.bytes += $0 } }
    func commit() {}
}
