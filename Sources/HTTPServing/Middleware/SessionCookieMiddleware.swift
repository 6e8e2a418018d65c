import HTTPTypes
import Hummingbird

/// Removes a cookie that names no session from the browser.
package struct SessionCookieMiddleware: RouterMiddleware {
    private let cookie: SessionCookie

    /// Creates the middleware.
    ///
    /// - Parameter cookie: The cookie of sessions.
    package init(_ cookie: SessionCookie) { self.cookie = cookie }

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // A sign-in replaces the cookie.
        if context.refusedSession.isNoted, response.headers[.setCookie] == nil {
            response.headers[.setCookie] = cookie.clearing
        }
        return response
    }
}
