import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import JWTKit
import Synchronization
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of signing in with an issuer, including invalid ID tokens.
@Suite(.serialized) struct SignInTests {
    @Test func identityAlwaysSignsInToSameAccount() async throws {
        let scene = try await SignInScene()
        try await scene.run { browser in
            let first = try await browser.signIn(query: "?to=%2Fmap")
            #expect(first.status == 303, "\(first)")
            #expect(first.headers[.location] == "/map")
            #expect(first.headers[.cacheControl] == "no-store")
            let session = try #require(browser.cookies["habitat"])
            #expect(session.hasPrefix("hbs_"))
            #expect(session.utf8.count >= 43, "256 bits")
            #expect(try await browser.user == "olga-ünal")
            #expect(try await browser.open("/collections/events/items?f=json", [:]).ids.isEmpty)
            let other = TestBrowser(browser.client, browser.issuer)
            try await other.signIn { token in token.email = "new@example.org" }
            #expect(try await other.user == "olga-ünal")
            #expect(other.cookies["habitat"] != session)
            // The session is invalid after signing out.
            let cookie: HTTPFields = ServerClient.ownPage.merging([.cookie: "habitat=\(session)"])
            #expect(try await browser.client.send(.delete, path: "/session", headers: cookie).status == 204)
            let replay = try await browser.client.send(path: "/session", headers: cookie)
            #expect(replay.status == 401, "\(replay)")
            #expect(replay.slug == "not-signed-in", "\(replay)")
        }
        // The store does not contain the usable secret.
        guard case .file(let path) = scene.fixture.store.location else { return }
        let stored = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(stored.range(of: Data("hbs_".utf8)) == nil)
    }

    private static func account(_ id: String, email: String) -> Record {
        var user = UserRecord(id: id)
        user.email = .value(email)
        return .user(user)
    }

    @Test func loadedAccountIsLinkedToOneIdentity() async throws {
        let olga = Self.account("olga", email: "Olga@Example.org")
        let scene = try await SignInScene(records: Scene.friends + [olga])
        try await scene.run { browser in
            try await browser.signIn()
            #expect(try await browser.user == "olga")
            let thief = TestBrowser(browser.client, browser.issuer)
            let refused = try await thief.signIn { token in token.sub = "other" }
            #expect(refused.status == 409, "\(refused)")
            #expect(refused.text.contains("Another account has this verified address"), "\(refused.text)")
            #expect(try await thief.user == nil)
        }
    }

    /// Only an address that is verified, by an issuer that the operator trusts, opens a loaded account.
    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
    func onlyTrustedAddressOpensLoadedAccount(isVerified: Bool, isTrusted: Bool) async throws {
        let olga = Self.account("olga", email: "olga@example.org")
        let scene = try await SignInScene(records: Scene.friends + [olga], trustsEmail: isTrusted)
        try await scene.run { browser in
            let response = try await browser.signIn { token in
                token.emailVerified = isVerified ? true : nil
            }
            #expect(response.status == 303, "\(response)")
            #expect(try await browser.user == (isVerified && isTrusted ? "olga" : "olga-ünal"))
        }
    }

    /// An issuer that the operator does not trust cannot occupy the address of another person.
    @Test func addressOfUntrustedIssuerIsNotOccupied() async throws {
        let issuers = (try await TestIssuer(), try await TestIssuer())
        let options = [
            try issuers.0.issuer(named: "Test", trustsEmail: false), try issuers.1.issuer(named: "Other"),
        ]
        let scene = try await SignInScene { serverOptions in
            serverOptions.signIn = SignInOptions(issuers: options)
            serverOptions.signIn?.signUp = .anyone
        }
        try await scene.fixture.run { client in
            let first = TestBrowser(client, issuers.0)
            try await first.signIn()
            #expect(try await first.user == "olga-ünal")
            // The same subject at another issuer is another person.
            let second = TestBrowser(client, issuers.1)
            let location = try await second.start("other")
            try await second.open(try await issuers.1.authorize(location))
            let name = try await second.user
            #expect(name?.hasPrefix("olga-ünal-") == true, "\(name ?? "")")
        }
    }

