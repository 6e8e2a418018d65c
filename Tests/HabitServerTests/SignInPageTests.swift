import Foundation
import HTTPTypes
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of the pages of the sign-in and the sign-out.
@Suite(.engineIndependent) struct SignInPageTests {
    private static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
    private static let form: HTTPFields = browser.merging([.contentType: FormBody.type, .fetchSite: "same-origin"])
    /// The only kind of script on the page, which has its content in a file of the server.
    private static var file: Regex<Substring> {
        /<script type="module" src="\/static\/[0-9a-f]+\/[a-z-]+\.js"><\/script>/
    }
    private static let list = "/collections/events/items?limit=5"

    @Test func pageWithoutSessionLeadsToSignInAndBack() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let refused = try await client.send(path: Self.list, headers: Self.browser)
            #expect(refused.status == 401)
            let link = try #require(refused.text.firstMatch(of: /href="(\/sign-in\?to=[^"]*)"/)).output.1
            let page = try await client.send(path: String(link), headers: Self.browser)
            #expect(page.status == 200, "\(page)")
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(page.text.contains(#"<form class="sign-in" method="post" action="/sign-in">"#))
            #expect(page.text.contains(#"<input type="hidden" name="to" value="\#(Self.list)">"#), "\(page.text)")
            #expect(page.text.matches(of: /<script/).count == page.text.matches(of: Self.file).count)
            #expect(page.text.contains("/sign-in.js\"></script>"))
            let token = try #require(client.tokens["owner"])
            let target = Self.list.urlEncoded
            let entered = try await client.send(
                .post, path: "/sign-in", "to=\(target)&token=+\(token)%0A", headers: Self.form)
            #expect(entered.status == 303, "\(entered)")
            #expect(entered.headers[.location] == Self.list)
            #expect(entered.headers[.cacheControl] == "no-store")
            let field = try #require(entered.headers[.setCookie])
            #expect(field.hasPrefix("habitat=hbs_"))
            #expect(field.hasSuffix("; HttpOnly; SameSite=Lax"))
            let cookie = String(field.prefix { character in character != ";" })
            let shown = try await client.send(path: Self.list, headers: Self.browser.merging([.cookie: cookie]))
            #expect(shown.status == 200, "\(shown)")
            #expect(shown.text.contains(#"<a class="person" href="/account">owner</a>"#))
            #expect(shown.text.contains(#"<form method="post" action="/sign-out">"#))
        }
    }

