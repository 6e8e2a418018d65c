import Base
import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import Hummingbird
import HummingbirdTesting
import JWTKit
import Synchronization
import Testing

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

    enum CodingKeys: String, CodingKey {
        case iss, sub, aud, exp, iat, nbf, azp, nonce, email, name
        case emailVerified = "email_verified"
    }

    func verify(using algorithm: some JWTAlgorithm) throws {}
}

/// Tests of signing in with an ID token, including invalid tokens.
@Suite(.serialized) struct SignInTests {
    static let client = "habitat.apps.googleusercontent.com"

    /// An issuer with its own key, and a server that accepts its ID tokens.
    struct Issuer {
        let key = ES256PrivateKey()
        let folder: TemporaryFolder
        let fixture: ServerFixture

        init(
            records: [Record] = Scene.friends, _ change: (inout ServerOptions) -> Void = { _ in }
        ) async throws {
            folder = try TemporaryFolder()
            try folder.write(try SignInTests.keySet(key, kid: "one"), to: "keys.json")
            let path = folder.file("keys.json")
            fixture = try await ServerFixture(records) { options in
                var signIn = SignInOptions(clients: [SignInTests.client])
                signIn.keys = path
                signIn.signUp = .anyone
                options.signIn = signIn
                change(&options)
            }
        }

        func token(
            key: ES256PrivateKey? = nil, kid: String = "one", _ change: (inout IDToken) -> Void = { _ in }
        ) async throws -> String {
            let now = Date(timeIntervalSince1970: Double(ServerFixture.clock.now.microseconds) / 1e6)
            var token = IDToken(
                iss: "https://accounts.google.com", sub: "1234", aud: AudienceClaim(value: [SignInTests.client]),
                exp: .init(value: now.addingTimeInterval(600)), iat: .init(value: now))
            token.email = "olga@example.org"
            token.emailVerified = true
            token.name = "Olga Ünal"
            change(&token)
            let keys = JWTKeyCollection()
            await keys.add(ecdsa: key ?? self.key, kid: JWKIdentifier(string: kid))
            return try await keys.sign(token, kid: JWKIdentifier(string: kid))
        }
    }