    /// Rule C-26: the time zone of a new account.
    @Test func newAccountTakesTimeZoneFromSignIn() async throws {
        let scene = try await SignInScene()
        let cases: [(name: String, query: String, header: String?, claim: String?)] = [
            ("parameter", "?time_zone=Asia%2FTokyo", nil, nil), ("header", "", "Asia/Tokyo", nil),
            ("both", "?time_zone=Asia%2FTokyo", "Europe/Lisbon", "Europe/Rome"), ("neither", "", nil, nil),
            ("claim", "", nil, "Asia/Tokyo"), ("unknown", "", nil, "Mars/Olympus"),
        ]
        try await scene.run { browser in
            for (name, query, header, claim) in cases {
                browser.cookies = [:]
                var headers = TestBrowser.ownLink
                headers[.timeZone] = header
                let location = try await browser.start(query: query, headers)
                let answer = TestIssuer.Answer(change: { token in
                    token.sub = .init(value: name)
                    token.name = name
                    token.email = "\(name)@example.org"
                    token.zoneinfo = claim
                })
                let response = try await browser.open(try await browser.issuer.authorize(location, answer))
                #expect(response.status == 303, "\(name): \(response)")
            }
            let bad = try await browser.open("/sign-in/issuers/test?time_zone=Mars%2FOlympus", TestBrowser.ownLink)
            #expect(bad.status == 422, "\(bad)")
            #expect(bad.text.contains("is not a time zone"), "\(bad.text)")
            let worse = try await browser.open(
                "/sign-in/issuers/test", TestBrowser.ownLink.merging([.timeZone: "../etc/passwd"]))
            #expect(worse.status == 422, "\(worse)")
        }
        for name in cases.map(\.name) {
            let rows = try scene.fixture.store.rows(columns: ["time_zone"]) { session, viewer in
                try UserQuery.one(name, viewer: viewer, in: session)
            }
            #expect(rows == [[["neither", "unknown"].contains(name) ? "UTC" : "Asia/Tokyo"]], "\(name)")
        }
    }

    @Test func changesOfAccountsAndTokensAreAudited() async throws {
        let lines = LogLines()
        let olga = Self.account("olga", email: "olga@example.org")
        let scene = try await SignInScene(records: Scene.friends + [olga]) { options in
            options.audit = { line in lines.add(line) }
        }
        let secrets = LogLines()
        try await scene.run { browser in
            for (subject, email) in [("1234", "olga"), ("other", "other"), ("1234", "olga")] {
                browser.cookies = [:]
                let location = try await browser.start()
                let answer = TestIssuer.Answer(change: { token in
                    token.sub = .init(value: subject)
                    token.email = "\(email)@example.org"
                })
                let callback = try await browser.issuer.authorize(location, answer)
                #expect(try await browser.open(callback).status == 303)
                secrets.add(callback)
                secrets.add(try #require(browser.cookies["habitat"]))
            }
            let cookie: HTTPFields = [.cookie: "habitat=\(secrets.all.last ?? "")", .fetchSite: "same-origin"]
            #expect(try await browser.client.send(.delete, path: "/session", headers: cookie).status == 204)
            #expect(try await browser.client.send(.delete, path: "/session", headers: cookie).status == 401)
        }
        let entries = lines.entries
        #expect(
            entries.map { entry in entry["action"] as? String } == [
                "account.link", "token.create", "account.create", "token.create", "token.create", "token.revoke",
                "token.refuse",
            ], "\(lines.all)")
        #expect(entries.count { entry in entry["user"] as? String == "olga" } == 5, "\(lines.all)")
        #expect(entries.allSatisfy { entry in entry["log"] as? String == "audit" })
        #expect(entries.allSatisfy { entry in entry["client"] is String })
        #expect(entries.allSatisfy { entry in entry["time"] is String })
        #expect(Set(entries.suffix(3).map { entry in entry["token"] as? String }).count == 1, "one session")
        for line in lines.all {
            let isSecret = (secrets.all + ["olga@example.org", "Ünal"]).contains { secret in line.contains(secret) }
            #expect(!isSecret, "\(line)")
        }
    }

