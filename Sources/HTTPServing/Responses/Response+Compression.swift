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
            body = try bytes.gzipped()
            headers[.contentEncoding] = "gzip"
        }
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
