import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Returns the response to HEAD: the same header fields with a content length and without the body.
    ///
    /// The length is the length of the body of GET (RFC 9110, section 8.6). A streamed body is rendered to count its
    /// bytes.
    package func withoutBody() async throws -> Response {
        var headers = headers
        if headers[.contentLength] == nil {
            let length = Length()
            try await body.write(length)
            headers[.contentLength] = String(length.bytes)
        }
        return Response(status: status, headers: headers)
    }

    /// A writer that counts the bytes of a body.
    ///
    /// It is `@unchecked Sendable` because only one task uses it at a time.
    private final class Length: ResponseBodyWriter, @unchecked Sendable {
        private(set) var bytes = 0

        func write(_ buffer: ByteBuffer) { bytes += buffer.readableBytes }
        func finish(_ trailingHeaders: HTTPFields?) {}
    }
}