    /// Returns the key set that an issuer publishes (RFC 7517).
    static func keySet(_ key: ES256PrivateKey, kid: String) throws -> String {
        let parameters = try #require(key.publicKey.parameters)
        func url(_ text: String) -> String {
            text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        return
            #"{"keys":[{"kty":"EC","crv":"P-256","alg":"ES256","use":"sig","kid":"\#(kid)","x":"\#(url(parameters.x))","y":"\#(url(parameters.y))"}]}"#
    }

    static func body(_ token: String, nonce: String? = nil) -> String {
        nonce.map { #"{"id_token":"\#(token)","nonce":"\#($0)"}"# } ?? #"{"id_token":"\#(token)"}"#
    }

    @Test func identityAlwaysSignsInToSameAccount() async throws {
        let issuer = try await Issuer()
        let (token, later) = (try await issuer.token(), try await issuer.token { $0.email = "new@example.org" })
        try await issuer.fixture.run { client in
            let first = try await client.send(.post, path: "/session", Self.body(token))
            #expect(first.status == 201, "\(first)")
            #expect(first.json["user"] as? String == "olga-ünal", "\(first)")
            let session = try #require(first.json["token"] as? String)
            #expect(session.utf8.count >= 43, "256 bits")
            #expect(first.headers[.cacheControl] == "no-store")
            #expect(try await client.send(path: "/session", as: session).json["user"] as? String == "olga-ünal")
            #expect(try await client.send(path: "/collections/events/items", as: session).ids.isEmpty)
            let second = try await client.send(.post, path: "/session", Self.body(later))
            #expect(second.json["user"] as? String == "olga-ünal")
            #expect(second.json["token"] as? String != session)
            // The token is invalid after signing out.
            #expect(try await client.send(.delete, path: "/session", as: session).status == 204)
            let replay = try await client.send(path: "/session", as: session)
            #expect(replay.status == 401, "\(replay)")
            #expect(replay.slug == "not-signed-in", "\(replay)")
        }
        // The store does not contain the usable token.
        guard case .file(let path) = issuer.fixture.store.location else { return }
        let stored = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(stored.range(of: Data("hbt_".utf8)) == nil)
    }

    @Test func loadedAccountIsLinkedToOneIdentity() async throws {
        var user = UserRecord(id: "olga")
        user.email = .value("Olga@Example.org")
        let issuer = try await Issuer(records: Scene.friends + [.user(user)])
        let (own, thief) = (try await issuer.token(), try await issuer.token { $0.sub = "other" })
        try await issuer.fixture.run { client in
            #expect(try await client.send(.post, path: "/session", Self.body(own)).json["user"] as? String == "olga")
            let other = try await client.send(.post, path: "/session", Self.body(thief))
            #expect(other.status == 409, "\(other)")
            #expect(other.slug == "user-exists", "\(other)")
        }
    }

    /// Rule C-26: the time zone of a new account.
    @Test func newAccountTakesTimeZoneFromSignIn() async throws {
        let issuer = try await Issuer()
        var made: [String] = []
        for subject in ["body", "header", "both", "neither", "bad", "worse"] {
            let token = try await issuer.token {
                $0.sub = .init(value: subject)
                $0.name = subject
                $0.email = "\(subject)@example.org"
            }
            made.append(token)
        }
        let tokens = made
        @Sendable func body(_ token: String, _ zone: String) -> String {
            #"{"id_token":"\#(token)","time_zone":"\#(zone)"}"#
        }
        try await issuer.fixture.run { client in
            func signIn(_ body: String, _ headers: HTTPFields = [:]) async throws -> ServerResponse {
                try await client.send(.post, path: "/session", body, headers: headers)
            }
            #expect(try await signIn(body(tokens[0], "Asia/Tokyo")).status == 201)
            #expect(try await signIn(Self.body(tokens[1]), [.timeZone: "Asia/Tokyo"]).status == 201)
            #expect(try await signIn(body(tokens[2], "Asia/Tokyo"), [.timeZone: "Europe/Lisbon"]).status == 201)
            #expect(try await signIn(Self.body(tokens[3])).status == 201)
            let bad = try await signIn(body(tokens[4], "Mars/Olympus"))
            #expect(bad.status == 422, "\(bad)")
            #expect(bad.slug == "time-zone-invalid", "\(bad)")
            let worse = try await signIn(Self.body(tokens[5]), [.timeZone: "../etc/passwd"])
            #expect(worse.status == 422, "\(worse)")
            #expect(worse.json["field"] as? String == "Time-Zone", "\(worse)")
        }
        for (id, zone) in [
            ("body", "Asia/Tokyo"), ("header", "Asia/Tokyo"), ("both", "Asia/Tokyo"), ("neither", "UTC"),
        ] {
            let rows = try issuer.fixture.store.rows(columns: ["time_zone"]) { session, viewer in
                try UserQuery.one(id, viewer: viewer, in: session)
            }
            #expect(rows == [[zone]], "\(id)")
        }
    }

    @Test func changesOfAccountsAndTokensAreAudited() async throws {
        var user = UserRecord(id: "olga")
        user.email = .value("olga@example.org")
        let lines = LogLines()
        let issuer = try await Issuer(records: Scene.friends + [.user(user)]) { options in
            options.audit = { lines.add($0) }
        }
        // Each ID token opens one session.
        var own: [String] = []
        for number in 1...3 { own.append(try await issuer.token { $0.nonce = "\(number)" }) }
        let other = try await issuer.token { ($0.sub, $0.email) = ("other", "other@example.org") }
        let last = own[2]
        var secrets = own + [other, "olga@example.org", "Ünal"]
        for token in [own[0], other, own[1]] {
            try await issuer.fixture.run { client in
                let response = try await client.send(.post, path: "/session", Self.body(token))
                #expect(response.status == 201, "\(response)")
            }
        }
        let sessions = LogLines()
        try await issuer.fixture.run { client in
            let response = try await client.send(.post, path: "/session", Self.body(last))
            let session = try #require(response.json["token"] as? String)
            sessions.add(session)
            #expect(try await client.send(.delete, path: "/session", as: session).status == 204)
            #expect(try await client.send(.delete, path: "/session", as: session).status == 401)
        }
        secrets += sessions.all
        let entries = lines.entries
        #expect(
            entries.map { $0["action"] as? String } == [
                "account.link", "token.create", "account.create", "token.create", "token.create", "token.create",
                "token.revoke", "token.refuse",
            ], "\(lines.all)")
        #expect(entries.map { $0["user"] as? String }.filter { $0 == "olga" }.count == 6)
        #expect(entries.allSatisfy { $0["log"] as? String == "audit" })
        #expect(entries.allSatisfy { $0["client"] is String })
        #expect(entries.allSatisfy { $0["time"] is String })
        #expect(Set(entries.suffix(3).map { $0["token"] as? String }).count == 1, "one session: \(entries.suffix(3))")
        for line in lines.all { #expect(!secrets.contains { line.contains($0) }, "\(line)") }
    }

    private struct Attack: Sendable {
        var name: String
        var status = 401
        var change: @Sendable (inout IDToken) -> Void
    }

    static func secondsFromNow(_ seconds: Double) -> Date {
        Date(timeIntervalSince1970: Double(ServerFixture.clock.now.microseconds) / 1e6 + seconds)
    }

    private static let attacks = [
        Attack(name: "expired") { $0.exp = .init(value: secondsFromNow(-120)) },
        Attack(name: "another audience") { $0.aud = AudienceClaim(value: ["somebody.else"]) },
        Attack(name: "several audiences without a party") { $0.aud = AudienceClaim(value: [client, "somebody.else"]) },
        Attack(name: "another issuer") { $0.iss = "https://accounts.google.com.example.org" },
        Attack(name: "no subject") { $0.sub = "" },
        Attack(name: "NUL in the subject") { $0.sub = "12\u{0}34" },
        Attack(name: "line break in the subject") { $0.sub = "1234\n" },
        Attack(name: "subject of 256 bytes") { $0.sub = .init(value: String(repeating: "1", count: 256)) },
        Attack(name: "control character in the name") { $0.name = "Olga\u{1b}[31m" },
        Attack(name: "line separator in the name") { $0.name = "Olga\u{2028}" },
        Attack(name: "control character in the address") { $0.email = "olga@example.org\r" },
        Attack(name: "not yet valid") { $0.nbf = .init(value: secondsFromNow(600)) },
        Attack(name: "issued in the future") { $0.iat = .init(value: secondsFromNow(600)) },
        Attack(name: "address not verified", status: 403) { $0.emailVerified = false },
        Attack(name: "verification unsaid", status: 403) { $0.emailVerified = nil },
        Attack(name: "another nonce") { $0.nonce = "other" },
    ]

    @Test func invalidIDTokenIsRefused() async throws {
        let issuer = try await Issuer()
        try await issuer.fixture.run { client in
            for attack in Self.attacks {
                let token = try await issuer.token(attack.change)
                let nonce = attack.name == "another nonce" ? "mine" : nil
                let response = try await client.send(.post, path: "/session", Self.body(token, nonce: nonce))
                #expect(response.status == attack.status, "\(attack.name): \(response)")
                #expect(response.json["token"] == nil, "\(attack.name): \(response)")
            }
        }
    }

    @Test func forgedSignatureIsRefused() async throws {
        let issuer = try await Issuer()
        let good = try await issuer.token()
        let parts = good.split(separator: ".").map(String.init)
        func encode(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
        }
        let none = encode(#"{"alg":"none","typ":"JWT"}"#)
        let symmetric = JWTKeyCollection()
        // The public key is the secret. A verifier that trusts the header would accept this signature.
        await symmetric.add(
            hmac: HMACKey(from: Data(issuer.key.publicKey.pemRepresentation.utf8)), digestAlgorithm: .sha256, kid: "one"
        )
        let payload = IDToken(
            iss: "https://accounts.google.com", sub: "1234", aud: AudienceClaim(value: [Self.client]),
            exp: .init(value: Self.secondsFromNow(600)))
        let forged = [
            "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1]).",
            "\(parts[0]).\(encode(#"{"iss":"https://accounts.google.com","sub":"1","aud":"x","exp":9999999999}"#)).\(parts[2])",
            try await issuer.token(key: ES256PrivateKey()), try await issuer.token(key: ES256PrivateKey(), kid: "two"),
            try await symmetric.sign(payload, kid: "one"), "", "a.b.c", String(repeating: "a", count: 9000),
        ]
        try await issuer.fixture.run { client in
            for token in forged {
                let response = try await client.send(.post, path: "/session", Self.body(token))
                #expect(response.status == 401, "\(token.prefix(60)): \(response)")
                #expect(response.json["token"] == nil, "\(token.prefix(60)): \(response)")
            }
            for body in ["", "{}", "[]", #"{"id_token":1}"#] {
                #expect(try await client.send(.post, path: "/session", body).status == 422, "\(body)")
            }
        }
    }

    @Test func tokenIsRefusedWhenRevokedOrExpired() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            #expect(try await client.send(path: "/session", as: "owner").json["user"] as? String == "owner")
            #expect(try await client.send(path: "/session", as: "operator").json["user"] is NSNull)
            for token in ["hbt_x", "", ServerFixture.operatorToken + "0"] {
                let response = try await client.send(path: "/collections/events/items", as: token)
                #expect(response.status == 401, "\(token): \(response)")
                #expect(response.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
            }
            let basic = try await client.send(
                path: "/collections/events/items", headers: [.authorization: "Basic eDp5"])
            #expect(basic.status == 401)
            // Another program revokes the token while this server has it in its cache.
            _ = try fixture.store.engine.write { session in
                try TokenActions(clock: ServerFixture.clock, in: session).revokeAll(
                    of: .user(named: "owner", in: session))
            }
            #expect(try await client.send(path: "/session", as: "owner").status == 401)
            #expect(try await client.send(path: "/session", as: "all").status == 200)
        }
        let old = try fixture.store.engine.write { session in
            let past = Clock(now: Instant(microseconds: ServerFixture.clock.now.microseconds - 7_200_000_000))
            return try TokenActions(clock: past, in: session).create(
                for: .user(named: "owner", in: session), label: nil, lifetime: .seconds(3600)
            ).secret
        }
        try await fixture.run { client in
            let response = try await client.send(path: "/session", as: old)
            #expect(response.status == 401, "\(response)")
        }
    }

    /// The keys of an issuer are fetched over HTTP once, and again for an unknown key after a pause.
    ///
    /// Cached keys are used while the issuer is unreachable.
    @Test func keysAreFetchedOnceAndAgainForUnknownKey() async throws {
        let (first, second) = (ES256PrivateKey(), ES256PrivateKey())
        let published = Mutex((keys: try Self.keySet(first, kid: "one"), fetches: 0, isUp: true))
        let router = Router()
        router.get("keys") { _, _ throws(HTTPError) -> String in
            let (keys, isUp) = published.withLock {
                $0.fetches += 1
                return ($0.keys, $0.isUp)
            }
            guard isUp else { throw HTTPError(.serviceUnavailable) }
            return keys
        }
        try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0))).test(
            .live
        ) {
            issuer in
            let port = try #require(issuer.port)
            var signIn = SignInOptions(clients: [Self.client])
            signIn.signUp = .anyone
            signIn.keys = "http://127.0.0.1:\(port)/keys"
            let start = ContinuousClock.now
            let passed = Mutex(Duration.zero)
            signIn.time = { start + passed.withLock { $0 } }
            let pause = signIn.keysPause
            let fixture = try await ServerFixture(Scene.friends) { $0.signIn = signIn }
            let tokens = try await Issuer()
            @Sendable func fetches() -> Int { published.withLock(\.fetches) }
            // Each token opens one session.
            func made(_ key: ES256PrivateKey, _ kid: String) async throws -> [String] {
                var made: [String] = []
                for age in 0..<3 {
                    let token = try await tokens.token(key: key, kid: kid) {
                        $0.iat = .init(value: Self.secondsFromNow(-Double(age)))
                    }
                    made.append(token)
                }
                return made
            }
            let (old, new) = (try await made(first, "one"), try await made(second, "two"))
            let forged = try await tokens.token(key: ES256PrivateKey(), kid: "three")
            try await fixture.run { client in
                func status(_ token: String) async throws -> Int {
                    try await client.send(.post, path: "/session", Self.body(token)).status
                }
                #expect(try await status(old[0]) == 201)
                #expect(try await status(old[1]) == 201)
                #expect(fetches() == 1)
                passed.withLock { $0 += pause - .nanoseconds(1) }
                // The pause is not over. A client with forged tokens must not cause repeated fetches.
                #expect(try await status(new[0]) == 401)
                #expect(fetches() == 1)
                try published.withLock { $0.keys = try Self.keySet(second, kid: "two") }
                passed.withLock { $0 += .nanoseconds(1) }
                #expect(try await status(new[0]) == 201)
                #expect(try await status(old[2]) == 401, "the issuer has removed the key")
                #expect(fetches() == 2)
                published.withLock { $0.isUp = false }
                passed.withLock { $0 += pause }
                #expect(try await status(forged) == 401)
                #expect(try await status(forged) == 401)
                #expect(fetches() == 3, "a failed download is not repeated")
                #expect(try await status(new[1]) == 201)
            }
        }
    }
}
