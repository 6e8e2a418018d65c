import Base
import HTTPServing
import HTTPTypes
import HabitStore

/// The refused sign-ins: a limit for each client, and lines in the audit log.
package struct SignInRefusals: Sendable {
    private let audit: AuditLog
    private let failures: FailureLimiter

    /// Creates the refusals.
    ///
    /// - Parameters:
    ///   - audit: The audit log.
    ///   - failures: The refused sign-ins of each client.
    package init(_ audit: AuditLog, failures: FailureLimiter) {
        self.audit = audit
        self.failures = failures
    }

    private static let notInvited = Problem(
        .forbidden,
        slug: ServerSlug.notInvited,
        detail: "no account is intended for this person: ask the operator to add an account with your e-mail address")

    /// Runs `signIn`, and audits a refusal.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - signIn: Signs a person in.
    /// - Returns: The result of `signIn`.
    /// - Throws: 429 `too-many-requests` after too many refused sign-ins of the client, 403 `not-invited`, and the
    ///   other errors of `signIn`. An issuer that does not respond counts as a refusal, because each attempt costs
    ///   requests of the server.
    func auditing<Result>(_ call: Call, _ signIn: () async throws -> Result) async throws -> Result {
        if let seconds = failures.wait(of: call.client) {
            throw Problem(
                .tooManyRequests,
                slug: ServerSlug.tooManyRequests,
                detail: "too many sign-ins from this address were refused: try again in \(seconds) s",
                headers: [.retryAfter: "\(seconds)"])
        }
        do {
            return try await signIn()
        } catch {
            let problem = error is NotInvited ? Self.notInvited : Problem(error)
            let isOfIssuer = problem.slug == ServerSlug.issuerUnavailable.slug
            guard isOfIssuer || problem.status.kind == .clientError else { throw error }
            _ = failures.record(call.client)
            audit.record("sign-in.refuse", for: call, details: ["reason": .text(problem.slug)])
            throw problem
        }
    }
}
