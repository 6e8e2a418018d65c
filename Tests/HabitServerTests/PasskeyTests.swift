import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitPages
@testable import HabitServer

extension ServerClient {
    /// The header fields of a request of the server's page with a cookie.
    fileprivate static func page(_ cookie: String) -> HTTPFields { ownPage.merging([.cookie: cookie]) }

    /// Returns the response of a new passkey to a challenge of the server.
    fileprivate func registration(_ authenticator: inout SoftwareAuthenticator, _ cookie: String) async throws
        -> AuthenticatorResponse
    {
        let options = try await send(.post, path: "/passkeys/challenge", headers: Self.page(cookie))
        #expect(options.status == 200, "\(options)")
        let user = try #require(options.json["user"] as? [String: Any])
        let handle = try #require(user["id"] as? String)
        authenticator.userHandle = Array(try #require(Data(base64URLEncoded: handle)))
        return authenticator.answer(.registration, to: try #require(options.json["challenge"] as? String))
    }

    /// Adds a passkey of the user of a session.
    fileprivate func add(
        _ authenticator: inout SoftwareAuthenticator,
        _ cookie: String,
        label: String? = nil
    ) async throws -> ServerResponse {
        let answer = try await registration(&authenticator, cookie)
        let body = answer.registration.body(label: label)
        return try await send(.post, path: "/passkeys", body, headers: Self.page(cookie))
    }

    /// Returns the response of a passkey to a challenge of a sign-in.
    fileprivate func signInAnswer(_ authenticator: SoftwareAuthenticator) async throws -> AuthenticatorResponse {
        let options = try await send(.post, path: "/sign-in/passkey/challenge")
        #expect(options.status == 200, "\(options)")
        return authenticator.answer(.signIn, to: try #require(options.json["challenge"] as? String))
    }

    fileprivate func signIn(_ answer: AuthenticatorResponse, headers: HTTPFields = ownPage) async throws
        -> ServerResponse
    {
        try await send(.post, path: "/sign-in/passkey", answer.signIn().body, headers: headers)
    }
}

extension ServerResponse {
    /// The cookie that the response sets, as a browser sends it.
    fileprivate var cookie: String? {
        headers[.setCookie].map { field in String(field.prefix { character in character != ";" }) }
    }

    fileprivate var passkeys: [[String: Any]] { json["passkeys"] as? [[String: Any]] ?? [] }
}

/// Tests of passkeys over HTTP.
@Suite(.engineIndependent, .serialized) struct PasskeyTests {
    private static func fixture(_ change: (inout ServerOptions) -> Void = { _ in }) async throws -> ServerFixture {
        try await ServerFixture(Scene.friends) { options in
            options.publicURL = "https://\(AuthenticatorResponse.domain)"
            change(&options)
        }
    }

    private static func actions(_ audit: LogLines) -> [String] {
        audit.entries.compactMap { entry in entry["action"] as? String }
    }

    // MARK: Sign-in

    @Test(arguments: Passkey.Algorithm.allCases) func passkeySignsIn(algorithm: Passkey.Algorithm) async throws {
        let audit = LogLines()
        try await Self.fixture { options in options.audit = audit.add }.run { client in
            let first = try await client.personalCookie(of: "owner")
            var authenticator = try SoftwareAuthenticator(algorithm)
            let added = try await client.add(&authenticator, first, label: "phone")
            #expect(added.status == 201, "\(added)")
            #expect(added.json["label"] as? String == "phone")
            #expect(added.json["used_at"] is NSNull)
            #expect(added.json["created_at"] as? String == "2026-11-20T12:00:00+00:00")
            let id = try #require(added.json["id"] as? String)

            let entered = try await client.signIn(client.signInAnswer(authenticator))
            #expect(entered.status == 201, "\(entered)")
            #expect(entered.json["user"] as? String == "owner")
            #expect(entered.json["expires_at"] as? String == "2026-12-20T12:00:00+00:00")
            #expect(entered.headers[.cacheControl] == "no-store")
            let cookie = try #require(entered.cookie)
            #expect(cookie.hasPrefix("__Host-habitat=hbs_"))
            let list = try await client.send(path: "/passkeys", headers: [.cookie: cookie])
            #expect(list.passkeys.count == 1, "\(list)")
            #expect(list.passkeys.first?["used_at"] as? String == "2026-11-20T12:00:00+00:00")

            #expect(Self.actions(audit) == ["token.create", "sign-in.link", "passkey.create", "token.create"])
            #expect(audit.entries.last?["passkey"] as? String == id)
            #expect(audit.entries.last?["user"] as? String == "owner")
            #expect(audit.entries.last?["kind"] as? String == "session")
            let secret = Data(authenticator.credential).base64URLEncoded
            #expect(!audit.all.joined().contains(secret))
        }
    }

    /// A passkey would outlive the token, whose lifetime the operator decides.
    @Test func sessionOfAccessTokenAddsNoPasskey() async throws {
        try await Self.fixture().run { client in
            let cookie = try await client.cookie(of: "owner")
            for path in ["/passkeys", "/passkeys/challenge"] {
                let refused = try await client.send(.post, path: path, "{}", headers: ServerClient.page(cookie))
                #expect(refused.status == 403, "\(path): \(refused)")
                #expect(refused.slug == "not-signed-in")
            }
        }
    }

    @Test func optionsAreOfServerAndUser() async throws {
        try await Self.fixture().run { client in
            let cookie = try await client.personalCookie(of: "owner")
            var authenticator = try SoftwareAuthenticator()
            #expect(try await client.add(&authenticator, cookie).status == 201)
            let options = try await client.send(.post, path: "/passkeys/challenge", headers: ServerClient.page(cookie))
            #expect(options.headers[.cacheControl] == "no-store")
            #expect((options.json["rp"] as? [String: String])?["id"] == AuthenticatorResponse.domain)
            let user = options.json["user"] as? [String: String]
            #expect(user?["name"] == "owner")
            // All passkeys of a user have the same handle.
            #expect(user?["id"] == Data(authenticator.userHandle).base64URLEncoded)
            #expect(authenticator.userHandle.count == 32)
            #expect(options.json["attestation"] as? String == "none")
            let selection = options.json["authenticatorSelection"] as? [String: Any]
            #expect(selection?["residentKey"] as? String == "required")
            #expect(selection?["userVerification"] as? String == "required")
            let excluded = options.json["excludeCredentials"] as? [[String: String]]
            #expect(excluded?.map { known in known["id"] } == [Data(authenticator.credential).base64URLEncoded])
            let algorithms = options.json["pubKeyCredParams"] as? [[String: Any]]
            #expect(algorithms?.map { parameter in parameter["alg"] as? Int } == [-7, -257])
            let signIn = try await client.send(.post, path: "/sign-in/passkey/challenge")
            #expect(signIn.json["rpId"] as? String == AuthenticatorResponse.domain)
            #expect(signIn.json["userVerification"] as? String == "required")
            #expect(signIn.headers[.cacheControl] == "no-store")
        }
    }

    @Test func challengeIsValidOnce() async throws {
        try await Self.fixture().run { client in
            let cookie = try await client.personalCookie(of: "owner")
            var authenticator = try SoftwareAuthenticator()
            let answer = try await client.registration(&authenticator, cookie)
            let body = answer.registration.body()
            let added = try await client.send(.post, path: "/passkeys", body, headers: ServerClient.page(cookie))
            #expect(added.status == 201, "\(added)")
            let again = try await client.send(.post, path: "/passkeys", body, headers: ServerClient.page(cookie))
            #expect(again.status == 422, "\(again)")
            #expect(again.slug == "passkey-invalid")
            let signIn = try await client.signInAnswer(authenticator)
            #expect(try await client.signIn(signIn).status == 201)
            let replayed = try await client.signIn(signIn)
            #expect(replayed.status == 401, "\(replayed)")
            #expect(replayed.slug == "passkey-invalid")
            #expect(replayed.headers[.setCookie] == nil)
        }
    }

    @Test func challengeOfRegistrationIsOfItsUser() async throws {
        try await Self.fixture().run { client in
            let owner = try await client.personalCookie(of: "owner")
            let other = try await client.personalCookie(of: "all")
            var authenticator = try SoftwareAuthenticator()
            let answer = try await client.registration(&authenticator, owner)
            let body = answer.registration.body()
            let refused = try await client.send(.post, path: "/passkeys", body, headers: ServerClient.page(other))
            #expect(refused.slug == "passkey-invalid", "\(refused)")
            let list = try await client.send(path: "/passkeys", headers: [.cookie: other])
            #expect(list.passkeys.isEmpty)
        }
    }

    @Test func oldChallengeIsRefused() async throws {
        let clock = TestClock()
        try await Self.fixture { options in options.clock = { clock.now } }.run { client in
            let cookie = try await client.personalCookie(of: "owner")
            var authenticator = try SoftwareAuthenticator()
            #expect(try await client.add(&authenticator, cookie).status == 201)
            let answer = try await client.signInAnswer(authenticator)
            clock.advance(by: 300)
            #expect(try await client.signIn(answer).status == 401)
        }
    }

    @Test func pageOfOtherSiteOpensNoSession() async throws {
        try await Self.fixture().run { client in
            let cookie = try await client.personalCookie(of: "owner")
            var authenticator = try SoftwareAuthenticator()
            #expect(try await client.add(&authenticator, cookie).status == 201)
            let answer = try await client.signInAnswer(authenticator)
            let foreign: [HTTPFields] = [
                [.fetchSite: "cross-site"], [.fetchSite: "same-site"], [.origin: "https://evil.example"], [:],
            ]
            for headers in foreign {
                let refused = try await client.signIn(answer, headers: headers)
                #expect(refused.slug == "cross-site", "\(headers): \(refused)")
                #expect(refused.headers[.setCookie] == nil)
                let challenge = try await client.send(
                    .post, path: "/passkeys/challenge", headers: headers.merging([.cookie: cookie]))
                #expect(challenge.slug == "cross-site", "\(headers): \(challenge)")
            }
            #expect(try await client.signIn(answer).status == 201)
        }
    }

    @Test func copiedPasskeyIsRefusedAndAudited() async throws {
        let audit = LogLines()
        try await Self.fixture { options in options.audit = audit.add }.run { client in
            let cookie = try await client.personalCookie(of: "owner")
            var authenticator = try SoftwareAuthenticator()
            let id = try #require(try await client.add(&authenticator, cookie).json["id"] as? String)
            for (counter, status) in [(UInt32(9), 201), (9, 401), (8, 401), (10, 201)] {
                var answer = try await client.signInAnswer(authenticator)
                answer.counter = counter
                let response = try await client.signIn(answer)
                #expect(response.status == status, "\(response)")
                guard status == 401 else { continue }
                #expect(response.slug == "passkey-copied")
                #expect(Self.actions(audit).suffix(2) == ["sign-in.refuse", "passkey.refuse"])
                #expect(audit.entries.last?["user"] as? String == "owner")
                #expect(audit.entries.last?["passkey"] as? String == id)
            }
        }
    }

    @Test func refusedPasskeysAreAuditedAndLimited() async throws {
        let audit = LogLines()
        let fixture = try await Self.fixture { options in options.audit = audit.add }
        let failures = fixture.server.services.signInFailures
        try await fixture.run { client in
            let answer = try await client.signInAnswer(SoftwareAuthenticator())
            var forged = answer
            forged.userHandle = [1]
            let refused = try await client.signIn(forged)
            #expect(refused.status == 401, "\(refused)")
            #expect(Self.actions(audit) == ["sign-in.refuse"])
            #expect(audit.entries.last?["reason"] as? String == "passkey-invalid")
            while failures.record("-") {}
            #expect(try await client.signIn(forged).status == 429)
        }
    }

    @Test(arguments: [
        "", "[]", "x", "{}", #"{"id":1}"#, #"{"id":"AA"}"#,
        #"{"id":"!","client_data":"AA","authenticator_data":"AA","signature":"AA","user_handle":"AA"}"#,
        #"{"id":"AA","client_data":"","authenticator_data":"AA","signature":"AA","user_handle":"AA"}"#,
    ])
    func malformedAnswerIsRefused(body: String) async throws {
        try await Self.fixture().run { client in
            let cookie = try await client.personalCookie(of: "owner")
            for path in ["/sign-in/passkey", "/passkeys"] {
                let refused = try await client.send(.post, path: path, body, headers: ServerClient.page(cookie))
                #expect(["row-invalid", "field-invalid"].contains(refused.slug), "\(path): \(refused)")
            }
        }
    }

    @Test func largeAnswerIsRefused() async throws {
        try await Self.fixture().run { client in
            let body = #"{"id":"\#(String(repeating: "A", count: 20_000))"}"#
            let refused = try await client.send(.post, path: "/sign-in/passkey", body, headers: ServerClient.ownPage)
            #expect(refused.status == 413, "\(refused)")
        }
    }

    // MARK: Passkeys of a user

    /// A token cannot extend its access by a passkey.
    @Test func onlySessionAddsPasskey() async throws {
        try await Self.fixture().run { client in
            let cookie = try await client.personalCookie(of: "owner")
            var authenticator = try SoftwareAuthenticator()
            let answer = try await client.registration(&authenticator, cookie)
            let body = answer.registration.body()
            for (user, status) in [("owner", 403), ("operator", 403)] {
                for path in ["/passkeys", "/passkeys/challenge"] {
                    let refused = try await client.send(
                        .post, path: path, as: user, body, headers: ServerClient.page(cookie))
                    #expect(refused.status == status, "\(user) \(path): \(refused)")
                    #expect(refused.slug == "not-signed-in")
                }
            }
            for path in ["/passkeys", "/passkeys/challenge"] {
                #expect(try await client.send(.post, path: path, body).status == 401)
            }
            let operatorCookie = try await client.cookie(of: "operator")
            let refused = try await client.send(
                .post, path: "/passkeys/challenge", headers: ServerClient.page(operatorCookie))
            #expect(refused.status == 403, "\(refused)")
            #expect(try await client.send(path: "/passkeys", as: "owner").passkeys.isEmpty)
        }
    }

    @Test func passkeyIsRenamedAndRemoved() async throws {
        let audit = LogLines()
        try await Self.fixture { options in options.audit = audit.add }.run { client in
            let cookie = try await client.personalCookie(of: "owner")
            var authenticator = try SoftwareAuthenticator()
            let id = try #require(try await client.add(&authenticator, cookie).json["id"] as? String)
            let path = "/passkeys/\(id)"
            let entered = try await client.signIn(client.signInAnswer(authenticator))
            let session = try #require(entered.cookie)
            for (label, shown) in [(#""blue key""#, "blue key"), ("null", nil)] {
                let body = #"{"label":\#(label)}"#
                let renamed = try await client.send(.patch, path: path, body, headers: ServerClient.page(cookie))
                #expect(renamed.status == 200, "\(renamed)")
                #expect(renamed.json["label"] as? String == shown)
            }
            let long = String(repeating: "a", count: 51)
            for body in [
                #"{"label":"\#(long)"}"#,
                #"{"label":"a\nb"}"#,
                #"{"label":1}"#,
                "[]",
            ] {
                let refused = try await client.send(.patch, path: path, body, headers: ServerClient.page(cookie))
                #expect(refused.status == 422, "\(body): \(refused)")
            }
            for method in [HTTPRequest.Method.patch, .delete] {
                let refused = try await client.send(method, path: path, as: "stranger", #"{"label":"x"}"#)
                #expect(refused.status == 404, "\(refused)")
            }
            #expect(try await client.send(.delete, path: path, headers: ServerClient.page(cookie)).status == 204)
            #expect(try await client.send(.delete, path: path, headers: ServerClient.page(cookie)).status == 404)
            #expect(
                Self.actions(audit).filter { action in action.hasPrefix("passkey.") } == [
                    "passkey.create", "passkey.update", "passkey.update", "passkey.delete",
                ])
            #expect(try await client.signIn(client.signInAnswer(authenticator)).status == 401)
            // A session that the passkey has opened stays.
            #expect(try await client.send(path: "/session", headers: [.cookie: session]).status == 200)
        }
    }

    @Test func knownPasskeyIsRefused() async throws {
        try await Self.fixture().run { client in
            var authenticator = try SoftwareAuthenticator()
            let cookie = try await client.personalCookie(of: "owner")
            #expect(try await client.add(&authenticator, cookie).status == 201)
            for user in ["owner", "all"] {
                let other = try await client.personalCookie(of: user)
                let refused = try await client.add(&authenticator, other)
                #expect(refused.status == 409, "\(refused)")
                #expect(refused.slug == "passkey-exists")
            }
        }
    }

    @Test func userHasAtMost20Passkeys() async throws {
        try await Self.fixture().run { client in
            let cookie = try await client.personalCookie(of: "owner")
            var last = try SoftwareAuthenticator()
            let answer = try await client.registration(&last, cookie)
            for _ in 0..<PasskeyActions.limit {
                var authenticator = try SoftwareAuthenticator()
                #expect(try await client.add(&authenticator, cookie).status == 201)
            }
            let body = answer.registration.body()
            for path in ["/passkeys/challenge", "/passkeys"] {
                let refused = try await client.send(.post, path: path, body, headers: ServerClient.page(cookie))
                #expect(refused.status == 409, "\(refused)")
                #expect(refused.slug == "too-many-passkeys")
            }
            #expect(try await client.send(path: "/passkeys", as: "owner").passkeys.count == 20)
        }
    }

    @Test func passkeyOfDeletedAccountOpensNoSession() async throws {
        try await Self.fixture().run { client in
            let cookie = try await client.personalCookie(of: "owner")
            var authenticator = try SoftwareAuthenticator()
            #expect(try await client.add(&authenticator, cookie).status == 201)
            let answer = try await client.signInAnswer(authenticator)
            #expect(try await client.send(.delete, path: "/user", as: "owner").status == 204)
            #expect(try await client.signIn(answer).status == 401)
            let other = try await client.personalCookie(of: "all")
            #expect(try await client.add(&authenticator, other).status == 201)
        }
    }

    // MARK: Servers and pages

    @Test(arguments: ["http://habits.example", "https://192.0.2.1"])
    func serverWithoutDomainHasNoPasskeys(publicURL: String) async throws {
        try await Self.fixture { options in options.publicURL = publicURL }.run { client in
            let cookie = try await client.personalCookie(of: "owner")
            for path in ["/sign-in/passkey/challenge", "/sign-in/passkey", "/passkeys/challenge", "/passkeys"] {
                let refused = try await client.send(.post, path: path, "{}", headers: ServerClient.page(cookie))
                #expect(refused.status == 404, "\(path): \(refused)")
            }
            let page = try await client.send(path: "/sign-in", headers: [.accept: "text/html"])
            #expect(page.text.matches(of: /<script/).count == 1)
            #expect(page.text.contains("/sign-in.js\"></script>"))
            #expect(!page.text.contains("passkey"))
        }
    }

    @Test func signInPageOffersPasskeys() async throws {
        try await Self.fixture { options in options.publicURL = "https://habits.example/app" }.run { client in
            let page = try await client.send(path: "/sign-in?to=%2Fmap", headers: [.accept: "text/html"])
            let expected = #"<div id="passkey" data-domain="habits.example" data-target="/app/map" hidden>"#
            #expect(page.text.contains(expected), "\(page.text)")
            #expect(page.text.contains(#"<form class="sign-in" id="passkey-autofill" hidden>"#))
            #expect(page.text.contains(#" autocomplete="username webauthn" "#))
            let file = "/" + WebFiles.all.path(of: "passkey.js")
            #expect(page.text.contains(#"<script type="module" src="/app\#(file)"></script>"#))
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("; script-src 'self'; connect-src 'self'; "), "\(policy)")
            let script = try await client.send(path: file)
            #expect(script.status == 200)
            #expect(script.type == "text/javascript; charset=utf-8")
        }
    }
}
