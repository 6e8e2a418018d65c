import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Synchronization
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of the code flow with issuers that fail, forge responses and are mixed up.
@Suite(.engineIndependent, .serialized) struct IssuerResponseTests {
    // MARK: Issuer in the response (RFC 9207)

    @Test(
        arguments: [
            (true, ["iss": nil], 401),
            (true, ["iss": "https://evil.example"], 401),
            (true, ["iss": ""], 401),
            (true, [:], 303),
            (false, ["iss": nil], 303),
            (false, [:], 303),
            (false, ["iss": "https://evil.example"], 401),
        ] as [(Bool, [String: String?], Int)])
    func responseNamesIssuer(isAnnounced: Bool, parameters: [String: String?], status: Int) async throws {
        let scene = try await SignInScene()
        scene.issuer.change { state in
            state.metadata["authorization_response_iss_parameter_supported"] = .boolean(isAnnounced)
        }
        try await scene.run { browser in
            let response = try await browser.signIn(TestIssuer.Answer(parameters: parameters))
            #expect(response.status == status, "\(response)")
            // The server does not send the code to the issuer.
            #expect(browser.issuer.state.count(of: .token) == (status == 303 ? 1 : 0))
        }
    }

    /// Two issuers with the name of the other one's person and with responses at the other one's address.
    @Test func mixedUpIssuersAreRefused() async throws {
        let honest = try await TestIssuer()
        let evil = try await TestIssuer()
        let issuers = [try honest.issuer(named: "Honest"), try evil.issuer(named: "Evil")]
        let scene = try await SignInScene { options in
            options.signIn?.issuers = issuers
        }
        try await scene.fixture.run { client in
            let browser = TestBrowser(client, honest)
            // The attempt is for the other issuer.
            let path = try await honest.authorize(try await browser.start("honest"))
            let elsewhere = path.replacing("/honest/", with: "/evil/")
            #expect(try await browser.open(elsewhere).status == 401)
            #expect(evil.state.count(of: .token) == 0, "the code does not reach the other issuer")
            // The evil issuer relays a sign-in of the honest one.
            let location = try await browser.start("evil")
            let relayed = try await honest.authorize(location).replacing("/honest/", with: "/evil/")
            #expect(try await browser.open(relayed).status == 401)
            #expect(evil.state.count(of: .token) == 0)
            // The evil issuer sends an ID token of the honest one.
            let own = try await browser.start("evil")
            let answer = TestIssuer.Answer(idToken: { nonce in try await honest.token(nonce: nonce) })
            #expect(try await browser.open(try await evil.authorize(own, answer)).status == 401)
            #expect(browser.cookies["habitat"] == nil)
        }
    }

    @Test func sameSubjectAtTwoIssuersIsTwoPersons() async throws {
        let one = try await TestIssuer()
        let two = try await TestIssuer()
        let issuers = [try one.issuer(named: "One"), try two.issuer(named: "Two")]
        let scene = try await SignInScene { options in options.signIn?.issuers = issuers }
        try await scene.fixture.run { client in
            var users: [String?] = []
            for (issuer, key) in [(one, "one"), (two, "two"), (one, "one")] {
                let browser = TestBrowser(client, issuer)
                let answer = TestIssuer.Answer(change: { token in token.email = "\(key)@example.org" })
                try await browser.open(try await issuer.authorize(try await browser.start(key), answer))
                users.append(try await browser.user)
            }
            #expect(users[0] == users[2])
            #expect(users[0] != users[1])
            #expect(!users.contains(nil))
        }
    }

