import Base
import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import Hummingbird
import HummingbirdTesting
import JWTKit
import Testing

@testable import HabitServer

/// Tests of ID token headers, reused tokens, accounts with one address, and sessions.
@Suite(.serialized) struct SessionTests {
    private typealias Issuer = SignInTests.Issuer

    /// Returns a valid token with another header and a new signature.
    private static func signedToken(_ token: String, header: String, with key: ES256PrivateKey) async throws -> String {
        let payload = try #require(token.split(separator: ".").dropFirst().first)
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: key, kid: "one")
        let text = "\(Data(header.utf8).base64URLEncoded).\(payload)"
        let signature = try await keys.getKey(for: "one").sign(Data(text.utf8))
        return "\(text).\(Data(signature).base64URLEncoded)"
    }

    private static let headers = [
        (#"{"alg":"ES256","kid":"one","typ":"JWT"}"#, 201), (#"{"alg":"ES256","kid":"two"}"#, 401),
        (#"{"alg":"ES256"}"#, 401), (#"{"alg":"ES256","kid":null}"#, 401), (#"{"alg":"ES384","kid":"one"}"#, 401),
        (#"{"alg":"RS256","kid":"one"}"#, 401), (#"{"alg":"none","kid":"one"}"#, 401), (#"{"kid":"one"}"#, 401),
        (#"{"alg":"ES256","kid":"one","crit":["b64"],"b64":true}"#, 401),
        (#"{"alg":"ES256","kid":"one","crit":["x"],"x":1}"#, 401), (#"{"alg":"ES256","kid":"one","crit":[]}"#, 401),
        (#"{"alg":"ES256","kid":"one","crit":null}"#, 401),
    ]

    @Test func headerMustNameKeyAndItsAlgorithm() async throws {
        let issuer = try await Issuer()
        try await issuer.fixture.run { client in
            for (number, (header, status)) in Self.headers.enumerated() {
                // No token is refused as one that has been used.
                let valid = try await issuer.token { $0.nonce = "\(number)" }
                let token = try await Self.signedToken(valid, header: header, with: issuer.key)
                let response = try await client.send(.post, path: "/session", SignInTests.body(token))
                #expect(response.status == status, "\(header): \(response)")
            }
        }
    }

    /// A key without an algorithm is used with the algorithm of its curve.
    @Test func keyWithoutAlgorithmUsesAlgorithmOfItsCurve() async throws {
        let issuer = try await Issuer()
        let keys = try SignInTests.keySet(issuer.key, kid: "one").replacing(#""alg":"ES256","#, with: "")
        try issuer.folder.write(keys.replacing(#"{"keys":["#, with: #"{"keys":[{"kty":"unknown"},"#), to: "keys.json")
        let good = try await issuer.token()
        let bad = try await Self.signedToken(good, header: #"{"alg":"ES384","kid":"one"}"#, with: issuer.key)
        try await issuer.fixture.run { client in
            let refused = try await client.send(.post, path: "/session", SignInTests.body(bad))
            let accepted = try await client.send(.post, path: "/session", SignInTests.body(good))
            #expect(refused.status == 401, "\(refused) \(accepted)")
            #expect(accepted.status == 201, "\(refused) \(accepted)")
        }
    }

    /// Returns the token with the signature (r, n - s), which is valid if (r, s) is.
    private static func withOtherSignature(_ token: String) throws -> String {
        let order = Array(
            try #require(Data(base64URLEncoded: "_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE")))
        var parts = token.split(separator: ".").map(String.init)
        var signature = Array(try #require(Data(base64URLEncoded: parts[2])))
        var borrow = 0
        for index in stride(from: 31, through: 0, by: -1) {
            let difference = Int(order[index]) - Int(signature[32 + index]) - borrow
            signature[32 + index] = UInt8(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
        parts[2] = Data(signature).base64URLEncoded
        return parts.joined(separator: ".")
    }

    @Test func tokenOpensOneSessionOnAllServersOfStore() async throws {
        let issuer = try await Issuer()
        let location = issuer.fixture.store.location
        let other = try HabitatServer(issuer.fixture.server.options) { writes in
            try location.open(writes ? .write : .read, wait: .seconds(5))
        }
        let token = try await issuer.token()
        let (changed, second) = (try Self.withOtherSignature(token), try await issuer.token { $0.nonce = "n" })
        try await issuer.fixture.run { client in
            #expect(try await client.send(.post, path: "/session", SignInTests.body(second)).status == 201)
            #expect(try await client.send(.post, path: "/session", SignInTests.body(token)).status == 201)
            for replay in [token, changed, second] {
                let response = try await client.send(.post, path: "/session", SignInTests.body(replay))
                #expect(response.status == 401, "\(response)")
                #expect(response.json["token"] == nil, "\(response)")
            }
        }
        try await Application(router: other.router()).test(.router) { client in
            let client = ServerClient(client: client, tokens: [:])
            let response = try await client.send(.post, path: "/session", SignInTests.body(token))
            #expect(response.status == 401, "\(response)")
        }
        // The changed signature is valid: it opens a session on a store that has not seen the token.
        let fresh = try await Issuer()
        let own = try Self.withOtherSignature(try await fresh.token())
        try await fresh.fixture.run { client in
            let response = try await client.send(.post, path: "/session", SignInTests.body(own))
            #expect(response.status == 201, "\(response)")
        }
    }

    @Test func usedTokenIsRemovedAfterItsExpiry() throws {
        let store = try TestStore()
        let now = ServerFixture.clock.now
        let use = IDTokenUse(of: "a.b", until: Instant(microseconds: now.microseconds + 1))
        func record(_ use: IDTokenUse, at now: Instant) throws -> Bool {
            try store.engine.write { try SignIn(in: $0).record(use, at: now) }
        }
        #expect(try record(use, at: now))
        #expect(try !record(use, at: now))
        #expect(try record(IDTokenUse(of: "a.c", until: Instant(microseconds: .max)), at: now))
        let later = Instant(microseconds: now.microseconds + 2)
        #expect(try record(IDTokenUse(of: "a.d", until: Instant(microseconds: .max)), at: later))
        let rows = try store.engine.read { try $0.first("SELECT count(*) FROM used_id_token") { $0.integer(0) } }
        #expect(rows == 2)
    }

    @Test func addressIsVerifiedForOnlyOneAccount() async throws {
        var loaded = UserRecord(id: "twin-1")
        loaded.email = .value("twin@example.org")
        var other = loaded
        other.id = "twin-2"
        let issuer = try await Issuer(records: Scene.friends + [.user(loaded), .user(other)])
        let first = try await issuer.token()
        let again = try await issuer.token { $0.iat = .init(value: SignInTests.secondsFromNow(-1)) }
        let second = try await issuer.token {
            $0.sub = "other"
            $0.email = "OLGA@example.org"
        }
        let twin = try await issuer.token {
            $0.sub = "twin"
            $0.email = "twin@example.org"
        }
        let moved = try await issuer.token { $0.email = "olga@example.com" }
        let next = try await issuer.token {
            $0.sub = "next"
            $0.name = "Next"
        }
        try await issuer.fixture.run { client in
            func signIn(_ token: String) async throws -> ServerResponse {
                try await client.send(.post, path: "/session", SignInTests.body(token))
            }
            #expect(try await signIn(first).json["user"] as? String == "olga-ünal")
            for refused in [try await signIn(second), try await signIn(twin)] {
                #expect(refused.status == 409, "\(refused)")
                #expect(refused.slug == "user-exists", "\(refused)")
            }
            #expect(try await signIn(again).json["user"] as? String == "olga-ünal")
            #expect(try await signIn(moved).json["user"] as? String == "olga-ünal")
            // The issuer has assigned the address to another person.
            #expect(try await signIn(next).json["user"] as? String == "next")
        }
    }

    @Test func usersListAndRevokeTheirSessions() async throws {
        let issuer = try await Issuer()
        var made: [String] = []
        for age in 0..<TokenActions.sessionLimit + 2 {
            made.append(try await issuer.token { $0.iat = .init(value: SignInTests.secondsFromNow(-Double(age))) })
        }
        let idTokens = made
        try await issuer.fixture.run { client in
            var tokens: [String] = []
            for token in idTokens {
                let response = try await client.send(.post, path: "/session", SignInTests.body(token))
                tokens.append(try #require(response.json["token"] as? String))
            }
            let last = try #require(tokens.last)
            // The two oldest sessions have ended.
            for (index, token) in tokens.enumerated() {
                let status = try await client.send(path: "/session", as: token).status
                #expect(status == (index < 2 ? 401 : 200), "\(index)")
            }
            func sessions(_ token: String) async throws -> [[String: Any]] {
                try await client.send(path: "/sessions", as: token).json["sessions"] as? [[String: Any]] ?? []
            }
            let all = try await sessions(last)
            #expect(all.count == TokenActions.sessionLimit)
            #expect(all.filter { $0["current"] as? Bool == true }.count == 1)
            #expect(all.allSatisfy { $0["expires_at"] as? String == "2026-12-20T12:00:00+00:00" })
            #expect(all.allSatisfy { $0["token"] == nil })
            let first = try #require(all.first { $0["current"] as? Bool == false }?["id"] as? String)
            #expect(try await client.send(path: "/sessions/\(first)", as: last).json["id"] as? String == first)
            #expect(try await client.send(.delete, path: "/sessions/\(first)", as: "owner").status == 404)
            #expect(try await client.send(path: "/sessions/\(first)", as: "owner").status == 404)
            #expect(try await client.send(.delete, path: "/sessions/\(first)", as: last).status == 204)
            #expect(try await client.send(.delete, path: "/sessions/\(first)", as: last).status == 404)
            #expect(try await sessions(last).count == TokenActions.sessionLimit - 1)
            #expect(try await sessions("owner").count == 1)
            #expect(try await client.send(path: "/sessions").status == 401)
            #expect(try await client.send(path: "/sessions", as: "operator").status == 403)
        }
    }
}
