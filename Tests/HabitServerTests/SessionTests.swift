import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import JWTKit
import Synchronization
import Testing

@testable import HTTPServing
@testable import HabitServer

/// Tests of ID token headers, reused responses, accounts with one address, and sessions.
@Suite(.serialized) struct SessionTests {
    /// Returns the response of an issuer with another header of the ID token and a new signature.
    private static func answer(header: String, at issuer: TestIssuer) -> TestIssuer.Answer {
        TestIssuer.Answer(idToken: { nonce in
            let valid = try await issuer.token(nonce: nonce)
            let payload = try #require(valid.split(separator: ".").dropFirst().first)
            let keys = JWTKeyCollection()
            await keys.add(ecdsa: issuer.key, kid: "one")
            let text = "\(Data(header.utf8).base64URLEncoded).\(payload)"
            let signature = try await keys.getKey(for: "one").sign(Data(text.utf8))
            return "\(text).\(Data(signature).base64URLEncoded)"
        })
    }

    private static let headers = [
        (#"{"alg":"ES256","kid":"one","typ":"JWT"}"#, 303),
        (#"{"alg":"ES256","kid":"two"}"#, 401),
        (#"{"alg":"ES256"}"#, 401),
        (#"{"alg":"ES256","kid":null}"#, 401),
        (#"{"alg":"ES384","kid":"one"}"#, 401),
        (#"{"alg":"RS256","kid":"one"}"#, 401),
        (#"{"alg":"none","kid":"one"}"#, 401),
        (#"{"kid":"one"}"#, 401),
        (#"{"alg":"ES256","kid":"one","crit":["b64"],"b64":true}"#, 401),
        (#"{"alg":"ES256","kid":"one","crit":["x"],"x":1}"#, 401),
        (#"{"alg":"ES256","kid":"one","crit":[]}"#, 401),
        (#"{"alg":"ES256","kid":"one","crit":null}"#, 401),
    ]

    @Test func headerMustNameKeyAndItsAlgorithm() async throws {
        try await SignInScene().run { browser in
            for (header, status) in Self.headers {
                browser.cookies = [:]
                let response = try await browser.signIn(Self.answer(header: header, at: browser.issuer))
                #expect(response.status == status, "\(header): \(response)")
            }
        }
    }

    /// A key without an algorithm is used with the algorithm of its curve.
    @Test func keyWithoutAlgorithmUsesAlgorithmOfItsCurve() async throws {
        let scene = try await SignInScene()
        scene.issuer.change { state in
            let keys = state.keys.replacing(#""alg":"ES256","#, with: "")
            state.keys = keys.replacing(#"{"keys":["#, with: #"{"keys":[{"kty":"unknown"},"#)
        }
        try await scene.run { browser in
            let bad = Self.answer(header: #"{"alg":"ES384","kid":"one"}"#, at: browser.issuer)
            let refused = try await browser.signIn(bad)
            #expect(refused.status == 401, "\(refused)")
            let accepted = try await browser.signIn()
            #expect(accepted.status == 303, "\(accepted)")
        }
    }

    /// The response of an issuer opens only one session.
    @Test func responseOpensOneSessionOnAllServersOfStore() async throws {
        let scene = try await SignInScene()
        let location = scene.fixture.store.location
        let other = try HabitatServer(scene.fixture.server.options) { writes in
            try location.open(writes ? .write : .read, wait: .seconds(5))
        }
        let issuer = scene.issuer
        let started = Mutex<(path: String, cookies: [String: String])?>(nil)
        try await scene.run { browser in
            let path = try await issuer.authorize(try await browser.start())
            let cookies = browser.cookies
            started.withLock { started in started = (path, cookies) }
            #expect(try await browser.open(path).status == 303)
            #expect(browser.cookies.keys.sorted() == ["habitat"], "the attempt is complete")
            browser.cookies = cookies
            let replay = try await browser.open(path)
            #expect(replay.status == 401, "\(replay)")
            #expect(browser.cookies["habitat"] == nil)
        }
        let attempt = try #require(started.withLock { started in started })
        try await scene.fixture.run(other.router()) { client in
            let browser = TestBrowser(client, issuer)
            browser.cookies = attempt.cookies
            let replay = try await browser.open(attempt.path)
            #expect(replay.status == 401, "\(replay)")
            #expect(replay.text.contains("already complete"), "\(replay.text)")
        }
        #expect(issuer.state.count(of: .token) == 1)
    }

    /// A server completes a sign-in that another server of the store has started.
    @Test func allServersOfStoreCompleteSignIn() async throws {
        let scene = try await SignInScene()
        let location = scene.fixture.store.location
        let other = try HabitatServer(scene.fixture.server.options) { writes in
            try location.open(writes ? .write : .read, wait: .seconds(5))
        }
        let issuer = scene.issuer
        let started = Mutex<(path: String, cookies: [String: String])?>(nil)
        try await scene.run { browser in
            let path = try await issuer.authorize(try await browser.start())
            let cookies = browser.cookies
            started.withLock { started in started = (path, cookies) }
        }
        let attempt = try #require(started.withLock { started in started })
        try await scene.fixture.run(other.router()) { client in
            let browser = TestBrowser(client, issuer)
            browser.cookies = attempt.cookies
            let accepted = try await browser.open(attempt.path)
            #expect(accepted.status == 303, "\(accepted)")
            #expect(try await browser.user == "olga-ünal")
        }
    }

    @Test func usedTokenIsRemovedAfterItsExpiry() throws {
        let store = try TestStore()
        let now = ServerFixture.clock.now
        let use = SingleUse(of: "a.b", until: Instant(microseconds: now.microseconds + 1))
        func record(_ use: SingleUse, at now: Instant) throws -> Bool {
            try store.engine.write { try use.record(in: $0, at: now) }
        }
        #expect(try record(use, at: now))
        #expect(try !record(use, at: now))
        #expect(try record(SingleUse(of: "a.c", until: Instant(microseconds: .max)), at: now))
        let later = Instant(microseconds: now.microseconds + 2)
        #expect(try record(SingleUse(of: "a.d", until: Instant(microseconds: .max)), at: later))
        let rows = try store.engine.read { try $0.first("SELECT count(*) FROM used_once") { $0.integer(0) } }
        #expect(rows == 2)
    }

    @Test func addressIsVerifiedForOnlyOneAccount() async throws {
        var loaded = UserRecord(id: "twin-1")
        loaded.email = .value("twin@example.org")
        var other = loaded
        other.id = "twin-2"
        let scene = try await SignInScene(records: Scene.friends + [.user(loaded), .user(other)])
        try await scene.run { browser in
            func signIn(_ change: @escaping @Sendable (inout IDToken) -> Void = { _ in }) async throws -> String? {
                browser.cookies = [:]
                let response = try await browser.signIn(change)
                guard response.status == 303 else {
                    #expect(response.status == 409, "\(response)")
                    return nil
                }
                return try await browser.user
            }
            #expect(try await signIn() == "olga-ünal")
            let sameAddress = try await signIn { token in
                token.sub = "other"
                token.email = "OLGA@example.org"
            }
            let twin = try await signIn { token in
                token.sub = "twin"
                token.email = "twin@example.org"
            }
            #expect(sameAddress == nil)
            #expect(twin == nil)
            #expect(try await signIn() == "olga-ünal")
            #expect(try await signIn { token in token.email = "olga@example.com" } == "olga-ünal")
            // The issuer has assigned the address to another person.
            let next = try await signIn { token in
                token.sub = "next"
                token.name = "Next"
            }
            #expect(next == "next")
        }
    }

    @Test func usersListAndRevokeTheirSessions() async throws {
        try await SignInScene().run { browser in
            var secrets: [String] = []
            for _ in 0..<TokenActions.sessionLimit + 2 {
                browser.cookies = [:]
                try await browser.signIn()
                secrets.append(try #require(browser.cookies["habitat"]))
            }
            func send(
                _ method: HTTPRequest.Method = .get, path: String, secret: String
            ) async throws -> ServerResponse {
                let headers: HTTPFields = [.cookie: "habitat=\(secret)", .fetchSite: "same-origin"]
                return try await browser.client.send(method, path: path, headers: headers)
            }
            let last = try #require(secrets.last)
            // The two oldest sessions have ended.
            for (index, secret) in secrets.enumerated() {
                let status = try await send(.get, path: "/session", secret: secret).status
                #expect(status == (index < 2 ? 401 : 200), "\(index)")
            }
            func sessions(_ secret: String) async throws -> [[String: Any]] {
                try await send(.get, path: "/sessions", secret: secret).json["sessions"] as? [[String: Any]] ?? []
            }
            let all = try await sessions(last)
            #expect(all.count == TokenActions.sessionLimit)
            #expect(all.filter { $0["current"] as? Bool == true }.count == 1)
            #expect(all.allSatisfy { $0["expires_at"] as? String == "2026-12-20T12:00:00+00:00" })
            #expect(all.allSatisfy { $0["token"] == nil })
            let client = browser.client
            let first = try #require(all.first { $0["current"] as? Bool == false }?["id"] as? String)
            #expect(try await send(.get, path: "/sessions/\(first)", secret: last).json["id"] as? String == first)
            #expect(try await client.send(.delete, path: "/sessions/\(first)", as: "owner").status == 404)
            #expect(try await client.send(path: "/sessions/\(first)", as: "owner").status == 404)
            #expect(try await send(.delete, path: "/sessions/\(first)", secret: last).status == 204)
            #expect(try await send(.delete, path: "/sessions/\(first)", secret: last).status == 404)
            #expect(try await sessions(last).count == TokenActions.sessionLimit - 1)
            let own = try await client.send(path: "/sessions", as: "owner").json["sessions"] as? [Any]
            #expect(own?.count == 1)
            #expect(try await client.send(path: "/sessions").status == 401)
            #expect(try await client.send(path: "/sessions", as: "operator").status == 403)
        }
    }
}
