import HTTPTypes
import Hummingbird

/// Adds the header fields of cross-origin resource sharing (Fetch, section 3.2) for pages of the origins that the
/// operator allows.
///
/// Hummingbird's `CORSMiddleware` takes several origins only as variadic arguments (`oneOf`), so a list that is known
/// only at run time cannot be passed.
package struct CORSMiddleware: RouterMiddleware {
    /// The allowed origins, such as `https://map.example.org`, or `*` for all.
    private let origins: [String]
    /// The patterns of the paths whose responses the pages of every origin may read.
    private let openPaths: Set<String>

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - origins: The allowed origins, such as `https://map.example.org`, or `*` for all.
    ///   - openPaths: The patterns of the paths whose responses the pages of every origin may read.
    package init(origins: [String], openPaths: Set<String> = []) {
        self.origins = origins
        self.openPaths = openPaths
    }

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if openPaths.contains(context.route) {
            // The header does not depend on the origin, so that a cache may store the response for all origins.
            allow("*", in: &response)
            return response
        }
        if !origins.isEmpty {
            let fields = [response.headers[.vary], "Origin"].compactMap(\.self)
            response.headers[.vary] = fields.joined(separator: ", ")
        }
        guard let origin = allowedOrigin(of: request) else { return response }
        allow(origin, in: &response)
        return response
    }

    private func allow(_ origin: String, in response: inout Response) {
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = "Link, ETag, Location, Retry-After"
    }

    private func allowedOrigin(of request: Request) -> String? {
        guard let origin = request.headers[.origin] else { return nil }
        if origins.contains("*") { return "*" }
        return origins.contains(origin) ? origin : nil
    }
}

/// Responds to preflight requests: a browser looks up the methods and header fields that a page may send (Fetch, section
/// 3.2.2).
///
/// ``CORSMiddleware`` adds whether the page's origin is allowed.
package struct PreflightMiddleware: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let asksForMethod = request.headers[.accessControlRequestMethod] != nil
        guard request.method == .options, asksForMethod else { return try await next(request, context) }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
                .accessControlAllowHeaders:
                    "Authorization, Content-Type, Habitat-User, If-Match, If-None-Match, Last-Event-ID, Time-Zone",
                .accessControlMaxAge: "86400",
            ])
    }
}
