import Hummingbird

/// Converts errors of requests to responses.
package struct ProblemMiddleware: RouterMiddleware {
    private let response: @Sendable (any Error, Request, ServerContext) -> Response

    /// Creates the middleware.
    ///
    /// - Parameter response: Returns the response to a request that failed with an error.
    package init(_ response: @escaping @Sendable (any Error, Request, ServerContext) -> Response) {
        self.response = response
    }

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            return response(error, request, context)
        }
    }
}
