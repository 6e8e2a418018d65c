import Hummingbird

/// Delays the requests of a client that sends too many, and refuses them if too many wait.
package struct RateLimitMiddleware: RouterMiddleware {
    private let limiter: RateLimiter
    private let clients: ClientAddresses

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - limiter: The rates of the clients.
    ///   - clients: Finds the address of a client.
    package init(_ limiter: RateLimiter, clients: ClientAddresses) {
        self.limiter = limiter
        self.clients = clients
    }

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        try await limiter.waitForSlot(clients.client(of: request, context))
        return try await next(request, context)
    }
}
