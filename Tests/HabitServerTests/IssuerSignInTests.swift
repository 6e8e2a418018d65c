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

/// Tests of the code flow with issuers that fail, forge responses and are mixed up, and of pages that attack it.
@Suite(.engineIndependent, .serialized) struct IssuerSignInTests {
    // MARK: Start

    @Test func startLeadsToIssuer() async throws {
        try await SignInScene { options in options.publicURL = "https://habits.example/app/" }.run { browser in
            let begun = try await browser.open("/sign-in/issuers/test?to=%2Fmap", TestBrowser.ownLink)
            #expect(begun.status == 303, "\(begun)")
            #expect(begun.headers[.cacheControl] == "no-store")
            let location = try #require(begun.headers[.location])
            let parts = try #require(URLComponents(string: location))
            let query = Dictionary(
                uniqueKeysWithValues: (parts.queryItems ?? []).map { item in (item.name, item.value ?? "") })
            #expect(location.hasPrefix("\(browser.issuer.url)/authorize?"))
            #expect(query["response_type"] == "code")
            #expect(query["response_mode"] == "query")
            #expect(query["client_id"] == TestIssuer.client)
            #expect(query["redirect_uri"] == "https://habits.example/app/sign-in/issuers/test/callback")
            #expect(query["scope"] == "openid email profile")
            #expect(query["code_challenge_method"] == "S256")
            for name in ["state", "nonce", "code_challenge"] {
                #expect(query[name]?.utf8.count == 43, "\(name): 256 bits")
            }
            let field = try #require(begun.headers[.setCookie])
            #expect(field.hasPrefix("__Secure-habitat-attempt-1="), "\(field)")
            #expect(field.hasSuffix("; Path=/app; Max-Age=600; Secure; HttpOnly; SameSite=Lax"), "\(field)")
            let secrets = ["state", "nonce", "code_challenge"].compactMap { name in query[name] }
            #expect(secrets.allSatisfy { secret in !field.contains(secret) }, "the attempt is sealed")
        }
    }

    @Test func issuerWithQueryKeepsIt() async throws {
        let scene = try await SignInScene()
        let url = scene.issuer.url
        scene.issuer.change { state in state.metadata["authorization_endpoint"] = .text("\(url)/authorize?tenant=a") }
        try await scene.run { browser in
            let location = try await browser.start()
            #expect(location.hasPrefix("\(url)/authorize?tenant=a&client_id="), "\(location)")
        }
    }

    @Test func redirectURIDoesNotDependOnHost() async throws {
        try await SignInScene().run { browser in
            let headers: HTTPFields = [.origin: "https://evil.example", .forwardedHost: "evil.example"]
            let begun = try await browser.open("/sign-in/issuers/test", TestBrowser.ownLink.merging(headers))
            let location = begun.headers[.location] ?? ""
            #expect(location.contains("redirect_uri=http%3A%2F%2Flocalhost%3A8080%2Fsign-in%2F"), "\(location)")
            #expect(!location.contains("evil"))
        }
    }

