import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import Hummingbird
import HummingbirdTesting
import JWTKit
import Synchronization
import Testing

@testable import HabitServer

/// Signing in with an identity, and every way in which it must not work.
@Suite(.serialized) struct SignInTests {
    private static let client = "habitat.apps.googleusercontent.com"

    /// A key of an issuer of ours, and a server that takes its identities.
    private struct Issuer {
        let key = ES256PrivateKey()
        let folder: TemporaryFolder
        let fixture: ServerFixture

        init(records: [Record] = ServerFixture.records()) throws {
            folder = try TemporaryFolder()
            try folder.write(try SignInTests.keySet(key, kid: "one"), to: "keys.json")
            let path = folder.file("keys.json")
            fixture = try ServerFixture(records: records) { options in
                var signIn = SignInOptions(clients: [SignInTests.client])
                signIn.keys = path
                options.signIn = signIn
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

    /// What an issuer publishes (RFC 7517).
    private static func keySet(_ key: ES256PrivateKey, kid: String) throws -> String {
        let parameters = try #require(key.publicKey.parameters)
        func url(_ text: String) -> String {
            text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        return
            #"{"keys":[{"kty":"EC","crv":"P-256","alg":"ES256","use":"sig","kid":"\#(kid)","x":"\#(url(parameters.x))","y":"\#(url(parameters.y))"}]}"#
    }

    private static func body(_ token: String, nonce: String? = nil) -> String {
        nonce.map { #"{"id_token":"\#(token)","nonce":"\#($0)"}"# } ?? #"{"id_token":"\#(token)"}"#
    }

    @Test func anIdentityOpensAnAccountAndAlwaysTheSame() async throws {
        let issuer = try Issuer()
        let (token, later) = (try await issuer.token(), try await issuer.token { $0.email = "new@example.org" })
        try await issuer.fixture.run { client in
            let first = try await client.send(.post, path: "/session", Self.body(token))
            #expect(first.status == 201 && first.json["user"] as? String == "olga-ünal", "\(first)")
            let session = try #require(first.json["token"] as? String)
            #expect(session.utf8.count >= 43, "256 bits")
            #expect(first.headers[.cacheControl] == "no-store")
            #expect(try await client.send(path: "/session", as: session).json["user"] as? String == "olga-ünal")
            #expect(try await client.send(path: "/collections/events/items", as: session).ids.isEmpty)
            let second = try await client.send(.post, path: "/session", Self.body(later))
            #expect(second.json["user"] as? String == "olga-ünal" && second.json["token"] as? String != session)
            // Signed out, the token is worth nothing.
            #expect(try await client.send(.delete, path: "/session", as: session).status == 204)
            let replay = try await client.send(path: "/session", as: session)
            #expect(replay.status == 401 && replay.slug == "not-signed-in", "\(replay)")
        }
        // The store does not have what could be used.
        guard case .file(let path) = issuer.fixture.store.location else { return }
        let stored = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(stored.range(of: Data("hbt_".utf8)) == nil)
    }

    @Test func anAccountFromElsewhereIsTakenOverOnce() async throws {
        var user = UserRecord(id: "olga")
        user.email = .value("Olga@Example.org")
        let issuer = try Issuer(records: ServerFixture.records() + [.user(user)])
        let (own, thief) = (try await issuer.token(), try await issuer.token { $0.sub = "other" })
        try await issuer.fixture.run { client in
            #expect(try await client.send(.post, path: "/session", Self.body(own)).json["user"] as? String == "olga")
            let other = try await client.send(.post, path: "/session", Self.body(thief))
            #expect(other.status == 201 && other.json["user"] as? String != "olga", "\(other)")
        }
    }

    private struct Attack: CustomTestStringConvertible, Sendable {
        var name: String
        var status = 401
        var change: @Sendable (inout IDToken) -> Void
        var testDescription: String { name }
    }

    private static func moved(_ seconds: Double) -> Date {
        Date(timeIntervalSince1970: Double(ServerFixture.clock.now.microseconds) / 1e6 + seconds)
    }

    private static let attacks = [
        Attack(name: "expired") { $0.exp = .init(value: moved(-120)) },
        Attack(name: "another audience") { $0.aud = AudienceClaim(value: ["somebody.else"]) },
        Attack(name: "several audiences without a party") { $0.aud = AudienceClaim(value: [client, "somebody.else"]) },
        Attack(name: "another issuer") { $0.iss = "https://accounts.google.com.example.org" },
        Attack(name: "no subject") { $0.sub = "" },
        Attack(name: "not yet valid") { $0.nbf = .init(value: moved(600)) },
        Attack(name: "issued in the future") { $0.iat = .init(value: moved(600)) },
        Attack(name: "address not verified", status: 403) { $0.emailVerified = false },
        Attack(name: "verification unsaid", status: 403) { $0.emailVerified = nil },
        Attack(name: "another nonce") { $0.nonce = "other" },
    ]

    @Test(arguments: attacks) private func aTokenThatProvesNothingIsRefused(_ attack: Attack) async throws {
        let issuer = try Issuer()
        let token = try await issuer.token(attack.change)
        try await issuer.fixture.run { client in
            let nonce = attack.name == "another nonce" ? "mine" : nil
            let answer = try await client.send(.post, path: "/session", Self.body(token, nonce: nonce))
            #expect(answer.status == attack.status && answer.json["token"] == nil, "\(answer)")
        }
    }

    @Test func aForgedSignatureIsRefused() async throws {
        let issuer = try Issuer()
        let good = try await issuer.token()
        let parts = good.split(separator: ".").map(String.init)
        func encode(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
        }
        let none = encode(#"{"alg":"none","typ":"JWT"}"#)
        let symmetric = JWTKeyCollection()
        // The public key as the secret: what confuses a verifier that believes the header.
        await symmetric.add(
            hmac: HMACKey(from: Data(issuer.key.publicKey.pemRepresentation.utf8)), digestAlgorithm: .sha256, kid: "one"
        )
        let payload = IDToken(
            iss: "https://accounts.google.com", sub: "1234", aud: AudienceClaim(value: [Self.client]),
            exp: .init(value: Self.moved(600)))
        let forged = [
            "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1]).",
            "\(parts[0]).\(encode(#"{"iss":"https://accounts.google.com","sub":"1","aud":"x","exp":9999999999}"#)).\(parts[2])",
            try await issuer.token(key: ES256PrivateKey()), try await issuer.token(key: ES256PrivateKey(), kid: "two"),
            try await symmetric.sign(payload, kid: "one"), "", "a.b.c", String(repeating: "a", count: 9000),
        ]
        try await issuer.fixture.run { client in
            for token in forged {
                let answer = try await client.send(.post, path: "/session", Self.body(token))
                #expect(answer.status == 401 && answer.json["token"] == nil, "\(token.prefix(60)): \(answer)")
            }
            for body in ["", "{}", "[]", #"{"id_token":1}"#] {
                #expect(try await client.send(.post, path: "/session", body).status == 422, "\(body)")
            }
        }
    }

    @Test func tokensEndWhenTheyAreRevokedOrTooOld() async throws {
        let fixture = try ServerFixture()
        try await fixture.run { client in
            #expect(try await client.send(path: "/session", as: "owner").json["user"] as? String == "owner")
            #expect(try await client.send(path: "/session", as: "operator").json["user"] is NSNull)
            for token in ["hbt_x", "", ServerFixture.operatorToken + "0"] {
                let answer = try await client.send(path: "/collections/events/items", as: token)
                #expect(answer.status == 401, "\(token): \(answer)")
                #expect(answer.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
            }
            let basic = try await client.send(
                path: "/collections/events/items", headers: [.authorization: "Basic eDp5"])
            #expect(basic.status == 401)
            // By another program, while this server remembers it.
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
            let answer = try await client.send(path: "/session", as: old)
            #expect(answer.status == 401, "\(answer)")
        }
    }

    /// The keys of an issuer over HTTP: fetched once, again when it signs with another key, and no oftener than that; those at
    /// hand serve while it cannot be reached.
    @Test func keysAreFetchedAndFetchedAgain() async throws {
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
            (signIn.keys, signIn.keysPause) = ("http://127.0.0.1:\(port)/keys", .seconds(3))
            let fixture = try ServerFixture { $0.signIn = signIn }
            let tokens = try Issuer()
            @Sendable func fetches() -> Int { published.withLock(\.fetches) }
            let old = try await tokens.token(key: first)
            let new = try await tokens.token(key: second, kid: "two")
            let forged = try await tokens.token(key: ES256PrivateKey(), kid: "three")
            try await fixture.run { client in
                func status(_ token: String) async throws -> Int {
                    try await client.send(.post, path: "/session", Self.body(token)).status
                }
                #expect(try await status(old) == 201)
                #expect(try await status(old) == 201)
                #expect(fetches() == 1)
                // Not yet: whoever sends tokens of nobody's must not make the server ask all the time.
                #expect(try await status(new) == 401)
                #expect(fetches() == 1)
                try published.withLock { $0.keys = try Self.keySet(second, kid: "two") }
                try await Task.sleep(for: .seconds(3.2))
                #expect(try await status(new) == 201)
                #expect(try await status(old) == 401, "its key has been withdrawn")
                #expect(fetches() == 2)
                published.withLock { $0.isUp = false }
                try await Task.sleep(for: .seconds(3.2))
                #expect(try await status(forged) == 401)
                #expect(try await status(forged) == 401)
                #expect(fetches() == 3, "asked once, though it did not answer")
                #expect(try await status(new) == 201)
            }
        }
    }
}