    @Test func signOutEndsSession() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let cookie = try await client.cookie(of: "owner")
            let out = try await client.send(.post, path: "/sign-out", headers: Self.form.merging([.cookie: cookie]))
            #expect(out.status == 303, "\(out)")
            #expect(out.headers[.location] == "/")
            #expect(out.headers[.setCookie] == "habitat=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")
            #expect(try await client.send(path: "/session", headers: [.cookie: cookie]).status == 401)
            let again = try await client.send(.post, path: "/sign-out", headers: Self.form)
            #expect(again.status == 303)
            #expect(try await client.send(path: "/sign-out").status == 405)
        }
    }

    @Test(arguments: ["hbt_wrong", "", "%3Cscript%3E"]) func wrongTokenIsExplained(token: String) async throws {
        try await ServerFixture(Scene.friends).run { client in
            let refused = try await client.send(.post, path: "/sign-in", "to=%2Fmap&token=\(token)", headers: Self.form)
            #expect(refused.status == 401)
            #expect(refused.type == "text/html; charset=utf-8")
            #expect(refused.headers[.setCookie] == nil)
            #expect(refused.text.contains(#"role="alert">You are not signed in. "#), "\(refused.text)")
            #expect(refused.text.contains(#"name="to" value="/map""#))
            #expect(token.isEmpty || !refused.text.contains(token))
            #expect(refused.text.matches(of: /<script/).count == refused.text.matches(of: Self.file).count)
        }
    }

    @Test(arguments: [
        "%2F%2Fevil.example", "%2F%5Cevil.example", "https%3A%2F%2Fevil.example", "%2F%252Fevil.example",
        "%2F%09%2Fevil",
        "%2F%0D%0ASet-Cookie%3Ax", "",
    ])
    func signInLeadsOnlyToThisServer(target: String) async throws {
        try await ServerFixture(Scene.friends).run { client in
            let token = try #require(client.tokens["owner"])
            let entered = try await client.send(
                .post, path: "/sign-in", "to=\(target)&token=\(token)", headers: Self.form)
            #expect(entered.status == 303, "\(entered)")
            #expect(entered.headers[.location] == "/")
            let page = try await client.send(path: "/sign-in?to=\(target)", headers: Self.browser)
            #expect(page.text.contains(#"name="to" value="/""#), "\(page.text)")
        }
    }

    @Test func signInWorksBelowPath() async throws {
        try await ServerFixture(Scene.friends) { $0.publicURL = "https://host.example/habits" }.run { client in
            let page = try await client.send(path: "/sign-in?to=%2Fmap", headers: Self.browser)
            #expect(page.text.contains(#"action="/habits/sign-in""#))
            #expect(page.text.contains(#"name="to" value="/map""#))
            let token = try #require(client.tokens["owner"])
            let entered = try await client.send(.post, path: "/sign-in", "to=%2Fmap&token=\(token)", headers: Self.form)
            #expect(entered.headers[.location] == "/habits/map")
            #expect(entered.headers[.setCookie]?.contains("__Secure-habitat=") == true)
        }
    }

    @Test func onlySmallFormIsAccepted() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let large = "token=" + String(repeating: "a", count: 20_000)
            let tooLarge = try await client.send(.post, path: "/sign-in", large, headers: Self.form)
            #expect(tooLarge.status == 413)
            let type = Self.form.merging([.contentType: "application/json"])
            let json = try await client.send(.post, path: "/sign-in", "{}", headers: type)
            #expect(json.status == 415)
            for body in ["token=%FF", "token=a&token=b"] {
                let refused = try await client.send(.post, path: "/sign-in", body, headers: Self.form)
                #expect(refused.status == 415, "\(body)")
            }
        }
    }

    @Test func signedInPersonIsNamed() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let cookie = try await client.cookie(of: "owner")
            let headers: HTTPFields = Self.browser.merging([.cookie: cookie])
            for path in ["/", "/collections", "/collections/events/items/none", "/unknown", "/sign-in"] {
                let page = try await client.send(path: path, headers: headers)
                #expect(page.text.contains(#"<a class="person" href="/account">owner</a>"#), "\(path): \(page.text)")
            }
            let settings = try await client.send(path: "/map/settings", headers: headers)
            #expect((settings.json["session"] as? [String: Any])?["user"] as? String == "owner")
            let ofVisitor = try await client.send(path: "/map/settings")
            #expect(ofVisitor.json["session"] is NSNull)
        }
    }

    private static let person = #"<a class="person" href="/account">owner</a>"#

    /// The paths whose errors the server finds before it reads the session.
    @Test(arguments: ["/unknown", "/collections/unknown", "/sign-out", "/static/0/unknown.js"])
    func errorPageNamesPersonAtFirstRequest(path: String) async throws {
        try await ServerFixture(Scene.friends).run { client in
            let cookie = try await client.cookie(of: "owner")
            let page = try await client.send(path: path, headers: Self.browser.merging([.cookie: cookie]))
            #expect(page.status >= 404, "\(page)")
            #expect(page.text.contains(Self.person), "\(page.text)")
            #expect(page.headers[.setCookie] == nil)
        }
    }

    @Test func errorPageHidesPersonFromOtherSite() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let cookie = try await client.cookie(of: "owner")
            let foreign: HTTPFields = [.cookie: cookie, .fetchSite: "cross-site", .fetchMode: "no-cors"]
            let page = try await client.send(path: "/unknown", headers: Self.browser.merging(foreign))
            #expect(page.status == 404)
            #expect(!page.text.contains("owner"), "\(page.text)")
        }
    }

    @Test func errorPageHidesPersonAfterEndOfSession() async throws {
        let audit = LogLines()
        try await ServerFixture(Scene.friends) { options in options.audit = audit.add }.run { client in
            let cookie = try await client.cookie(of: "owner")
            let own = ServerClient.ownPage.merging([.cookie: cookie])
            let ended = try await client.send(.delete, path: "/session", headers: own)
            #expect(ended.status == 204)
            let page = try await client.send(path: "/unknown", headers: Self.browser.merging([.cookie: cookie]))
            #expect(page.status == 404)
            #expect(!page.text.contains("owner"), "\(page.text)")
            #expect(page.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(audit.entries.last?["action"] as? String == "token.refuse")
        }
    }

    @Test func errorForProgramDoesNotDependOnSession() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let cookie = try await client.cookie(of: "owner")
            let named = try await client.send(path: "/unknown", headers: [.cookie: cookie])
            let unnamed = try await client.send(path: "/unknown")
            #expect(named.type == "application/problem+json")
            #expect(named.body == unnamed.body)
        }
    }

    @Test(arguments: ["/", "/sign-in", "/map", "/collections", "/unknown"])
    func pagesHaveHeaders(path: String) async throws {
        try await ServerFixture(Scene.friends).run { client in
            let page = try await client.send(path: path, headers: Self.browser)
            #expect(page.headers[.permissionsPolicy] == "geolocation=(self), camera=(self)")
            #expect(page.headers[.crossOriginOpenerPolicy] == "same-origin")
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.hasPrefix("default-src 'none'; "), "\(policy)")
            #expect(policy.hasSuffix("base-uri 'none'; form-action 'self'; frame-ancestors 'none'"), "\(policy)")
            #expect(!policy.contains("unsafe"))
        }
    }
}
