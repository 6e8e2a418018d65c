import HTTPTypes
import Hummingbird

/// Refuses a body in a transfer encoding that the server does not implement (RFC 9112, section 6.1).
package struct TransferEncodingMiddleware: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard !request.head.hasUnknownTransferEncoding else { throw Self.unknownEncoding }
        return try await next(request, context)
    }

    private static let unknownEncoding = Problem(
        .notImplemented,
        slug: ServerSlug.transferEncodingUnsupported,
        detail: "the body has a transfer encoding other than chunked: send it with Content-Length",
        field: "Transfer-Encoding",
        headers: [.connection: "close"])
}

extension HTTPRequest {
    /// Whether the body has another transfer encoding than `chunked`.
    fileprivate var hasUnknownTransferEncoding: Bool {
        guard let encoding = headerFields[.transferEncoding] else { return false }
        return HeaderValue.trimmed(encoding[...]).lowercased() != "chunked"
    }
}
