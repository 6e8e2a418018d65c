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

/// Tests of the start of the code flow, of its state, and of pages that attack it.
@Suite(.engineIndependent, .serialized) struct IssuerSignInTests {
    // MARK: Start

    @Test func startLeadsToIssuer() async throws {
        try await SignInScene { options in options.publicURL = "https://habits.example/app/" }.run { browser in
            let begun = try await browser.open("/sign-in/issuers/test?to=%2Fmap", TestBrowser.ownLink)
            #expect(begun.status == 303, "\(begun)")
            #expect(begun.headers[.cacheControl] == "no-store")
            let location = try #require(begun.headers[.location])
            let parts = try #require(URLComponents(string: location))
            let items = parts.queryItems ?? []
            let query = Dictionary(uniqueKeysWithValues: items.map { item in (item.name, item.value ?? "") })
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
            try await browser.signInAsOwner()
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
                if isSignedIn { try await browser.signInAsOwner() }
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
}

extension HTTPField.Name {
    fileprivate static let forwardedHost = HTTPField.Name.known("X-Forwarded-Host")
}