    private struct Attack: Sendable {
        var name: String
        var change: @Sendable (inout IDToken) -> Void
    }

    static func secondsFromNow(_ seconds: Double) -> Date {
        Date(timeIntervalSince1970: Double(ServerFixture.clock.now.microseconds) / 1e6 + seconds)
    }

    private static let client = TestIssuer.client

    private static let attacks = [
        Attack(name: "expired") { $0.exp = .init(value: secondsFromNow(-120)) },
        Attack(name: "another audience") { $0.aud = AudienceClaim(value: ["somebody.else"]) },
        Attack(name: "several audiences without a party") { $0.aud = AudienceClaim(value: [client, "somebody.else"]) },
        Attack(name: "another party") { $0.azp = "somebody.else" },
        Attack(name: "another issuer") { $0.iss = "https://accounts.google.com.example.org" },
        Attack(name: "Google") { $0.iss = "https://accounts.google.com" },
        Attack(name: "no subject") { $0.sub = "" },
        Attack(name: "NUL in the subject") { $0.sub = "12\u{0}34" },
        Attack(name: "line break in the subject") { $0.sub = "1234\n" },
        Attack(name: "subject of 256 bytes") { $0.sub = .init(value: String(repeating: "1", count: 256)) },
        Attack(name: "not yet valid") { $0.nbf = .init(value: secondsFromNow(600)) },
        Attack(name: "issued in the future") { $0.iat = .init(value: secondsFromNow(600)) },
        Attack(name: "another nonce") { $0.nonce = "other" },
        Attack(name: "no nonce") { $0.nonce = nil },
        Attack(name: "digest of another access token") { $0.accessTokenHash = "77QmUPtjPfzWtF2AnpK9RQ" },
    ]

    @Test func invalidIDTokenIsRefused() async throws {
        let scene = try await SignInScene()
        try await scene.run { browser in
            for attack in Self.attacks {
                let response = try await browser.signIn(attack.change)
                #expect(response.status == 401, "\(attack.name): \(response)")
                #expect(response.text.contains("The response of Test is not valid: try again."), "\(attack.name)")
                #expect(browser.cookies["habitat"] == nil, "\(attack.name)")
                #expect(!response.text.contains("<script>"))
            }
        }
    }

    /// A claim that is not necessary refuses no sign-in.
    @Test(
        arguments: [
            ("Olga\u{1b}[31m", "Olga [31m"), ("Olga\u{2028}Ünal\r\n", "Olga Ünal "),
            ("می\u{200C}خواهم", "می\u{200C}خواهم"),
            ("\u{200F}שלום\u{200F}", "\u{200F}שלום\u{200F}"), ("👩\u{200D}🌾", "👩\u{200D}🌾"), ("\u{0} ", nil), ("", nil),
            (String(repeating: "x", count: 101), String(repeating: "x", count: 100)),
        ] as [(String, String?)])
    func nameIsCleaned(sent: String, stored: String?) async throws {
        let scene = try await SignInScene()
        try await scene.run { browser in
            let response = try await browser.signIn { token in
                token.name = sent
                token.email = "olga@example.org\r"
            }
            #expect(response.status == 303, "\(response)")
            let account = try await browser.open("/user", [:]).json
            #expect(account["name"] as? String == stored, "\(account)")
            #expect(account["email"] as? String == nil, "\(account)")
        }
    }

    /// The digest of the access token is valid if it is present.
    @Test func digestOfAccessTokenIsAccepted() async throws {
        let digest = Data(TestIssuer.accessToken.utf8.sha256.prefix(16)).base64URLEncoded
        try await SignInScene().run { browser in
            let response = try await browser.signIn { token in token.accessTokenHash = digest }
            #expect(response.status == 303, "\(response)")
        }
    }

