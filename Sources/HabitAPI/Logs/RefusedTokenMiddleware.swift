import Base
import HTTPServing
import HTTPTypes
import HabitStore
import Hummingbird

/// Writes a line of the audit log for a request whose bearer token was refused.
///
/// A client causes at most one line in three seconds after the first 20.
package struct RefusedTokenMiddleware: RouterMiddleware {
    private let audit: AuditLog
    private let clients: ClientAddresses
    private let failures: FailureLimiter

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - audit: The audit log.
    ///   - clients: Finds the addresses of clients.
    ///   - failures: The refused bearer tokens of each client.
    package init(_ audit: AuditLog, clients: ClientAddresses, failures: FailureLimiter) {
        self.audit = audit
        self.clients = clients
        self.failures = failures
    }

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let challenge = Problem(error).headers[.wwwAuthenticate]
            let client = clients.client(of: request, context)
            if challenge?.contains("invalid_token") == true, failures.record(client) {
                let token = try? TokenAuthenticator.token(of: request)
                let id: JSON = token.map { token in .text(Token.id(of: token)) } ?? .null
                audit.record(
                    "token.refuse",
                    for: request,
                    in: context,
                    details: ["token": id])
            }
            throw error
        }
    }
}
