import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore

/// Signs persons in with OpenID Connect issuers: authorization code flow with PKCE (OpenID Connect Core 1.0, section 3.1).
public struct IssuerSignIn: Sendable {
    private let base: String
    private let signUp: SignUp
    private let connections: [IssuerConnection]
    private let cookies: AttemptCookies
    private let services: Services

    /// The services of the server that sign-ins use.
    package struct Services: Sendable {
        let store: StorePool
        let callers: TokenAuthenticator
        let sessions: BrowserSessions
        let refusals: SignInRefusals
        let audit: AuditLog
        let errors: ErrorLogger

        /// Creates the services.
        ///
        /// - Parameters:
        ///   - store: The connections to the store.
        ///   - callers: Finds the sessions of requests.
        ///   - sessions: Opens the sessions of browsers.
        ///   - refusals: The limit on refused sign-ins.
        ///   - audit: The audit log.
        ///   - errors: The log of errors of issuers.
        package init(
            store: StorePool,
            callers: TokenAuthenticator,
            sessions: BrowserSessions,
            refusals: SignInRefusals,
            audit: AuditLog,
            errors: ErrorLogger
        ) {
            self.store = store
            self.callers = callers
            self.sessions = sessions
            self.refusals = refusals
            self.audit = audit
            self.errors = errors
        }
    }

    /// Creates the sign-in.
    ///
    /// - Parameters:
    ///   - options: The issuers; `nil` for none.
    ///   - address: The address under which clients reach the server.
    ///   - publicURL: The URL under which clients reach the server; `nil` for a server without one.
    ///   - services: The services of the server.
    /// - Throws: `parameter-invalid` if two issuers have one name or URL, or if the server has no address to which an issuer
    ///   can send browsers back.
    package init(
        _ options: SignInOptions?,
        address: PublicAddress,
        publicURL: String?,
        services: Services
    ) throws(HabitError) {
        let options = options ?? SignInOptions(issuers: [])
        let base = address.fixedBase
        guard base != nil || options.issuers.isEmpty else { throw Self.noAddress }
        try Self.requireDistinct(options.issuers)
        self.base = base ?? ""
        signUp = options.signUp
        connections = options.issuers.map { issuer in
            IssuerConnection(
                issuer,
                redirectURI: "\(base ?? "")\(Self.path(of: issuer))/callback",
                options: options)
        }
        cookies = AttemptCookies(publicURL: publicURL, storeKey: services.store.key)
        self.services = services
    }

    private static let noAddress = HabitError(
        .parameterInvalid,
        "an issuer must know the address of the server: set the public URL, or listen on the loopback interface on a fixed port",
        field: "public-url")

    private static func requireDistinct(_ issuers: [Issuer]) throws(HabitError) {
        for (index, issuer) in issuers.enumerated() {
            let others = issuers[..<index]
            guard !others.contains(where: { other in other.url == issuer.url }) else {
                throw HabitError(
                    .parameterInvalid,
                    "the issuer '\(issuer.url)' is repeated: pass it once",
                    field: "oidc-issuer")
            }
            guard !others.contains(where: { other in other.key == issuer.key }) else {
                throw HabitError(
                    .parameterInvalid,
                    "several issuers have the name '\(issuer.name)': give each of them another name",
                    field: "oidc-name")
            }
        }
    }

    private static func path(of issuer: Issuer) -> String { "/sign-in/issuers/\(issuer.key)" }

    /// The redirect URI of an issuer, which the operator registers there.
    public struct Redirect: Sendable {
        /// The name of the issuer.
        public let name: String
        /// The redirect URI.
        public let address: String
    }

    /// The redirect URIs of all issuers.
    package var redirects: [Redirect] {
        connections.map { connection in
            Redirect(name: connection.issuer.name, address: connection.redirectURI)
        }
    }

    /// An issuer on the page of the sign-in.
    package struct Offer: Sendable {
        /// The name of the issuer.
        package let name: String
        /// The address that starts a sign-in.
        package let address: String
    }

    /// Returns the issuers on the page of the sign-in.
    ///
    /// The addresses have the host of the redirect URIs, so that the browser sends the cookie of the attempt back.
    ///
    /// - Parameters:
    ///   - target: The page to which a sign-in leads.
    ///   - timeZone: The time zone of a new account.
    /// - Returns: The issuers.
    package func offers(leadingTo target: OwnPath, timeZone: String?) -> [Offer] {
        let zone = timeZone.map { id in "&time_zone=\(id.urlEncoded)" } ?? ""
        return connections.map { connection in
            let path = Self.path(of: connection.issuer)
            return Offer(
                name: connection.issuer.name,
                address: "\(base)\(path)?to=\(target.text.urlEncoded)\(zone)")
        }
    }

    /// The issuers with the addresses that start a sign-in, without the page to which it leads.
    package var starts: [Offer] {
        connections.map { connection in
            Offer(
                name: connection.issuer.name,
                address: base + Self.path(of: connection.issuer))
        }
    }

