import Hummingbird

/// Refuses a request whose URL is too long.
package struct AddressLengthMiddleware: RouterMiddleware {
    /// Maximum length of a request's URL, in bytes.
    private static let limit = 8192

    package init() {}

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard request.uri.string.utf8.count <= Self.limit else {
            throw Problem(
                .uriTooLong,
                slug: ServerSlug.uriTooLong,
                detail: "the URL is longer than \(Self.limit) bytes: send a shorter one")
        }
        return try await next(request, context)
    }
}
