import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// Makes one-time links for signed-in persons and for persons who request one by mail.
package struct SignInLinks: Sendable {
    /// The path of the page that redeems links.
    package static let path = "/sign-in/link"

    private let store: StorePool
    private let callers: TokenAuthenticator
    private let audit: AuditLog
    private let mailer: LinkMailer?
    /// The links of each user for other devices: at most 10 in an hour.
    private let attempts: AttemptLimiter

    /// Creates the links of a server.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - callers: Finds the sessions of requests.
    ///   - audit: The audit log.
    ///   - mailer: Mails links; `nil` for a server that mails none.
    ///   - attempts: The limit on the links that a user makes.
    package init(
        store: StorePool,
        callers: TokenAuthenticator,
        audit: AuditLog,
        mailer: LinkMailer?,
        attempts: AttemptLimiter
    ) {
        self.store = store
        self.callers = callers
        self.audit = audit
        self.mailer = mailer
        self.attempts = attempts
    }

    /// Maximum number of links that a user makes in an hour.
    package static let hourlyLimit = 10

    /// Whether the server mails links.
    package var areMailed: Bool { mailer != nil }

    /// Returns the address of a link, whose secret is the fragment, which a browser does not send.
    static func address(of token: Token, base: String) -> String {
        "\(base)\(path)#\(token.secret)"
    }

    /// A link that a person has made.
    package struct MadeLink: Sendable {
        /// The name of the link in the audit log.
        package let id: String
        /// The address with the secret.
        package let address: String
        /// The instant at which the link expires.
        package let expires: Instant
    }

    /// Makes a link with which the caller signs in on another device.
    ///
    /// A bearer token makes no link, because its access must end with the token.
    ///
    /// - Parameter call: The request with the cookie of a session.
    /// - Returns: The link.
    /// - Throws: 403 `cross-site` if a page of another site has sent the request, 403 `not-signed-in` for a bearer token
    ///   or the session of one, 429 `too-many-requests` after too many links, and the errors of the store.
    package func makeOwn(for call: Call) async throws -> MadeLink {
        try call.requireOwnPage()
        let viewer = try call.viewer
        try await callers.requirePersonalSession(call.request)
        if let seconds = attempts.wait(afterAttemptOf: viewer.name) {
            throw Problem.tooManyLinks(seconds)
        }
        let created = try await store.write(for: call.requester) { session in
            try TokenActions(clock: call.clock, in: session).createLink(for: viewer, .device)
        }
        audit.recordLink(created, .device, of: viewer, for: call)
        return MadeLink(
            id: created.token.id,
            address: Self.address(of: created.token, base: call.base),
            expires: created.token.expires)
    }

    /// Mails a link to the account with an address.
    ///
    /// The response must not depend on whether an account has the address.
    ///
    /// - Parameters:
    ///   - address: The address that a person has entered.
    ///   - call: The request.
    /// - Throws: 403 `cross-site` if a page of another site has sent the request, 404 `not-found` if the server mails no
    ///   links, `field-invalid` if the text is not an email address, and 429 `too-many-requests` after too many requests
    ///   of the client.
    package func mail(to address: String, for call: Call) throws {
        try call.requireOwnPage()
        guard let mailer else { throw Self.notMailed }
        try mailer.order(address, for: call)
    }

    private static let notMailed = Problem(
        .notFound,
        slug: ErrorCode.notFound,
        detail: "this server sends no mail: ask the operator for a link")
}

extension Problem {
    /// The problem of a one-time link that is unknown, expired, used or revoked.
    static let linkInvalid = Problem(
        .unauthorized,
        slug: ErrorCode.notSignedIn,
        detail: "the link has expired, was used before or is incomplete: open the complete link, or ask for a new one",
        field: "code",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\""])

    /// The problem of too many requests for links.
    static func tooManyLinks(_ seconds: Int) -> Problem {
        Problem(
            .tooManyRequests,
            slug: ServerSlug.tooManyRequests,
            detail: "too many links were requested: try again in \(seconds) s",
            headers: [.retryAfter: "\(seconds)"])
    }
}

extension AuditLog {
    /// Writes the lines of a new link.
    func recordLink(
        _ created: TokenActions.Replacement,
        _ purpose: LinkPurpose,
        of viewer: Viewer,
        for call: Call
    ) {
        let end = OffsetInstant(created.token.expires, offset: .utc)
        let details: [String: JSON] = [
            "token": .text(created.token.id),
            "purpose": .text(purpose.rawValue),
            "expires_at": .text(end.description),
        ]
        record("link.create", for: call, user: viewer, details: details)
        for id in created.revoked {
            record("token.revoke", for: call, user: viewer, details: ["token": .text(id)])
        }
    }
}
