import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// Routes that sign a user in with an ID token or an access token, describe the session and sign the user out.
package struct SignInRoutes: RouteGroup {
    let store: StorePool
    let bodies: RequestBodies
    let audit: AuditLog
    let callers: TokenAuthenticator
    let identities: IdentityVerifier?
    let signUp: SignUp
    private let sessions: BrowserSessions
    private let refusals: SignInRefusals

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - bodies: Reads the bodies of requests.
    ///   - audit: The audit log.
    ///   - callers: Finds the owners of tokens.
    ///   - identities: Verifies ID tokens; `nil` disables sign-in.
    ///   - signUp: The persons who get a new account by signing in.
    ///   - sessions: Opens and ends the sessions of browsers.
    ///   - refusals: The refused sign-ins.
    package init(
        store: StorePool,
        bodies: RequestBodies,
        audit: AuditLog,
        callers: TokenAuthenticator,
        identities: IdentityVerifier?,
        signUp: SignUp,
        sessions: BrowserSessions,
        refusals: SignInRefusals
    ) {
        self.store = store
        self.bodies = bodies
        self.audit = audit
        self.callers = callers
        self.identities = identities
        self.signUp = signUp
        self.sessions = sessions
        self.refusals = refusals
    }

    package var routes: [Route] {
        [
            Route(.post, "/session", operation: Self.signInOperation, handler: signIn),
            Route(
                .get,
                "/session",
                operation: RouteOperation(
                    "session.get",
                    summary: "Get the current session",
                    description: "Returns the user and the expiry time of the token or the session of the request.",
                    permission: .viewers,
                    query: nil,
                    content: Self.content),
                handler: session),
            Route(
                .delete,
                "/session",
                operation: RouteOperation(
                    "session.delete",
                    summary: "Sign out",
                    description: "Revokes the token or the session of the request. Returns 204.",
                    permission: .viewers,
                    query: nil,
                    status: "204"),
                handler: signOut),
        ]
    }

    // MARK: Sign-in

    private static let signInOperation = RouteOperation(
        "session.create",
        summary: "Sign in with an ID token or an access token",
        description:
            "With 'id_token', verifies an OpenID Connect ID token of the identity provider, creates an account for a new identity, and returns 201 with a token that is valid for 30 days. With 'token', opens the session of a browser with an access token, and returns 201 with a cookie instead of a token. Returns 401 if the token is invalid, 403 if a page of another site asks for a cookie, and 404 if the sign-in with an ID token is disabled.",
        permission: .everyone,
        query: nil,
        body: [
            "required": true,
            "content": .content(.json, schema: credentialsSchema),
        ],
        status: "201",
        content: content)

    private static let credentialsSchema: JSON = [
        "type": "object",
        "properties": [
            "id_token": ["type": "string"],
            "token": ["type": "string", "description": "An access token, instead of an ID token."],
            "nonce": ["type": "string"],
            "time_zone": [
                "type": "string",
                "description":
                    "IANA time zone of a new account. The default is the header Time-Zone, otherwise UTC.",
            ],
        ],
    ]

    /// The lifetime of a session: 30 days.
    private static let lifetime = Duration.seconds(30 * 86_400)

    /// The largest body that is accepted, in bytes.
    private static let bodyLimit = 16_384

    /// The body of a sign-in.
    private struct Credentials {
        /// The token that proves who the person is.
        var proof: Proof
        var nonce: String?
        var timeZone: String?

        enum Proof {
            case idToken(String)
            case accessToken(String)
        }

        /// Reads a body, or returns `nil` if it is not a JSON object with either an ID token or an access token.
        init?(_ body: some Collection<UInt8>) {
            let members = ObjectBody(body, reading: ["id_token", "token", "nonce", "time_zone"])
            guard let members else { return nil }
            switch (members["id_token"], members["token"]) {
            case (let idToken?, nil): proof = .idToken(idToken)
            case (nil, let token?): proof = .accessToken(token)
            default: return nil
            }
            nonce = members["nonce"]
            timeZone = members["time_zone"]
        }
    }

    /// A session that a sign-in has created.
    private struct OpenedSession: Sendable {
        /// The token of the session, and the revoked tokens.
        var created: TokenActions.Replacement
        var viewer: Viewer
        /// The effect of the sign-in on the accounts; `nil` if it changes no account.
        var change: AccountChange?
    }

    @Sendable private func signIn(_ call: Call) async throws -> Response {
        let sent = try await credentials(of: call)
        switch sent.proof {
        case .idToken(let idToken): return try await signIn(with: idToken, sent, call)
        case .accessToken(let token): return try await openSession(with: token, call)
        }
    }

    private func openSession(with token: String, _ call: Call) async throws -> Response {
        let opened = try await sessions.open(with: token, for: call)
        return Response(
            Self.description(of: opened.viewer, expires: opened.expires),
            status: .created,
            headers: opened.headers)
    }

    private func signIn(with idToken: String, _ sent: Credentials, _ call: Call) async throws -> Response {
        guard let identities else { throw Self.disabled }
        let timeZone = try Self.timeZone(sent, call.request)
        let opened = try await refusals.auditing(call) {
            try await openSession(idToken, nonce: sent.nonce, with: identities, timeZone: timeZone, at: call.clock)
        }
        record(opened, call)
        let token = opened.created.token
        let description = Self.description(of: opened.viewer, expires: token.expires)
        return Response(
            description.merging(["token": .text(token.secret)]),
            status: .created,
            headers: .notStored)
    }

    private static let disabled = Problem(
        .notFound,
        slug: ErrorCode.notFound.slug,
        detail: "sign-in is disabled on this server: use a token from the operator")

    /// Reads the body of a sign-in.
    ///
    /// - Parameter call: The request.
    /// - Returns: The body.
    /// - Throws: `row-invalid` if the body is not a JSON object with a token, and the errors of
    ///   ``RequestBodies/withBody(of:for:limit:remedy:_:)``.
    private func credentials(of call: Call) async throws -> Credentials {
        let requester = "client \(call.client)"
        return try await bodies.withBody(of: call.request, for: requester, limit: Self.bodyLimit) { body in
            guard let sent = Credentials(body) else {
                throw HabitError(
                    .rowInvalid,
                    "the body is not a JSON object with the member 'id_token' or the member 'token': send one",
                    field: "id_token")
            }
            return sent
        }
    }

    /// Returns the time zone of a new account: the member `time_zone`, otherwise the header `Time-Zone`.
    ///
    /// - Throws: `time-zone-invalid`.
    private static func timeZone(_ sent: Credentials, _ request: Request) throws -> TimeZoneRules? {
        if let id = sent.timeZone { return try .named(id, field: Field.timeZone.name) }
        return try request.headers[.timeZone].map { id in
            try .named(id, field: HTTPField.Name.timeZone.rawName)
        }
    }

    /// Verifies an ID token and creates a session of its person.
    ///
    /// - Parameters:
    ///   - idToken: The ID token.
    ///   - nonce: The nonce that the token must contain; `nil` for none.
    ///   - identities: Verifies the ID token.
    ///   - timeZone: The time zone of a new account; `nil` for UTC.
    ///   - clock: The time of the request.
    /// - Returns: The session.
    /// - Throws: `not-signed-in` if the ID token is invalid or was used before, ``NotInvited`` if the person does not
    ///   get an account, and the errors of the verification and of the store.
    private func openSession(
        _ idToken: String,
        nonce: String?,
        with identities: IdentityVerifier,
        timeZone: TimeZoneRules?,
        at clock: Clock
    ) async throws -> OpenedSession {
        let verified = try await identities.verify(idToken, nonce: nonce, now: clock.now)
        return try await store.write(for: .server) { [signUp] session in
            let signIn = SignIn(in: session)
            guard try signIn.record(verified.use, at: clock.now) else { throw IdentityVerifier.invalid }
            let account = try signIn.account(of: verified.identity, timeZone: timeZone, signUp: signUp)
            let created = try TokenActions(clock: clock, in: session).createSignIn(
                for: account.user,
                lifetime: Self.lifetime)
            return OpenedSession(created: created, viewer: account.user, change: account.change)
        }
    }

    /// Writes the lines of a sign-in to the audit log.
    private func record(_ opened: OpenedSession, _ call: Call) {
        let viewer = opened.viewer
        let token = opened.created.token
        if let change = opened.change {
            audit.record("account.\(change.rawValue)", for: call, user: viewer)
        }
        let details: [String: JSON] = [
            "token": .text(token.id),
            "expires_at": Self.text(token.expires),
        ]
        audit.record("token.create", for: call, user: viewer, details: details)
        for id in opened.created.revoked {
            audit.record("token.revoke", for: call, user: viewer, details: ["token": .text(id)])
        }
    }

    // MARK: The session of a request

    @Sendable private func session(_ call: Call) async throws -> Response {
        guard let credential = try callers.credential(of: call.request),
            let owner = try await callers.owner(of: credential)
        else { throw Problem.notSignedIn }
        return Response(
            Self.description(of: owner.viewer, expires: owner.expires),
            headers: .notStored)
    }

    @Sendable private func signOut(_ call: Call) async throws -> Response {
        Response(status: .noContent, headers: try await sessions.end(for: call))
    }

    // MARK: The document of a session

    /// The schema of the current session, which the document at `/api` contains as `Session`.
    static let sessionSchema: JSON = [
        "type": "object",
        "properties": [
            "token": ["type": "string"],
            "user": ["type": "string", "nullable": true],
            "expires_at": ["type": "string", "nullable": true],
        ],
    ]

    private static let content = JSON.content(.json, schema: .reference("Session"))

    private static func description(of viewer: Viewer, expires: Instant) -> JSON {
        var user: JSON = .null
        if case .user(_, let id) = viewer { user = .text(id) }
        return [
            "user": user,
            "expires_at": expires.isEndless ? .null : text(expires),
        ]
    }

    private static func text(_ instant: Instant) -> JSON {
        .text(OffsetInstant(instant, offset: .utc).description)
    }
}