    @Test func serverWithoutAddressHasNoIssuers() async throws {
        for change in [{ options in options.host = "0.0.0.0" }, { options in options.port = 0 }]
            as [(inout ServerOptions) -> Void]
        {
            let error = await #expect(throws: HabitError.self) {
                let issuer = try Issuer(
                    url: "https://id.example.org", clientID: "x", clientSecret: nil, trustsEmail: false)
                _ = try await ServerFixture(Scene.friends) { options in
                    options.signIn = SignInOptions(issuers: [issuer])
                    change(&options)
                }
            }
            #expect(error?.field == "public-url")
        }
    }

    @Test func namesOfIssuersDiffer() async throws {
        let one = try Issuer(
            url: "https://a.example", clientID: "x", clientSecret: nil, name: "My ID", trustsEmail: false)
        let two = try Issuer(
            url: "https://b.example", clientID: "x", clientSecret: nil, name: "my-id", trustsEmail: false)
        for issuers in [[one, two], [one, one]] {
            await #expect(throws: HabitError.self) {
                _ = try await ServerFixture(Scene.friends) { options in
                    options.signIn = SignInOptions(issuers: issuers)
                }
            }
        }
    }

    @Test func pageOffersIssuers() async throws {
        try await SignInScene().run { browser in
            let page = try await browser.open("/sign-in?to=%2Fmap%3Fa%3Db")
            let link = #"href="http://localhost:8080/sign-in/issuers/test?to=%2Fmap%3Fa%3Db""#
            #expect(page.text.contains(link), "\(page.text)")
            #expect(page.text.contains(">Continue with "), "\(page.text)")
            let zone = try await browser.open("/sign-in?to=%2Fmap&time_zone=Asia%2FTokyo")
            #expect(zone.text.contains(#"to=%2Fmap&amp;time_zone=Asia%2FTokyo""#), "\(zone.text)")
            #expect(try await browser.open("/sign-in/issuers/other").status == 404)
            #expect(try await browser.open("/sign-in/issuers/other/callback").status == 404)
        }
    }

    /// A page of another site can lead a person to a sign-in, but it cannot start one without the person.
    @Test func otherSiteCannotStartSignInUnseen() async throws {
        try await SignInScene().run { browser in
            let image: HTTPFields = [.fetchSite: "cross-site", .fetchMode: "no-cors", .fetchDestination: "image"]
            let refused = try await browser.open("/sign-in/issuers/test", image)
            #expect(refused.status == 403, "\(refused)")
            #expect(browser.cookies.isEmpty)
            let path = try await browser.issuer.authorize(try await browser.start())
            let other = try await browser.open(path, image)
            #expect(other.status == 403, "\(other)")
            #expect(browser.cookies["habitat"] == nil)
        }
    }

    /// A link on a page of another site shows the page of the sign-in and keeps the session.
    @Test(
        arguments: [
            ("cross-site", nil), ("same-site", nil), (nil, "http://evil.example/"), (nil, "http://localhost:1/"),
            (nil, nil),
        ] as [(String?, String?)])
    func linkOfOtherSiteStartsNoSignIn(site: String?, referrer: String?) async throws {
        try await SignInScene().run { browser in
            try await Self.signInAsOwner(browser)
            var headers = TestBrowser.link
            headers[.fetchSite] = site
            headers[.referer] = referrer
            let query = "?to=%2Fmap&time_zone=Asia%2FTokyo"
            let page = try await browser.open("/sign-in/issuers/test\(query)", headers)
            #expect(page.status == 200, "\(page)")
            #expect(page.headers[.location] == nil)
            #expect(page.text.contains("You are signed in as "), "\(page.text)")
            #expect(page.text.contains(#"/sign-in/issuers/test?to=%2Fmap&amp;time_zone=Asia%2FTokyo""#), "\(page.text)")
            #expect(browser.cookies.keys.sorted() == ["habitat"])
            #expect(browser.issuer.state.requests.isEmpty)
        }
    }

    @Test(
        arguments: [("same-origin", nil), ("none", nil), (nil, "http://habits.example/sign-in?to=%2F")]
            as [(String?, String?)])
    func ownLinkStartsSignIn(site: String?, referrer: String?) async throws {
        try await SignInScene { options in options.publicURL = "http://habits.example" }.run { browser in
            var headers = TestBrowser.link
            headers[.fetchSite] = site
            headers[.referer] = referrer
            for isSignedIn in [false, true] {
                if isSignedIn { try await Self.signInAsOwner(browser) }
                let begun = try await browser.open("/sign-in/issuers/test", headers)
                #expect(begun.status == 303, "\(begun)")
            }
        }
    }

    @Test(arguments: [
        "%2F%2Fevil.example", "%2F%5Cevil.example", "https%3A%2F%2Fevil.example", "%2F%252Fevil.example",
        "%2F%09%2Fevil", "%2F%0D%0ASet-Cookie%3Ax", "",
    ])
    func signInLeadsOnlyToThisServer(target: String) async throws {
        try await SignInScene().run { browser in
            let response = try await browser.signIn(query: "?to=\(target)")
            #expect(response.status == 303, "\(response)")
            #expect(response.headers[.location] == "/")
        }
    }

    @Test func longTargetDoesNotFillCookie() async throws {
        try await SignInScene().run { browser in
            let target = "/map?a=" + String(repeating: "b", count: 3000)
            let response = try await browser.signIn(query: "?to=\(target.urlEncoded)")
            #expect(response.headers[.location] == "/")
            let shorter = "/map?a=" + String(repeating: "b", count: 1400)
            _ = try await browser.start(query: "?to=\(shorter.urlEncoded)")
            #expect(browser.cookies.values.allSatisfy { value in value.utf8.count < 3800 })
        }
    }

    // MARK: State

    @Test func severalTabsSignIn() async throws {
        try await SignInScene().run { browser in
            var paths: [String] = []
            for number in 0..<6 {
                let location = try await browser.start(query: "?to=%2F\(number)")
                paths.append(try await browser.issuer.authorize(location))
            }
            #expect(browser.cookies.count == AttemptCookies.count)
            var targets: [String] = []
            for path in paths {
                let response = try await browser.open(path)
                targets.append(response.status == 303 ? response.headers[.location] ?? "" : "refused")
            }
            #expect(targets.count { target in target == "refused" } == 2, "\(targets)")
            #expect(targets.last == "/5")
        }
    }

    @Test func otherBrowserCannotCompleteSignIn() async throws {
        try await SignInScene().run { browser in
            let path = try await browser.issuer.authorize(try await browser.start())
            let victim = TestBrowser(browser.client, browser.issuer)
            let refused = try await victim.open(path)
            #expect(refused.status == 401, "\(refused)")
            #expect(refused.text.contains("was started in another browser"), "\(refused.text)")
            #expect(victim.cookies["habitat"] == nil)
            // An attempt of the victim does not help.
            _ = try await victim.start()
            #expect(try await victim.open(path).status == 401)
            #expect(victim.cookies["habitat"] == nil)
            #expect(browser.issuer.state.count(of: .token) == 0)
            // The person's own browser completes it.
            #expect(try await browser.open(path).status == 303)
        }
    }

    @Test func attemptExpires() async throws {
        let clock = TestClock()
        try await SignInScene { options in options.clock = { clock.now } }.run { browser in
            let first = try await browser.issuer.authorize(try await browser.start())
            clock.advance(by: 599)
            #expect(try await browser.open(first).status == 303)
            let second = try await browser.issuer.authorize(try await browser.start())
            clock.advance(by: 600)
            let late = try await browser.open(second)
            #expect(late.status == 401, "\(late)")
            #expect(late.text.contains("This sign-in has expired"), "\(late.text)")
        }
    }

    private static let malformed = [
        "", "?", "?state", "?state=", "?state=x&code=y", "?code=y", "?state=%FF&code=y", "?state=a&state=b&code=y",
        "?error=access_denied", "?state=%00",
    ]

    @Test(arguments: malformed) func malformedResponseIsRefused(query: String) async throws {
        try await SignInScene().run { browser in
            _ = try await browser.start()
            let refused = try await browser.open("/sign-in/issuers/test/callback\(query)")
            #expect(refused.status == 401, "\(refused)")
            #expect(refused.type == "text/html; charset=utf-8")
            #expect(refused.headers[.cacheControl] == "no-store")
            #expect(refused.text.contains(#"role="alert">You are not signed in. "#), "\(refused.text)")
            #expect(browser.cookies["habitat"] == nil)
        }
    }

    /// Cookies that this server has not sealed are ignored, also cookies of another store.
    @Test func foreignAttemptIsIgnored() async throws {
        let other = try await SignInScene()
        let sealed = Mutex("")
        try await other.run { browser in
            _ = try await browser.start()
            let cookie = browser.cookies["habitat-attempt-1"] ?? ""
            sealed.withLock { sealed in sealed = cookie }
        }
        let foreign = sealed.withLock { sealed in sealed }
        try await SignInScene().run { browser in
            let path = try await browser.issuer.authorize(try await browser.start())
            let own = try #require(browser.cookies["habitat-attempt-1"])
            var changed = Array(own.utf8)
            changed[changed.count / 2] ^= 1
            let values = [foreign, String(decoding: changed, as: UTF8.self), String(own.dropLast(4)), "x", ""]
            for value in values {
                browser.cookies = ["habitat-attempt-1": value]
                #expect(try await browser.open(path).status == 401, "\(value)")
            }
            // The cookie may be in another slot.
            browser.cookies = ["habitat-attempt-3": own]
            #expect(try await browser.open(path).status == 303)
        }
    }

    // MARK: Issuer in the response (RFC 9207)

    @Test(
        arguments: [
            (true, ["iss": nil], 401), (true, ["iss": "https://evil.example"], 401), (true, ["iss": ""], 401),
            (true, [:], 303), (false, ["iss": nil], 303), (false, [:], 303),
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
        let (honest, evil) = (try await TestIssuer(), try await TestIssuer())
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
        let (one, two) = (try await TestIssuer(), try await TestIssuer())
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
            options.signIn?.timeout = fault.isHang ? .milliseconds(300) : .seconds(120)
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
        let (slow, quick) = (try await TestIssuer(), try await TestIssuer())
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
        (.status(400), 503), (.status(500), 503), (.redirects("/elsewhere"), 503), (.isLarge, 503), (.hangs, 503),
        (.text("{}"), 503), (.text("x"), 503), (.text(#"{"id_token":"a.b.c"}"#, type: "text/html"), 503),
        (.text(#"{"id_token":1}"#), 503), (.text(#"{"id_token":"a.b.c","token_type":"mac"}"#), 503),
        (.text(#"{"id_token":"a.b.c"}"#), 401),
    ]

    @Test(arguments: tokenFaults) func tokenResponseMustBeValid(fault: TestIssuer.Fault, status: Int) async throws {
        let scene = try await SignInScene { options in
            options.signIn?.timeout = fault.isHang ? .seconds(5) : .seconds(120)
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
            (#"{"sub":"1234","email":"olga@example.org"}"#, 303, "olga-ünal"), (#"{"sub":"1234"}"#, 303, "olga-ünal"),
            (#"{"sub":"5678","email":"olga@example.org","email_verified":true}"#, 401, nil),
            (#"{"email":"olga@example.org","email_verified":true}"#, 401, nil), ("x", 401, nil), ("{}", 401, nil),
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

    // MARK: Further identities

    /// Signs the user `owner` in with an access token.
    private static func signInAsOwner(_ browser: TestBrowser) async throws {
        let cookie = try await browser.client.personalCookie(of: "owner")
        let parts = cookie.split(separator: "=", maxSplits: 1)
        browser.cookies[String(parts[0])] = String(parts[1])
    }

    @Test func signedInPersonAddsIdentity() async throws {
        let lines = LogLines()
        try await SignInScene { options in options.audit = { line in lines.add(line) } }.run { browser in
            try await Self.signInAsOwner(browser)
            let session = browser.cookies["habitat"]
            let location = try await browser.startAddition()
            let person = TestIssuer.Answer(change: { token in token.sub = "subject-of-owner" })
            let added = try await browser.open(try await browser.issuer.authorize(location, person))
            #expect(added.status == 303, "\(added)")
            #expect(added.headers[.location] == "/account?done=add-identity#services")
            #expect(browser.cookies["habitat"] == session, "the session stays")
            let other = TestBrowser(browser.client, browser.issuer)
            try await other.signIn(person)
            #expect(try await other.user == "owner")
            // The identity belongs to the account already.
            let again = try await browser.startAddition()
            #expect(try await browser.open(try await browser.issuer.authorize(again, person)).status == 303)
        }
        #expect(lines.entries.count { entry in entry["action"] as? String == "identity.add" } == 1, "\(lines.all)")
        #expect(!lines.all.joined().contains("subject-of-owner"))
    }

    @Test func identityOfOtherAccountIsNotAdded() async throws {
        try await SignInScene().run { browser in
            try await browser.signIn()
            #expect(try await browser.user == "olga-ünal")
            let owner = TestBrowser(browser.client, browser.issuer)
            try await Self.signInAsOwner(owner)
            let location = try await owner.startAddition()
            let refused = try await owner.open(try await owner.issuer.authorize(location))
            #expect(refused.status == 409, "\(refused)")
            #expect(refused.text.contains("Nothing has changed. "), "\(refused.text)")
            #expect(refused.text.contains("This identity belongs to another account"), "\(refused.text)")
            #expect(try await owner.user == "owner")
        }
    }

    @Test(arguments: ["cross-site", "same-site", nil] as [String?])
    func onlyFormOfOwnPageAddsIdentity(site: String?) async throws {
        try await SignInScene().run { browser in
            try await Self.signInAsOwner(browser)
            var headers = TestBrowser.link
            headers[.fetchSite] = site
            headers[.origin] = "https://evil.example"
            let refused = try await browser.sendAddition(headers)
            #expect(refused.status == 403, "\(refused)")
            // A link cannot start an addition, also not from a page of the server.
            let link = try await browser.open("/sign-in/issuers/test?add=yes", TestBrowser.ownLink)
            #expect(link.status == 400, "\(link)")
            #expect(browser.cookies.keys.sorted() == ["habitat"])
        }
    }

    /// A sign-in leads neither to a further sign-in nor to a sign-out.
    @Test(arguments: ["/sign-in/issuers/test?add=yes", "/sign-in/issuers/test", "/sign-out"])
    func signInDoesNotLeadToFurtherSignIn(target: String) async throws {
        try await SignInScene().run { browser in
            let page = try await browser.open("/sign-in?to=\(target.urlEncoded)")
            #expect(page.text.contains(#"name="to" value="/""#), "\(page.text)")
            let response = try await browser.signIn(query: "?to=\(target.urlEncoded)")
            #expect(response.headers[.location] == "/")
        }
    }

    /// With plain http, Chromium sends no `Sec-Fetch-Site`.
    @Test func identityIsAddedOverPlainHTTP() async throws {
        try await SignInScene { options in options.publicURL = "http://habits.example" }.run { browser in
            try await Self.signInAsOwner(browser)
            let plain: HTTPFields = [.origin: "http://habits.example", .accept: "text/html"]
            let begun = try await browser.sendAddition(plain)
            #expect(begun.status == 200, "\(begun)")
            #expect(begun.text.contains(#"<p role="status"><a class="issuer" href="http"#), "\(begun.text)")
        }
    }

    @Test func unavailableIssuerIsShownOnAccountPage() async throws {
        let scene = try await SignInScene()
        scene.issuer.change { state in state.faults[.discovery] = .status(500) }
        try await scene.run { browser in
            try await Self.signInAsOwner(browser)
            let failed = try await browser.sendAddition()
            #expect(failed.status == 503, "\(failed)")
            #expect(failed.text.contains("Nothing has changed. "), "\(failed.text)")
            #expect(failed.text.contains("Test does not respond as expected"), "\(failed.text)")
        }
    }

    @Test func onlyUserWhoStartedAddsIdentity() async throws {
        try await SignInScene().run { browser in
            let refused = try await browser.sendAddition()
            #expect(refused.status == 401, "\(refused)")
            try await Self.signInAsOwner(browser)
            let location = try await browser.startAddition()
            let path = try await browser.issuer.authorize(location)
            let signedOut = browser.copy()
            signedOut.cookies["habitat"] = nil
            #expect(try await signedOut.open(path).status == 401)
            let stranger = browser.copy()
            let cookie = try await browser.client.cookie(of: "stranger")
            stranger.cookies["habitat"] = String(cookie.split(separator: "=", maxSplits: 1)[1])
            #expect(try await stranger.open(path).status == 401)
            // The refused responses did not use the state.
            #expect(try await browser.open(path).status == 303)
        }
    }

    @Test func operatorAddsNoIdentity() async throws {
        try await SignInScene().run { browser in
            let cookie = try await browser.client.cookie(of: "operator")
            browser.cookies["habitat"] = String(cookie.split(separator: "=", maxSplits: 1)[1])
            let refused = try await browser.sendAddition()
            #expect(refused.status == 403, "\(refused)")
            #expect(refused.text.contains("The operator has no account"), "\(refused.text)")
        }
    }

    /// A sign-in replaces the session of the browser.
    @Test func signInReplacesSession() async throws {
        try await SignInScene().run { browser in
            try await Self.signInAsOwner(browser)
            let former = try #require(browser.cookies["habitat"])
            try await browser.signIn()
            #expect(try await browser.user == "olga-ünal")
            let old = try await browser.client.send(path: "/session", headers: [.cookie: "habitat=\(former)"])
            #expect(old.status == 401)
        }
    }
}

extension HTTPField.Name {
    fileprivate static let forwardedHost = HTTPField.Name.known("X-Forwarded-Host")
}

extension TestIssuer.Fault {
    fileprivate var isHang: Bool {
        if case .hangs = self { true } else { false }
    }
}