    @Test func forgedSignatureIsRefused() async throws {
        let scene = try await SignInScene()
        let issuer = scene.issuer
        let symmetric = JWTKeyCollection()
        // The public key is the secret. A verifier that trusts the header would accept this signature.
        await symmetric.add(
            hmac: HMACKey(from: Data(issuer.key.publicKey.pemRepresentation.utf8)), digestAlgorithm: .sha256, kid: "one"
        )
        func encode(_ text: String) -> String { Data(text.utf8).base64URLEncoded }
        let none = encode(#"{"alg":"none","typ":"JWT"}"#)
        typealias Forgery = @Sendable (_ nonce: String, _ parts: [String]) async throws -> String
        let forged: [Forgery] = [
            { _, parts in "\(none).\(parts[1])." }, { _, parts in "\(none).\(parts[1]).\(parts[2])" },
            { _, parts in "\(parts[0]).\(parts[1])." },
            { nonce, parts in
                let audience = #""aud":"\#(Self.client)","exp":1795176600,"nonce":"\#(nonce)""#
                let payload = #"{"iss":"\#(issuer.url)","sub":"1",\#(audience)}"#
                return "\(parts[0]).\(Data(payload.utf8).base64URLEncoded).\(parts[2])"
            },
            { nonce, _ in try await issuer.token(key: ES256PrivateKey(), nonce: nonce) },
            { nonce, _ in try await issuer.token(key: ES256PrivateKey(), kid: "two", nonce: nonce) },
            { nonce, _ in
                var payload = IDToken(
                    iss: .init(value: issuer.url), sub: "1234", aud: AudienceClaim(value: [Self.client]),
                    exp: .init(value: Self.secondsFromNow(600)))
                payload.nonce = nonce
                return try await symmetric.sign(payload, kid: "one")
            },
            { _, _ in "" }, { _, _ in "a.b.c" }, { _, _ in String(repeating: "a", count: 9000) },
        ]
        try await scene.run { browser in
            for (number, forgery) in forged.enumerated() {
                let answer = TestIssuer.Answer(idToken: { nonce in
                    let good = try await issuer.token(nonce: nonce)
                    return try await forgery(nonce, good.split(separator: ".").map(String.init))
                })
                let response = try await browser.signIn(answer)
                #expect(response.status == 401, "\(number): \(response)")
                #expect(browser.cookies["habitat"] == nil, "\(number)")
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

    /// The documents of an issuer are fetched over HTTP once, and the keys again for an unknown key after a pause.
    ///
    /// Cached documents are used while the issuer does not provide new ones.
    @Test func keysAreFetchedOnceAndAgainForUnknownKey() async throws {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let scene = try await SignInScene { options in
            options.signIn?.time = { start + passed.withLock { time in time } }
        }
        let pause = try #require(scene.fixture.server.options.signIn?.keysPause)
        let issuer = scene.issuer
        let second = ES256PrivateKey()
        try await scene.run { browser in
            func status(_ key: ES256PrivateKey, _ kid: String) async throws -> Int {
                let answer = TestIssuer.Answer(idToken: { nonce in
                    try await issuer.token(key: key, kid: kid, nonce: nonce)
                })
                browser.cookies = [:]
                return try await browser.signIn(answer).status
            }
            func fetches() -> Int { issuer.state.count(of: .keys) }
            #expect(try await status(issuer.key, "one") == 303)
            #expect(try await status(issuer.key, "one") == 303)
            #expect(fetches() == 1)
            #expect(issuer.state.count(of: .discovery) == 1)
            passed.withLock { time in time += pause - .nanoseconds(1) }
            // The pause is not over. A client with forged tokens must not cause repeated fetches.
            #expect(try await status(second, "two") == 401)
            #expect(fetches() == 1)
            let keys = try TestIssuer.keySet(second, kid: "two")
            issuer.change { state in state.keys = keys }
            passed.withLock { time in time += .nanoseconds(1) }
            #expect(try await status(second, "two") == 303)
            #expect(try await status(issuer.key, "one") == 401, "the issuer has removed the key")
            #expect(fetches() == 2)
            issuer.change { state in state.faults[.keys] = .status(503) }
            passed.withLock { time in time += pause }
            #expect(try await status(ES256PrivateKey(), "three") == 401)
            #expect(try await status(ES256PrivateKey(), "three") == 401)
            #expect(fetches() == 3, "a failed download is not repeated")
            #expect(try await status(second, "two") == 303)
        }
    }
}
