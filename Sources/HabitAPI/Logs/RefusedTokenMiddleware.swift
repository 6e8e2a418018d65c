import Base
import HTTPServing
import HTTPTypes
import HabitStore
import Hummingbird

/// Writes a line of the audit log for a request whose bearer token or session was refused.
///
/// A client causes at most one line in three seconds after the first 20.
package struct RefusedTokenMiddleware: RouterMiddleware {
    private let audit: AuditLog
    private let callers: TokenAuthenticator
    private let clients: ClientAddresses
    private let failures: FailureLimiter

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - audit: The audit log.
    ///   - callers: Finds the credentials of requests.
    ///   - clients: Finds the addresses of clients.
    ///   - failures: The refused bearer tokens and sessions of each client.
    package init(
        _ audit: AuditLog,
        callers: TokenAuthenticator,
        clients: ClientAddresses,
        failures: FailureLimiter
    ) {
        self.audit = audit
        self.callers = callers
        self.clients = clients
        self.failures = failures
    }

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            let response = try await next(request, context)
            if context.refusedSession.isNoted { record(request, context) }
            return response
        } catch {
            let challenge = Problem(error).headers[.wwwAuthenticate]
            let isRefused = challenge?.contains("invalid_token") == true
            if isRefused || context.refusedSession.isNoted { record(request, context) }
            throw error
        }
    }

    private func record(_ request: Request, _ context: ServerContext) {
        guard failures.record(clients.client(of: request, context)) else { return }
        let secret = (try? callers.credential(of: request))?.secret
        let id: JSON = secret.map { secret in .text(Token.id(of: secret)) } ?? .null
        audit.record(
            "token.refuse",
            for: request,
            in: context,
            details: ["token": id])
    }
}