    /// The issuers that a signed-in user can add.
    package var additions: [Addition] {
        connections.map { connection in
            Addition(name: connection.issuer.name, key: connection.issuer.key)
        }
    }

    /// An issuer that a signed-in user can add.
    package struct Addition: Sendable {
        /// The name of the issuer.
        package let name: String
        /// The name in the form that starts the addition.
        package let key: String
    }

    /// Returns the name of an issuer, or its URL if the operator has removed the issuer.
    package func name(ofIssuer url: String) -> String {
        let known = connections.first { connection in connection.issuer.url == url }
        return known?.issuer.name ?? url
    }

    /// A step of a sign-in.
    package struct Step: Sendable {
        /// The page that the browser opens next.
        package enum Destination: Sendable {
            /// The page of the issuer.
            case issuer(String)
            /// A page of this server, after the sign-in.
            case page(OwnPath)
            /// The page of the sign-in with a problem.
            case problem(Problem, leadingTo: OwnPath)
            /// The page of the sign-in, on which the person decides.
            case offer(leadingTo: OwnPath, timeZone: String?)
        }

        package let destination: Destination
        /// The header fields of the response, which set and clear cookies.
        package let headers: HTTPFields
    }

    private func connection(_ key: String) throws -> IssuerConnection {
        let connection = connections.first { connection in connection.issuer.key == key }
        guard let connection else {
            throw Problem(
                .notFound,
                slug: ErrorCode.notFound,
                detail: "this server offers no such sign-in: open /sign-in")
        }
        return connection
    }

    // MARK: Start

    /// Starts a sign-in.
    ///
    /// A link on a page of another site leads to the page of the sign-in. It could otherwise replace the session of the
    /// browser without the person.
    ///
    /// - Parameters:
    ///   - key: The key of the issuer.
    ///   - call: The request.
    /// - Returns: The step to the issuer, or to the page of the sign-in if it is refused or begins on another site.
    /// - Throws: 404 `not-found` for an unknown issuer, 403 `cross-site` if a page of another site has caused the request
    ///   without the user, `parameter-invalid` for an unknown parameter, `time-zone-invalid`, and the errors of the
    ///   server.
    package func begin(_ key: String, _ call: Call) async throws -> Step {
        let connection = try connection(key)
        try call.requireOwnPage()
        let parameters = try RequestParameters(call.request, known: ["to", "time_zone"])
        let target = parameters["to"].flatMap { text in OwnPath(text) } ?? .home
        let isOwnLink = RequestOrigin(of: call.request).isOwnLink(at: call.base)
        guard isOwnLink ?? (call.caller == .nobody) else {
            return Step(
                destination: .offer(leadingTo: target, timeZone: parameters["time_zone"]),
                headers: [:])
        }
        let timeZone = try Self.timeZone(parameters["time_zone"], call)
        return try await step(leadingTo: target, at: connection, call) {
            let attempt = SignInAttempt(
                at: connection.issuer,
                to: target,
                timeZone: timeZone,
                user: nil,
                now: call.clock.now)
            let start = try await start(attempt, at: connection, call)
            return Step(destination: .issuer(start.address), headers: start.headers)
        }
    }

    /// The beginning of a sign-in at an issuer.
    package struct Start: Sendable {
        /// The name of the issuer.
        package let name: String
        /// The address at which the person signs in.
        package let address: String
        /// The header fields of the response, which set a cookie.
        package let headers: HTTPFields
    }

    private func start(
        _ attempt: SignInAttempt,
        at connection: IssuerConnection,
        _ call: Call
    ) async throws -> Start {
        let address = try await connection.address(for: attempt)
        let cookie = try cookies.setting(attempt, in: call.request, now: call.clock.now)
        return Start(name: connection.issuer.name, address: address, headers: [.setCookie: cookie])
    }

    /// Starts a sign-in with which the signed-in user adds an identity to the account.
    ///
    /// The caller checks that a form of this server has sent the request, because another page could let its own
    /// identity be added.
    ///
    /// - Parameters:
    ///   - key: The key of the issuer.
    ///   - target: The page to which the browser returns.
    ///   - call: The request.
    /// - Returns: The beginning of the sign-in.
    /// - Throws: 404 `not-found` for an unknown issuer, 403 `not-signed-in` if an access token has opened the session, 503
    ///   `issuer-unavailable`, and the errors of the server.
    package func beginAddition(_ key: String, leadingTo target: OwnPath, for call: Call) async throws -> Start {
        let connection = try connection(key)
        try await services.callers.requirePersonalSession(call.request)
        let attempt = SignInAttempt(
            at: connection.issuer,
            to: target,
            timeZone: nil,
            user: try Self.user(of: call),
            now: call.clock.now)
        return try await auditing(at: connection, call) {
            try await start(attempt, at: connection, call)
        }
    }

