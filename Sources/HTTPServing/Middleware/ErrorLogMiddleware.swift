import Base
import Hummingbird
import Logging

/// Logs the internal errors of requests with their causes.
///
/// Clients do not receive them.
package struct ErrorLogMiddleware: RouterMiddleware {
    private let log: ErrorLogger
    private let problem: @Sendable (any Error) -> Problem

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - log: The log of the server.
    ///   - problem: Returns the problem that a client receives for an error.
    package init(_ log: ErrorLogger, problem: @escaping @Sendable (any Error) -> Problem) {
        self.log = log
        self.problem = problem
    }

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let status = problem(error).status
            if status.kind == .serverError, status != .notImplemented { log.write(error, at: context.route) }
            throw error
        }
    }
}

/// Writes internal errors to the log of the server.
package struct ErrorLogger: Sendable {
    private let logger: Logger

    /// Creates a logger.
    ///
    /// - Parameter logger: The log of the server.
    package init(_ logger: Logger) { self.logger = logger }

    /// Logs an internal error with its causes.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - route: The pattern of the request's route.
    package func write(_ error: any Error, at route: String) {
        logger.error("request failed", metadata: ["route": "\(route)", "error": "\(ErrorLog.text(of: error))"])
    }
}
