import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Hummingbird
import JWTKit
import Logging
import Synchronization
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// The claims of an ID token, for tests that sign one.
struct IDToken: JWTPayload {
    var iss: IssuerClaim
    var sub: SubjectClaim
    var aud: AudienceClaim
    var exp: ExpirationClaim
    var iat: IssuedAtClaim?
    var nbf: NotBeforeClaim?
    var azp: String?
    var nonce: String?
    var email: String?
    var emailVerified: BoolClaim?
    var name: String?
    var zoneinfo: String?
    var accessTokenHash: String?

    enum CodingKeys: String, CodingKey {
        case iss, sub, aud, exp, iat, nbf, azp, nonce, email, name, zoneinfo
        case emailVerified = "email_verified"
        case accessTokenHash = "at_hash"
    }

    func verify(using algorithm: some JWTAlgorithm) throws {}
}

/// An OpenID Connect issuer on the loopback interface, whose responses a test can falsify.
final class TestIssuer: Sendable {
    static let client = "habitat.example"
    /// A secret with characters that the token request must encode.
    static let secret = "s:cret +/%é"
    static let accessToken = "an.access-token"

    /// A fault of a resource.
    enum Fault: Sendable {
        case status(Int)
        case hangs
        case redirects(String)
        case isLarge
        case text(String, type: String = "application/json")
    }

    /// A resource of the issuer.
    enum Resource: String, Sendable {
        case discovery, keys, token, userInfo
    }

    /// A sign-in of a person, whose code the server exchanges.
    struct Grant: Sendable {
        let challenge: String
        let redirectURI: String
        let idToken: String
    }

    /// The settings that a test changes, and the requests that the issuer has received.
    struct State: Sendable {
        var metadata: [String: JSON] = [:]
        var keys = ""
        /// The response of the UserInfo endpoint.
        var userInfo = "{}"
        var grants: [String: Grant] = [:]
        var faults: [Resource: Fault] = [:]
        var requests: [Resource] = []
        /// The last form and the header `Authorization` at the token endpoint.
        var lastForm: FormBody?
        var lastAuthorization: String?

        func count(of resource: Resource) -> Int { requests.count { request in request == resource } }
    }

    /// The state, which the routes share.
    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    let url: String
    let key: ES256PrivateKey
    private let shared: Shared
    private let task: Task<Void, any Error>

