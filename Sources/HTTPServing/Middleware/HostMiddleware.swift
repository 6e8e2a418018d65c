import Hummingbird

/// Refuses a request for a host that the server does not serve.
package struct HostMiddleware: RouterMiddleware {
    private let rule: HostRule

    /// Creates the middleware.
    ///
    /// - Parameter rule: The hosts for which the server responds.
    package init(_ rule: HostRule) { self.rule = rule }

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard rule.accepts(request.head.authority, local: context.local) else { throw Problem.misdirected }
        return try await next(request, context)
    }
}
