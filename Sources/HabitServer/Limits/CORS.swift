import HTTPTypes
import Hummingbird

/// Cross-origin resource sharing (Fetch, section 3.2) for pages of the origins that the operator allows.
///
/// Hummingbird's `CORSMiddleware` takes several origins only as variadic arguments (`oneOf`), so a list that is known only
/// at run time cannot be passed.
struct CORS {
    /// The allowed origins, such as `https://map.example.org`, or `*` for all.
    let origins: [String]

    private func allowedOrigin(_ request: Request) -> String? {
        guard let origin = request.headers[.origin] else { return nil }
        if origins.contains("*") { return "*" }
        return origins.contains(origin) ? origin : nil
    }

    /// Returns the response to a preflight request, or `nil` for any other request.
    func preflight(_ request: Request) -> Response? {
        guard request.method == .options, request.headers[.accessControlRequestMethod] != nil else { return nil }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
                .accessControlAllowHeaders:
                    "Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, Time-Zone",
                .accessControlMaxAge: "86400",
            ])
    }

    /// Adds the header fields that allow a browser to pass the response to the page.
    func addHeaders(to response: inout Response, _ request: Request) {
        if !origins.isEmpty {
            response.headers[.vary] = [response.headers[.vary], "Origin"].compactMap(\.self).joined(separator: ", ")
        }
        guard let origin = allowedOrigin(request) else { return }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = "Link, ETag, Location, Retry-After"
    }
}