    init(key: ES256PrivateKey = ES256PrivateKey()) async throws {
        let shared = Shared()
        let ports = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "issuer")
        logger.logLevel = .critical
        let application = Application(
            router: Self.router(shared),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in ports.continuation.yield(channel.localAddress?.port ?? 0) },
            logger: logger)
        task = Task { try await application.run() }
        var iterator = ports.stream.makeAsyncIterator()
        let port = try #require(await iterator.next())
        let url = "http://127.0.0.1:\(port)"
        self.url = url
        self.key = key
        self.shared = shared
        let keys = try Self.keySet(key, kid: "one")
        change { state in
            state.keys = keys
            state.metadata = [
                "issuer": .text(url),
                "authorization_endpoint": .text("\(url)/authorize"),
                "token_endpoint": .text("\(url)/token"),
                "jwks_uri": .text("\(url)/keys"),
                "authorization_response_iss_parameter_supported": true,
            ]
        }
    }

    deinit { task.cancel() }

    var state: State { shared.state.withLock { state in state } }

    func change(_ body: (inout State) throws -> Void) rethrows {
        try shared.state.withLock { state in try body(&state) }
    }

    /// Returns the key set that an issuer publishes (RFC 7517).
    static func keySet(_ key: ES256PrivateKey, kid: String) throws -> String {
        let parameters = try #require(key.publicKey.parameters)
        func url(_ text: String) -> String {
            text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        let usage = #""kty":"EC","crv":"P-256","alg":"ES256","use":"sig""#
        let point = #""x":"\#(url(parameters.x))","y":"\#(url(parameters.y))""#
        return #"{"keys":[{\#(usage),"kid":"\#(kid)",\#(point)}]}"#
    }

    // MARK: Routes

    private static func router(_ shared: Shared) -> Router<BasicRequestContext> {
        let router = Router()
        router.get(".well-known/openid-configuration") { _, _ in
            try await respond(.discovery, in: shared) { state in
                response(String(decoding: JSON.object(state.metadata).bytes, as: UTF8.self))
            }
        }
        router.get("keys") { _, _ in
            try await respond(.keys, in: shared) { state in response(state.keys) }
        }
        router.post("token") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 16)
            let form = FormBody(Array(body.readableBytesView))
            let authorization = request.headers[.authorization]
            return try await respond(.token, in: shared) { state in
                state.lastForm = form
                state.lastAuthorization = authorization
                return exchange(form, &state)
            }
        }
        router.get("userinfo") { request, _ in
            let isPermitted = request.headers[.authorization] == "Bearer \(accessToken)"
            return try await respond(.userInfo, in: shared) { state in
                isPermitted ? response(state.userInfo) : response("{}", status: .unauthorized)
            }
        }
        router.get("elsewhere") { _, _ in response("{}") }
        return router
    }

    private static func respond(
        _ resource: Resource,
        in shared: Shared,
        _ body: (inout State) -> Response
    ) async throws -> Response {
        let result = shared.state.withLock { state in
            state.requests.append(resource)
            return (fault: state.faults[resource], response: body(&state))
        }
        let response = result.response
        switch result.fault {
        case nil: return response
        case .status(let code): return Self.response("{}", status: .init(code: code))
        case .redirects(let target): return Response(status: .temporaryRedirect, headers: [.location: target])
        case .isLarge: return Self.response(String(repeating: " ", count: 2 << 20))
        case .text(let text, let type): return Self.response(text, type: type)
        case .hangs:
            try await Task.sleep(for: .seconds(300))
            return response
        }
    }

    private static func response(
        _ text: String,
        status: HTTPResponse.Status = .ok,
        type: String = "application/json; charset=utf-8"
    ) -> Response {
        Response(
            status: status,
            headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private static func exchange(_ form: FormBody?, _ state: inout State) -> Response {
        let grant = state.grants.removeValue(forKey: form?["code"] ?? "")
        let verifier = form?["code_verifier"] ?? ""
        let challenge = Data(verifier.utf8.sha256).base64URLEncoded
        guard let grant, grant.challenge == challenge, grant.redirectURI == form?["redirect_uri"],
            form?["grant_type"] == "authorization_code"
        else { return response(#"{"error":"invalid_grant"}"#, status: .badRequest) }
        return response(
            #"{"access_token":"\#(accessToken)","token_type":"Bearer","id_token":"\#(grant.idToken)"}"#)
    }

    // MARK: Persons

    /// The way in which the issuer responds to a sign-in.
    struct Answer: Sendable {
        var change: @Sendable (inout IDToken) -> Void = { _ in }
        /// The ID token; `nil` for a valid one.
        var idToken: (@Sendable (_ nonce: String) async throws -> String)?
        /// Parameters of the response; `nil` removes a parameter.
        var parameters: [String: String?] = [:]
    }

    /// Signs a person in as the page of the issuer does.
    ///
    /// - Parameters:
    ///   - location: The address to which the server sends the browser.
    ///   - answer: The changes of the response.
    /// - Returns: The path and the query to which the issuer sends the browser.
    /// - Throws: An error if the address is not a complete request.
    func authorize(_ location: String, _ answer: Answer = Answer()) async throws -> String {
        let parts = try #require(URLComponents(string: location))
        let items = parts.queryItems ?? []
        let request = Dictionary(uniqueKeysWithValues: items.map { item in (item.name, item.value ?? "") })
        let nonce = try #require(request["nonce"])
        let redirectURI = try #require(request["redirect_uri"])
        let code = UUID().uuidString
        let idToken: String
        if let make = answer.idToken {
            idToken = try await make(nonce)
        } else {
            idToken = try await token(nonce: nonce, answer.change)
        }
        let grant = Grant(
            challenge: try #require(request["code_challenge"]),
            redirectURI: redirectURI,
            idToken: idToken)
        change { state in state.grants[code] = grant }
        var parameters: [String: String] = ["code": code, "iss": url]
        parameters["state"] = request["state"]
        for (name, value) in answer.parameters { parameters[name] = value }
        let query = parameters.map { name, value in "\(name)=\(value.urlEncoded)" }
        let path = try #require(URLComponents(string: redirectURI)?.path)
        return path + "?" + query.joined(separator: "&")
    }

    /// Returns a signed ID token.
    func token(
        key: ES256PrivateKey? = nil,
        kid: String = "one",
        nonce: String,
        _ change: (inout IDToken) -> Void = { _ in }
    ) async throws -> String {
        let now = Date(timeIntervalSince1970: Double(ServerFixture.clock.now.microseconds) / 1e6)
        var token = IDToken(
            iss: IssuerClaim(value: url),
            sub: "1234",
            aud: AudienceClaim(value: [Self.client]),
            exp: .init(value: now.addingTimeInterval(600)),
            iat: .init(value: now))
        token.nonce = nonce
        token.email = "olga@example.org"
        token.emailVerified = true
        token.name = "Olga Ünal"
        change(&token)
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: key ?? self.key, kid: JWKIdentifier(string: kid))
        return try await keys.sign(token, kid: JWKIdentifier(string: kid))
    }

    /// Returns the settings of a server that offers this issuer with a name.
    func issuer(
        named name: String = "Test",
        secret: String? = secret,
        trustsEmail: Bool = true
    ) throws -> Issuer {
        try Issuer(
            url: url,
            clientID: Self.client,
            clientSecret: secret,
            name: name,
            trustsEmail: trustsEmail)
    }
}

/// A server that offers an issuer, and the issuer.
struct SignInScene {
    let issuer: TestIssuer
    let fixture: ServerFixture

    init(
        records: [Record] = Scene.friends,
        trustsEmail: Bool = true,
        _ change: (inout ServerOptions) throws -> Void = { _ in }
    ) async throws {
        let issuer = try await TestIssuer()
        self.issuer = issuer
        var signIn = SignInOptions(issuers: [try issuer.issuer(trustsEmail: trustsEmail)])
        signIn.signUp = .anyone
        signIn.timeout = .seconds(120)
        fixture = try await ServerFixture(records) { options in
            options.signIn = signIn
            try? change(&options)
        }
    }

    /// Runs `test` with a browser that has no cookies.
    func run(_ test: @escaping @Sendable (TestBrowser) async throws -> Void) async throws {
        let issuer = issuer
        try await fixture.run { client in try await test(TestBrowser(client, issuer)) }
    }
}

/// A browser with its cookies.
final class TestBrowser {
    let client: ServerClient
    /// The issuer at which the browser signs in.
    let issuer: TestIssuer
    var cookies: [String: String] = [:]

    /// The header fields of a link on a page of another site, or of a redirect from there.
    static let link: HTTPFields = [
        .fetchSite: "cross-site", .fetchMode: "navigate", .fetchDestination: "document", .accept: "text/html,*/*;q=0.8",
    ]
    /// The header fields of a link on a page of the server.
    static let ownLink: HTTPFields = link.merging([.fetchSite: "same-origin"])

    init(_ client: ServerClient, _ issuer: TestIssuer) {
        self.client = client
        self.issuer = issuer
    }

    /// Signs the user `owner` in with a one-time link.
    func signInAsOwner() async throws {
        let cookie = try await client.personalCookie(of: "owner")
        let parts = cookie.split(separator: "=", maxSplits: 1)
        cookies[String(parts[0])] = String(parts[1])
    }

    /// Returns another browser with the same cookies.
    func copy() -> TestBrowser {
        let other = TestBrowser(client, issuer)
        other.cookies = cookies
        return other
    }

    /// Opens a page, and keeps the cookies of its response.
    @discardableResult func open(_ path: String, _ headers: HTTPFields = link) async throws -> ServerResponse {
        try await send(.get, path: path, headers: headers)
    }

    /// Sends the form of the account page that adds the issuer, and keeps the cookies of the response.
    @discardableResult func sendAddition(_ headers: HTTPFields = ownLink) async throws -> ServerResponse {
        let form: HTTPFields = [.contentType: FormBody.type]
        return try await send(
            .post, path: "/account", body: "form=add-identity&id=test", headers: headers.merging(form))
    }

    /// Starts the addition of the issuer, and returns the address of the issuer.
    func startAddition() async throws -> String {
        let begun = try await sendAddition()
        #expect(begun.status == 200, "\(begun)")
        let link = try #require(begun.text.firstMatch(of: #/class="issuer" href="([^"]+)"/#))
        return String(link.1).replacing("&amp;", with: "&")
    }

    private func send(
        _ method: HTTPRequest.Method,
        path: String,
        body: String? = nil,
        headers: HTTPFields
    ) async throws -> ServerResponse {
        var headers = headers
        let pairs = cookies.sorted { one, other in one.key < other.key }.map { name, value in "\(name)=\(value)" }
        if !pairs.isEmpty { headers[.cookie] = pairs.joined(separator: "; ") }
        let response = try await client.send(method, path: path, body, headers: headers)
        for field in response.headers[values: .setCookie] {
            let pair = field.prefix { character in character != ";" }.split(separator: "=", maxSplits: 1)
            let name = String(pair.first ?? "")
            cookies[name] = field.contains("Max-Age=0;") ? nil : pair.dropFirst().first.map(String.init)
        }
        return response
    }

    /// Starts a sign-in, and returns the address of the issuer.
    func start(_ key: String = "test", query: String = "", _ headers: HTTPFields = ownLink) async throws -> String {
        let begun = try await open("/sign-in/issuers/\(key)\(query)", headers)
        #expect(begun.status == 303, "\(begun)")
        return try #require(begun.headers[.location])
    }

    /// Signs a person in, and returns the response of the server.
    @discardableResult func signIn(
        query: String = "",
        _ answer: TestIssuer.Answer = TestIssuer.Answer()
    ) async throws -> ServerResponse {
        let location = try await start(query: query)
        return try await open(try await issuer.authorize(location, answer))
    }

    /// Signs a person in whose ID token has other claims.
    @discardableResult func signIn(
        query: String = "",
        _ change: @escaping @Sendable (inout IDToken) -> Void
    ) async throws -> ServerResponse {
        try await signIn(query: query, TestIssuer.Answer(change: change))
    }

    /// The user of the session, or `nil` without one.
    var user: String? {
        get async throws { try await open("/session", [:]).json["user"] as? String }
    }
}
