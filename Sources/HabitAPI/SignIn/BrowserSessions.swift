import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// Opens and ends the sessions of browsers.
package struct BrowserSessions: Sendable {
    private let store: StorePool
    private let callers: TokenAuthenticator
    private let cookie: SessionCookie
    private let audit: AuditLog
    private let refusals: SignInRefusals

    /// Creates the sessions of a server.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - callers: Finds the owners of credentials.
    ///   - cookie: The cookie of sessions.
    ///   - audit: The audit log.
    ///   - refusals: The limit on refused sign-ins.
    package init(
        store: StorePool,
        callers: TokenAuthenticator,
        cookie: SessionCookie,
        audit: AuditLog,
        refusals: SignInRefusals
    ) {
        self.store = store
        self.callers = callers
        self.cookie = cookie
        self.audit = audit
        self.refusals = refusals
    }

    /// A session that a sign-in has opened.
    package struct Opened: Sendable {
        /// The owner of the session.
        package let viewer: Viewer
        /// The instant at which the session ends without a further request.
        package let expires: Instant
        /// The header fields of the response, which set the cookie.
        package let headers: HTTPFields
    }

    /// Opens a session with an access token.
    ///
    /// The session replaces the session of the request's cookie, and ends with the token.
    ///
    /// - Parameters:
    ///   - token: The access token.
    ///   - call: The request.
    /// - Returns: The session.
    /// - Throws: 403 `cross-site` if a page of another site has sent the request, 401 `not-signed-in` if the token is
    ///   unknown, expired or revoked, 429 `too-many-requests` after too many refused sign-ins, and the errors of the
    ///   store.
    package func open(with token: String, for call: Call) async throws -> Opened {
        try call.requireOwnPage()
        let new = try await refusals.auditing(call) { try await create(with: token, for: call) }
        record(new, for: call)
        let session = new.created.token
        // The store decides when the session ends.
        let isOperator = new.viewer == .operator
        let lifetime = isOperator ? TokenActions.operatorSessionLifetime : TokenActions.longest
        let field = cookie.setting(session.secret, for: lifetime)
        return Opened(
            viewer: new.viewer,
            expires: session.expires,
            headers: HTTPFields.notStored.merging([.setCookie: field]))
    }

    /// A session in the store.
    private struct NewSession: Sendable {
        var viewer: Viewer
        /// The session, and the user's oldest sessions in excess of the limit, which it has ended.
        var created: TokenActions.Replacement
        /// The session of the request's cookie, which it has ended, with its owner.
        var former: FormerSession?
    }

    private struct FormerSession: Sendable {
        var secret: String
        var viewer: Viewer
    }

    private func create(with token: String, for call: Call) async throws -> NewSession {
        let source = callers.sessionSource(token)
        let former = try await formerSession(of: call)
        guard let owner = try await callers.bearerOwner(of: token) else {
            throw Self.tokenInvalid
        }
        let created = try await store.write(for: .server) { session in
            let actions = TokenActions(clock: call.clock, in: session)
            if let former {
                try actions.revoke(secret: former.secret)
            }
            return try actions.createSession(for: owner.viewer, from: source)
        }
        guard let created else {
            throw Self.tokenInvalid
        }
        return NewSession(viewer: owner.viewer, created: created, former: former)
    }

    /// Returns the session of the request's cookie, or `nil` if the cookie names none.
    private func formerSession(of call: Call) async throws -> FormerSession? {
        guard let credential = try callers.credential(of: call.request) else { return nil }
        guard case .session(let secret) = credential else { return nil }
        guard let owner = try await callers.owner(of: credential) else { return nil }
        return FormerSession(secret: secret, viewer: owner.viewer)
    }

    /// Writes the lines of a sign-in to the audit log.
    private func record(_ new: NewSession, for call: Call) {
        let session = new.created.token
        let end = OffsetInstant(session.expires, offset: .utc)
        let details: [String: JSON] = [
            "token": .text(session.id),
            "kind": .text(Token.Kind.session.rawValue),
            "expires_at": .text(end.description),
        ]
        audit.record("token.create", for: call, user: new.viewer, details: details)
        if let former = new.former {
            let id = Token.id(of: former.secret)
            audit.record("token.revoke", for: call, user: former.viewer, details: ["token": .text(id)])
        }
        for id in new.created.revoked {
            audit.record("token.revoke", for: call, user: new.viewer, details: ["token": .text(id)])
        }
    }

    /// Revokes the token or the session of a request.
    ///
    /// - Parameter call: The request.
    /// - Returns: The header fields of the response, which clear the cookie of a session and what the browser has stored.
    /// - Throws: `not-signed-in` if the request has no credential, 403 `operator-only` for the token of the operator token
    ///   file, and the errors of the store.
    package func end(for call: Call) async throws -> HTTPFields {
        guard let credential = try callers.credential(of: call.request),
            let secret = credential.secret,
            let owner = try await callers.owner(of: credential)
        else { throw Problem.notSignedIn }
        guard !owner.expires.isEndless else { throw Self.fileTokenStays }
        try await store.write(for: Requester(owner.viewer)) { session in
            try TokenActions(clock: call.clock, in: session).revoke(secret: secret)
        }
        audit.record("token.revoke", for: call, user: owner.viewer, details: ["token": .text(Token.id(of: secret))])
        guard case .session = credential else { return [:] }
        var headers: HTTPFields = [.setCookie: cookie.clearing]
        // Below a path, the server shares the storage of the browser with other programs.
        if cookie.ownsOrigin { headers[.clearSiteData] = #""cache", "storage""# }
        return headers
    }

    private static let tokenInvalid = Problem(
        .unauthorized,
        slug: ErrorCode.notSignedIn.slug,
        detail: "the access token is unknown, expired or revoked: send another token",
        field: "token",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\""])

    private static let fileTokenStays = Problem(
        .forbidden,
        slug: ErrorCode.operatorOnly.slug,
        detail: "the token of the operator token file cannot be revoked: change the file and restart the server")
}

extension Instant {
    /// Whether a token never expires, as the token of the operator token file.
    var isEndless: Bool { microseconds == .max }
}
