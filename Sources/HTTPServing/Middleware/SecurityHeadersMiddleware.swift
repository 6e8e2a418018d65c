import HTTPTypes
import Hummingbird

/// Adds header fields that forbid a browser to guess types and to send the address of a page to other servers.
package struct SecurityHeadersMiddleware: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.xContentTypeOptions] = "nosniff"
        if response.headers[.referrerPolicy] == nil { response.headers[.referrerPolicy] = "no-referrer" }
        return response
    }
}
