import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import StoreEngine

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
        let source = callers.sessionSource(token)
        return try await open(for: call) {
            guard let owner = try await callers.bearerOwner(of: token) else { throw Self.tokenInvalid }
            return { _ in Proof(viewer: owner.viewer, source: source) }
        }
    }

    /// The proof of a person's identity.
    struct Proof: Sendable {
        /// The person.
        let viewer: Viewer
        /// The credential that opens the session.
        let source: TokenActions.SessionSource
        /// The effect of the sign-in on the accounts; `nil` if it changes no account.
        var change: AccountChange?
        /// Additional members of the line in the audit log.
        var details: [String: JSON] = [:]
    }

    /// Opens a session with a proof of the person's identity.
    ///
    /// The session replaces the session of the request's cookie.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - prove: Verifies the person, and returns a closure that verifies the rest in the transaction of the new session.
    /// - Returns: The session.
    /// - Throws: 403 `cross-site` if a page of another site has sent the request, 429 `too-many-requests` after too many
    ///   refused sign-ins, the errors of `prove`, and the errors of the store.
    func open(
        for call: Call,
        _ prove: () async throws -> @Sendable (any Session) throws -> Proof
    ) async throws -> Opened {
        try call.requireOwnPage()
        let new = try await refusals.auditing(call) { try await create(for: call, try await prove()) }
        return opened(new, for: call)
    }

    /// Opens a session for the account of an identity.
    ///
    /// The session replaces the session of the request's cookie. The caller checks that the user has sent the request, and
    /// audits a refusal.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - account: Returns the account and the effect of the sign-in on the accounts, in the transaction of the session.
    /// - Returns: The session.
    /// - Throws: The errors of `account` and of the store.
    func open(
        for call: Call,
        account: @escaping @Sendable (any Session) throws -> (user: Viewer, change: AccountChange?)
    ) async throws -> Opened {
        let new = try await create(for: call) { session in
            let found = try account(session)
            return Proof(viewer: found.user, source: .signIn, change: found.change)
        }
        return opened(new, for: call)
    }

    /// Returns the user of a one-time link, which stays valid.
    ///
    /// - Parameters:
    ///   - code: The secret of the link.
    ///   - call: The request.
    /// - Returns: The user.
    /// - Throws: 401 `not-signed-in` if the link is unknown, expired, used or revoked, and the other errors of
    ///   ``open(withLink:for:)``.
    package func owner(ofLink code: String, for call: Call) async throws -> LinkOwner {
        try call.requireOwnPage()
        return try await refusals.auditing(call) {
            let owner = try await store.read(for: call.requester) { session in
                try TokenActions(clock: call.clock, in: session).linkOwner(code)
            }
            guard let owner else { throw Problem.linkInvalid }
            return owner
        }
    }

    /// Opens a session with a one-time link, which is invalid from then on.
    ///
    /// The session replaces the session of the request's cookie.
    ///
    /// - Parameters:
    ///   - code: The secret of the link.
    ///   - call: The request.
    /// - Returns: The session.
    /// - Throws: 403 `cross-site` if a page of another site has sent the request, 401 `not-signed-in` if the link is
    ///   unknown, expired, used or revoked, 429 `too-many-requests` after too many refused sign-ins, and the errors of
    ///   the store.
    package func open(withLink code: String, for call: Call) async throws -> Opened {
        let opened = try await open(for: call) {
            { session in
                let actions = TokenActions(clock: call.clock, in: session)
                guard let viewer = try actions.redeemLink(code) else { throw Problem.linkInvalid }
                return Proof(viewer: viewer, source: .signIn)
            }
        }
        let link: [String: JSON] = ["token": .text(Token.id(of: code))]
        audit.record("sign-in.link", for: call, user: opened.viewer, details: link)
        return opened
    }

    /// Writes the lines of a sign-in to the audit log, and returns its session.
    private func opened(_ new: NewSession, for call: Call) -> Opened {
        record(new, for: call)
        let session = new.created.token
        // The store decides when the session ends.
        let isOperator = new.proof.viewer == .operator
        let lifetime = isOperator ? TokenActions.operatorSessionLifetime : TokenActions.longest
        let field = cookie.setting(session.secret, for: lifetime)
        return Opened(
            viewer: new.proof.viewer,
            expires: session.expires,
            headers: HTTPFields.notStored.merging([.setCookie: field]))
    }

    /// A session in the store.
    private struct NewSession: Sendable {
        var proof: Proof
        /// The session, and the user's oldest sessions in excess of the limit, which it has ended.
        var created: TokenActions.Replacement
        /// The session of the request's cookie, which it has ended, with its owner.
        var former: FormerSession?
    }

    private struct FormerSession: Sendable {
        var secret: String
        var viewer: Viewer
    }

    /// Creates a session in a transaction, and ends the session of the request's cookie.
    private func create(
        for call: Call,
        _ proof: @escaping @Sendable (any Session) throws -> Proof
    ) async throws -> NewSession {
        let former = try await formerSession(of: call)
        return try await store.write(for: .server) { session in
            let proof = try proof(session)
            let actions = TokenActions(clock: call.clock, in: session)
            if let former {
                try actions.revoke(secret: former.secret)
            }
            guard let created = try actions.createSession(for: proof.viewer, from: proof.source) else {
                throw Self.tokenInvalid
            }
            return NewSession(proof: proof, created: created, former: former)
        }
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
        let viewer = new.proof.viewer
        if let change = new.proof.change {
            audit.record("account.\(change.rawValue)", for: call, user: viewer)
        }
        let session = new.created.token
        let end = OffsetInstant(session.expires, offset: .utc)
        let details: [String: JSON] = [
            "token": .text(session.id),
            "kind": .text(Token.Kind.session.rawValue),
            "expires_at": .text(end.description),
        ]
        let all = details.merging(new.proof.details) { detail, _ in detail }
        audit.record("token.create", for: call, user: viewer, details: all)
        if let former = new.former {
            let id = Token.id(of: former.secret)
            audit.record("token.revoke", for: call, user: former.viewer, details: ["token": .text(id)])
        }
        for id in new.created.revoked {
            audit.record("token.revoke", for: call, user: viewer, details: ["token": .text(id)])
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
        return clearing
    }

    /// The header fields that clear the cookie of an ended session and what the browser has stored.
    package var clearing: HTTPFields {
        var headers: HTTPFields = [.setCookie: cookie.clearing]
        // Below a path, the server shares the storage of the browser with other programs.
        if cookie.ownsOrigin { headers[.clearSiteData] = #""cache", "storage""# }
        return headers
    }

    private static let tokenInvalid = Problem(
        .unauthorized,
        slug: ErrorCode.notSignedIn,
        detail: "the access token is unknown, expired or revoked: send another token",
        field: "token",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\""])

    private static let fileTokenStays = Problem(
        .forbidden,
        slug: ErrorCode.operatorOnly,
        detail: "the token of the operator token file cannot be revoked: change the file and restart the server")
}

extension Instant {
    /// Whether a token never expires, as the token of the operator token file.
    var isEndless: Bool { microseconds == .max }
}