    @Test(arguments: ["access_denied", "server_error", "<script>", ""]) func refusalIsExplained(error: String)
        async throws
    {
        try await SignInScene().run { browser in
            let parameters: [String: String?] = [
                "error": error, "error_description": "Visit evil.example", "code": nil,
            ]
            let refused = try await browser.signIn(TestIssuer.Answer(parameters: parameters))
            #expect(refused.status == 401, "\(refused)")
            #expect(refused.text.contains("Test has refused"), "\(refused.text)")
            #expect(!refused.text.contains("evil"))
            #expect(!refused.text.contains("<script>"))
            #expect(browser.cookies.isEmpty, "the attempt is over")
            #expect(browser.issuer.state.count(of: .token) == 0)
        }
    }

    // MARK: Documents and tokens of the issuer

    private static let discoveryFaults: [TestIssuer.Fault] = [
        .status(404), .status(500), .redirects("/elsewhere"), .redirects("https://evil.example/"), .isLarge,
        .text("x"), .text("[]"), .text("{}"), .text(#"{"issuer":"https://evil.example"}"#), .hangs,
    ]

    @Test(arguments: discoveryFaults) func discoveryMustBeValid(fault: TestIssuer.Fault) async throws {
        let lines = LogLines()
        let start = ContinuousClock.now
        let scene = try await SignInScene { options in
            options.signIn?.time = { start }
            options.signIn?.timeout = fault.isHang ? .seconds(10) : .seconds(120)
            options.audit = { line in lines.add(line) }
        }
        scene.issuer.change { state in state.faults[.discovery] = fault }
        try await scene.run { browser in
            for _ in 0..<2 {
                let refused = try await browser.open("/sign-in/issuers/test?to=%2Fmap", TestBrowser.ownLink)
                #expect(refused.status == 503, "\(refused)")
                #expect(refused.headers[.retryAfter] == "10")
                #expect(refused.text.contains("Test does not respond as expected"), "\(refused.text)")
                #expect(refused.text.contains(#"name="to" value="/map""#), "the form leads to the same page")
            }
            #expect(browser.issuer.state.count(of: .discovery) == 1, "the second attempt is during the pause")
        }
        #expect(
            lines.entries.map { entry in entry["reason"] as? String } == ["issuer-unavailable", "issuer-unavailable"])
    }

    @Test(
        arguments: [
            ("issuer", "https://evil.example"), ("issuer", nil), ("authorization_endpoint", "http://evil.example/a"),
            ("authorization_endpoint", "javascript:alert(1)"), ("authorization_endpoint", nil), ("token_endpoint", nil),
            ("authorization_endpoint", "https://a.example/\r\nSet-Cookie: x"), ("token_endpoint", "http://10.0.0.1/"),
            ("token_endpoint", "file:///etc/passwd"), ("jwks_uri", "https://u:p@a.example/"), ("jwks_uri", nil),
        ] as [(String, String?)])
    func membersOfDiscoveryAreChecked(name: String, value: String?) async throws {
        let scene = try await SignInScene()
        scene.issuer.change { state in state.metadata[name] = value.map { text in .text(text) } }
        try await scene.run { browser in
            let refused = try await browser.open("/sign-in/issuers/test", TestBrowser.ownLink)
            #expect(refused.status == 503, "\(refused)")
            #expect(browser.cookies.isEmpty)
        }
    }