    /// Returns the time zone of a new account: the parameter, otherwise the header `Time-Zone`.
    ///
    /// - Throws: `time-zone-invalid`.
    private static func timeZone(_ parameter: String?, _ call: Call) throws -> String? {
        if let parameter {
            return try TimeZoneRules.named(parameter, field: Field.timeZone.name).id
        }
        guard let header = call.request.headers[.timeZone] else { return nil }
        return try TimeZoneRules.named(header, field: HTTPField.Name.timeZone.rawName).id
    }

    private static func user(of call: Call) throws -> SignInAttempt.User {
        switch call.caller {
        case .viewer(.user(let key, let id)): return SignInAttempt.User(key: key, id: id)
        case .viewer(.operator): throw Problem.userRequired("the operator has no account: sign in as a user")
        case .nobody: throw notSignedIn
        }
    }

    private static let notSignedIn = Problem(
        .unauthorized,
        slug: ErrorCode.notSignedIn,
        detail: "sign in first, and then add the service to your account")

    // MARK: Response of the issuer

    /// Completes a sign-in with the response of the issuer in the query of a request.
    ///
    /// - Parameters:
    ///   - key: The key of the issuer.
    ///   - call: The request.
    /// - Returns: The step to the target, or to the page of the sign-in if it is refused.
    /// - Throws: 404 `not-found` for an unknown issuer, 403 `cross-site` if a page of another site has caused the request
    ///   without the user, and the errors of the server.
    package func finish(_ key: String, _ call: Call) async throws -> Step {
        let connection = try connection(key)
        // A refusal for another site does not count as a refused sign-in of the client.
        try call.requireOwnPage()
        let query = call.request.uri.query ?? ""
        let answer = FormBody(Array(query.utf8))
        let held = cookies.attempt(
            with: answer?["state"] ?? "",
            in: call.request,
            now: call.clock.now)
        let target = held.flatMap { held in OwnPath(held.attempt.target) } ?? .home
        var step = try await step(leadingTo: target, at: connection, call) {
            guard let answer, let attempt = held?.attempt, attempt.issuer == connection.issuer.url else {
                throw Problem.attemptUnknown
            }
            let headers = try await complete(attempt, with: answer, at: connection, for: call)
            return Step(destination: .page(target), headers: headers)
        }
        if let held {
            var headers = step.headers
            headers.append(HTTPField(name: .setCookie, value: held.clearing))
            step = Step(destination: step.destination, headers: headers)
        }
        return step
    }

    private func complete(
        _ attempt: SignInAttempt,
        with answer: FormBody,
        at connection: IssuerConnection,
        for call: Call
    ) async throws -> HTTPFields {
        if let user = attempt.user {
            guard try Self.user(of: call) == user else { throw Problem.attemptUnknown }
        }
        try await connection.requireIssuer(answer["iss"])
        let now = call.clock.now
        let isFirst = try await services.store.write(for: .server) { session in
            try attempt.use.record(in: session, at: now)
        }
        guard isFirst else { throw Problem.attemptUnknown }
        if let error = answer["error"] { throw connection.issuer.refusal(error) }
        guard let code = answer["code"], !code.isEmpty else { throw connection.issuer.invalidResponse }
        let identity = try await connection.identity(for: code, of: attempt, now: now)
        guard attempt.user == nil else { return try await add(identity, call) }
        let timeZone = attempt.timeZone.flatMap { id in TimeZoneRules(id) }
        let opened = try await services.sessions.open(for: call) { [signUp] session in
            try SignIn(in: session).account(of: identity, timeZone: timeZone, signUp: signUp)
        }
        return opened.headers
    }

    private func add(_ identity: VerifiedIdentity, _ call: Call) async throws -> HTTPFields {
        let viewer = try call.viewer
        let isNew = try await services.store.write(for: call.requester) { session in
            try SignIn(in: session).add(identity, to: viewer)
        }
        if isNew {
            services.audit.record("identity.add", for: call, details: ["issuer": .text(identity.issuer)])
        }
        return [:]
    }

    // MARK: Refusals

    /// Runs a step, and audits a refusal.
    private func step(
        leadingTo target: OwnPath,
        at connection: IssuerConnection,
        _ call: Call,
        _ body: () async throws -> Step
    ) async throws -> Step {
        do {
            return try await auditing(at: connection, call, body)
        } catch let problem as Problem {
            return Step(destination: .problem(problem, leadingTo: target), headers: [:])
        }
    }

    /// Runs a part of a sign-in, audits a refusal, and logs an error of the issuer or of the server.
    private func auditing<Result>(
        at connection: IssuerConnection,
        _ call: Call,
        _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await services.refusals.auditing(call, body)
        } catch let problem as Problem {
            if problem.status.kind == .serverError {
                services.errors.write(problem, at: Self.path(of: connection.issuer))
            }
            throw problem
        }
    }
}