    /// A slow issuer delays only its own sign-ins.
    @Test func slowIssuerDoesNotDelayOthers() async throws {
        let slow = try await TestIssuer()
        let quick = try await TestIssuer()
        slow.change { state in state.faults[.discovery] = .hangs }
        let issuers = [try slow.issuer(named: "Slow"), try quick.issuer(named: "Quick")]
        let scene = try await SignInScene { options in
            options.signIn?.issuers = issuers
            options.signIn?.timeout = .seconds(10)
        }
        try await scene.fixture.run { client in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        try await TestBrowser(client, slow).open("/sign-in/issuers/slow", TestBrowser.ownLink).status
                    }
                }
                try await waitUntil("the server asks the slow issuer") { slow.state.count(of: .discovery) > 0 }
                let browser = TestBrowser(client, quick)
                try await browser.open(try await quick.authorize(try await browser.start("quick")))
                #expect(try await browser.user == "olga-ünal")
                #expect(try await client.send(path: "/user", as: "owner").status == 200)
                #expect(try await browser.open("/sign-in").status == 200)
                slow.change { state in state.faults = [:] }
                group.cancelAll()
            }
            #expect(slow.state.count(of: .discovery) == 1, "requests wait for one fetch")
        }
    }

    @Test func issuerThatComesBackIsUsedAfterPause() async throws {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let scene = try await SignInScene { options in
            options.signIn?.time = { start + passed.withLock { time in time } }
        }
        scene.issuer.change { state in state.faults[.discovery] = .status(502) }
        let pause = try #require(scene.fixture.server.options.signIn?.failurePause)
        try await scene.run { browser in
            let failed = try await browser.open("/sign-in/issuers/test", TestBrowser.ownLink)
            #expect(failed.status == 503, "\(failed)")
            browser.issuer.change { state in state.faults = [:] }
            passed.withLock { time in time += pause - .nanoseconds(1) }
            #expect(try await browser.open("/sign-in/issuers/test", TestBrowser.ownLink).status == 503)
            passed.withLock { time in time += .nanoseconds(1) }
            #expect(try await browser.signIn().status == 303)
            // An old document remains in use while there is no new one.
            browser.issuer.change { state in state.faults[.discovery] = .status(502) }
            passed.withLock { time in time += .seconds(4000) }
            #expect(try await browser.signIn().status == 303)
            #expect(browser.issuer.state.count(of: .discovery) == 3)
        }
    }

    private static let tokenFaults: [(TestIssuer.Fault, Int)] = [
        (.status(400), 503),
        (.status(500), 503),
        (.redirects("/elsewhere"), 503),
        (.isLarge, 503),
        (.hangs, 503),
        (.text("{}"), 503),
        (.text("x"), 503),
        (.text(#"{"id_token":"a.b.c"}"#, type: "text/html"), 503),
        (.text(#"{"id_token":1}"#), 503),
        (.text(#"{"id_token":"a.b.c","token_type":"mac"}"#), 503),
        (.text(#"{"id_token":"a.b.c"}"#), 401),
    ]

    @Test(arguments: tokenFaults) func tokenResponseMustBeValid(fault: TestIssuer.Fault, status: Int) async throws {
        let scene = try await SignInScene { options in
            options.signIn?.timeout = fault.isHang ? .seconds(10) : .seconds(120)
        }
        scene.issuer.change { state in state.faults[.token] = fault }
        try await scene.run { browser in
            let refused = try await browser.signIn()
            #expect(refused.status == status, "\(refused)")
            #expect(browser.cookies.isEmpty)
        }
    }

    /// An address that is not in the ID token is in the response of the UserInfo endpoint.
    @Test(
        arguments: [
            (#"{"sub":"1234","email":"olga@example.org","email_verified":true}"#, 303, "olga"),
            (#"{"sub":"1234","email":"olga@example.org"}"#, 303, "olga-ünal"),
            (#"{"sub":"1234"}"#, 303, "olga-ünal"),
            (#"{"sub":"5678","email":"olga@example.org","email_verified":true}"#, 401, nil),
            (#"{"email":"olga@example.org","email_verified":true}"#, 401, nil),
            ("x", 401, nil),
            ("{}", 401, nil),
            (#"{"sub":"1234","email":"olga@example.org\r","email_verified":true}"#, 303, "olga-ünal"),
            (#"{"sub":"1234","email":"olga@example.org","email_verified":1,"name":[]}"#, 303, "olga-ünal"),
        ] as [(String, Int, String?)])
    func addressMayBeInUserInfo(userInfo: String, status: Int, user: String?) async throws {
        var olga = UserRecord(id: "olga")
        olga.email = .value("olga@example.org")
        let scene = try await SignInScene(records: Scene.friends + [.user(olga)])
        let url = scene.issuer.url
        scene.issuer.change { state in
            state.metadata["userinfo_endpoint"] = .text("\(url)/userinfo")
            state.userInfo = userInfo
        }
        try await scene.run { browser in
            let response = try await browser.signIn { token in
                token.email = nil
                token.emailVerified = nil
            }
            #expect(response.status == status, "\(response)")
            #expect(browser.issuer.state.count(of: .userInfo) == 1)
            if let user { #expect(try await browser.user == user) }
            // The server does not ask for an address that the ID token contains.
            browser.cookies = [:]
            try await browser.signIn { token in token.sub = "other" }
            #expect(browser.issuer.state.count(of: .userInfo) == 1)
        }
    }

    /// A code that another client has got does not fit the verifier of the attempt.
    @Test func codeOfOtherAttemptIsRefused() async throws {
        try await SignInScene().run { browser in
            let thief = TestBrowser(browser.client, browser.issuer)
            let stolen = try await browser.issuer.authorize(try await thief.start())
            let own = try await browser.issuer.authorize(try await browser.start())
            let code = try #require(FormBody(Array(stolen.split(separator: "?")[1].utf8))?["code"])
            let ownCode = try #require(FormBody(Array(own.split(separator: "?")[1].utf8))?["code"])
            let refused = try await browser.open(own.replacing(ownCode, with: code))
            #expect(refused.status == 401, "\(refused)")
            #expect(browser.cookies["habitat"] == nil)
        }
    }

    // MARK: Authentication of the client

    @Test func clientAuthenticatesAsIssuerRequires() async throws {
        let scene = try await SignInScene()
        try await scene.run { browser in
            try await browser.signIn()
            let basic = "\(TestIssuer.client):\(TestIssuer.secret.urlEncoded)"
            let state = browser.issuer.state
            #expect(state.lastAuthorization == "Basic " + Data(basic.utf8).base64EncodedString())
            #expect(state.lastForm?["client_secret"] == nil)
        }
    }

    @Test(arguments: [["client_secret_post"], ["private_key_jwt", "client_secret_post"]])
    func clientSendsSecretInForm(methods: [String]) async throws {
        let scene = try await SignInScene()
        scene.issuer.change { state in
            state.metadata["token_endpoint_auth_methods_supported"] = .list(methods.map { method in .text(method) })
        }
        try await scene.run { browser in
            let accepted = try await browser.signIn()
            #expect(accepted.status == 303, "\(accepted)")
            let state = browser.issuer.state
            #expect(state.lastAuthorization == nil)
            #expect(state.lastForm?["client_secret"] == TestIssuer.secret)
            #expect(state.lastForm?["client_id"] == TestIssuer.client)
        }
    }

    @Test func issuerWithoutKnownMethodIsUnavailable() async throws {
        let scene = try await SignInScene()
        scene.issuer.change { state in
            state.metadata["token_endpoint_auth_methods_supported"] = ["private_key_jwt"]
        }
        try await scene.run { browser in
            let refused = try await browser.signIn()
            #expect(refused.status == 503, "\(refused)")
        }
    }

    @Test func publicClientSendsNoSecret() async throws {
        let issuer = try await TestIssuer()
        let configured = try issuer.issuer(secret: nil)
        let scene = try await SignInScene { options in options.signIn?.issuers = [configured] }
        try await scene.fixture.run { client in
            let browser = TestBrowser(client, issuer)
            let accepted = try await browser.signIn()
            #expect(accepted.status == 303, "\(accepted)")
            #expect(issuer.state.lastAuthorization == nil)
            #expect(issuer.state.lastForm?["client_secret"] == nil)
            #expect(issuer.state.lastForm?["client_id"] == TestIssuer.client)
        }
    }
}

extension TestIssuer.Fault {
    fileprivate var isHang: Bool {
        if case .hangs = self { true } else { false }
    }
}
