import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitPages
@testable import HabitServer

extension ServerFixture {
    /// Creates a link of a user and returns its secret.
    func link(of user: String, _ purpose: LinkPurpose = .invitation) throws -> String {
        let clock = server.options.clock()
        return try store.engine.write { session in
            let viewer = try Viewer.user(named: user, in: session)
            return try TokenActions(clock: clock, in: session).createLink(for: viewer, purpose).token.secret
        }
    }
}

extension ServerClient {
    static let linkForm: HTTPFields = [
        .accept: "text/html,application/xhtml+xml,*/*;q=0.8", .contentType: FormBody.type, .fetchSite: "same-origin",
    ]

    /// Signs a user in with a one-time link, and returns the header Cookie of the session.
    func personalCookie(of user: String) async throws -> String {
        let server = try #require(server)
        let clock = server.options.clock()
        let code = try await server.store.write(for: .server) { session in
            let viewer = try Viewer.user(named: user, in: session)
            return try TokenActions(clock: clock, in: session).createLink(for: viewer, .invitation).token.secret
        }
        return try await cookie(ofLink: code)
    }

    /// Redeems a link, and returns the header Cookie of its session.
    func cookie(ofLink code: String) async throws -> String {
        let body = "code=\(code)&confirm=yes"
        let entered = try await send(.post, path: "/sign-in/link", body, headers: Self.linkForm)
        #expect(entered.status == 303, "\(entered)")
        let field = try #require(entered.headers[.setCookie])
        return String(field.prefix { character in character != ";" })
    }
}

/// Tests of the page that redeems one-time links, and of links for other devices.
@Suite(.engineIndependent, .serialized) struct SignInLinkTests {
    private static let path = "/sign-in/link"

    private static func post(
        _ client: ServerClient,
        _ body: String,
        headers: HTTPFields = ServerClient.linkForm
    ) async throws -> ServerResponse {
        try await client.send(.post, path: path, body, headers: headers)
    }

    // MARK: The page

    @Test func personConfirmsUserOfLink() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let code = try fixture.link(of: "owner")
        try await fixture.run { client in
            let page = try await client.send(path: Self.path, headers: [.accept: "text/html"])
            #expect(page.status == 200)
            #expect(page.text.contains(#"<form class="sign-in" id="link" method="post" action="/sign-in/link">"#))
            let file = "/" + WebFiles.all.path(of: "link.js")
            #expect(page.text.contains(#"<script type="module" src="\#(file)"></script>"#))
            #expect(page.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
            #expect(page.headers[.cacheControl] == "no-store")
            let script = try await client.send(path: file)
            #expect(script.text.contains("history.replaceState"))
            let asked = try await Self.post(client, "code=+https%3A%2F%2Fhost%2Fsign-in%2Flink%23\(code)%0A")
            #expect(asked.status == 200, "\(asked)")
            #expect(asked.headers[.setCookie] == nil)
            #expect(asked.headers[.cacheControl] == "no-store")
            #expect(asked.text.contains("<p>Sign in as "))
            #expect(asked.text.contains(#"<input type="hidden" name="code" value="\#(code)">"#))
            #expect(!asked.text.contains("<script"))
            let entered = try await Self.post(client, "code=\(code)&confirm=yes")
            #expect(entered.status == 303, "\(entered)")
            #expect(entered.headers[.location] == "/")
            let field = try #require(entered.headers[.setCookie])
            #expect(field.hasPrefix("habitat=hbs_"))
            let cookie = String(field.prefix { character in character != ";" })
            let session = try await client.send(path: "/session", headers: [.cookie: cookie])
            #expect(session.json["user"] as? String == "owner")
            let again = try await Self.post(client, "code=\(code)&confirm=yes")
            #expect(again.status == 401, "\(again)")
            #expect(again.headers[.setCookie] == nil)
            #expect(again.text.contains("ask for a new one"))
            #expect(!again.text.contains(code))
            #expect(try await client.send(path: "/session", headers: [.cookie: cookie]).status == 200)
        }
    }

    @Test func linkReplacesSessionOfCookie() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let code = try fixture.link(of: "all")
        try await fixture.run { client in
            let former = try await client.cookie(of: "owner")
            let headers = ServerClient.linkForm.merging([.cookie: former])
            let entered = try await Self.post(client, "code=\(code)&confirm=yes", headers: headers)
            #expect(entered.status == 303, "\(entered)")
            #expect(try await client.send(path: "/session", headers: [.cookie: former]).status == 401)
        }
    }

    @Test(arguments: ["", "hbl_unknown", "%3Cscript%3E", "hbl_%23"]) func wrongCodeIsExplained(code: String)
        async throws
    {
        try await ServerFixture(Scene.friends).run { client in
            for end in ["", "&confirm=yes", "&confirm=no"] {
                let refused = try await Self.post(client, "code=\(code)\(end)")
                #expect(refused.status == 401, "\(refused)")
                #expect(refused.text.contains(#"role="alert">You are not signed in. "#))
                #expect(!refused.text.contains("<script>"))
                #expect(refused.headers[.setCookie] == nil)
            }
            let json = try await Self.post(client, "{}", headers: [.contentType: "application/json"])
            #expect(json.status == 415)
        }
    }

    @Test func expiredLinkIsRefused() async throws {
        let clock = TestClock()
        let fixture = try await ServerFixture(Scene.friends) { options in options.clock = { clock.now } }
        let code = try fixture.link(of: "owner", .device)
        try await fixture.run { client throws in
            #expect(try await Self.post(client, "code=\(code)").status == 200)
            clock.advance(by: 600)
            #expect(try await Self.post(client, "code=\(code)").status == 401)
            #expect(try await Self.post(client, "code=\(code)&confirm=yes").status == 401)
        }
    }

    @Test(arguments: [
        HTTPFields(), [.fetchSite: "cross-site"], [.fetchSite: "same-site"], [.origin: "https://evil.example"],
        [.origin: "null"], [.fetchSite: "cross-site", .fetchMode: "navigate", .fetchDestination: "document"],
    ])
    func otherSiteCannotUseLinks(headers: HTTPFields) async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let code = try fixture.link(of: "owner")
        try await fixture.run { client in
            let cookie = try await client.cookie(ofLink: code)
            let other = try fixture.link(of: "all")
            let form = headers.merging([.contentType: FormBody.type])
            for body in ["code=\(other)", "code=\(other)&confirm=yes"] {
                let refused = try await Self.post(client, body, headers: form)
                #expect(refused.status == 403, "\(refused)")
                #expect(refused.headers[.setCookie] == nil)
            }
            let made = try await client.send(
                .post, path: "/sign-in/links/own", headers: headers.merging([.cookie: cookie]))
            #expect(made.status == 403, "\(made)")
            let mailed = try await client.send(
                .post, path: "/sign-in/links", #"{"email":"ann@example.org"}"#, headers: headers)
            #expect(mailed.status == 403, "\(mailed)")
            #expect(try await Self.post(client, "code=\(other)").status == 200, "the link stays valid")
        }
    }

    @Test func linkGrantsNothingElse() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let code = try fixture.link(of: "owner")
        try await fixture.run { client in
            // The server has read the link and keeps no owner for other purposes.
            #expect(try await Self.post(client, "code=\(code)").status == 200)
            #expect(try await client.send(path: "/user", as: code).status == 401)
            #expect(try await client.send(path: "/user", headers: [.cookie: "habitat=\(code)"]).status == 401)
            #expect(try await client.send(path: "/calendars/\(code).ics").status == 404)
            let body = #"{"token":"\#(code)"}"#
            let opened = try await client.send(.post, path: "/session", body, headers: ServerClient.ownPage)
            #expect(opened.status == 401, "\(opened)")
            let list = try await client.send(path: "/sessions", as: "owner")
            #expect(list.text.contains(#""kind":"link""#), "\(list)")
            #expect(!list.text.contains(code), "\(list)")
            // The other secrets of a user are not links.
            let token = try #require(client.tokens["owner"])
            let session = try await client.cookie(of: "owner").replacing("habitat=", with: "")
            for secret in [token, session, ServerFixture.operatorToken] {
                #expect(try await Self.post(client, "code=\(secret)").status == 401)
                #expect(try await Self.post(client, "code=\(secret)&confirm=yes").status == 401)
            }
            #expect(try await Self.post(client, "code=\(code)").status == 200)
        }
    }

    @Test func linkIsRedeemedOnceByTwoServers() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let other = try fixture.copy { _ in }
        // Several links, because the requests of one may not overlap.
        let codes = try (0..<5).map { _ in try fixture.link(of: "owner") }
        try await fixture.run { first in
            try await fixture.run(other.router()) { second in
                for code in codes {
                    let body = "code=\(code)&confirm=yes"
                    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                        for client in [first, second, first, second] {
                            group.addTask { try await Self.post(client, body).status }
                        }
                        return try await group.reduce(into: []) { statuses, status in statuses.append(status) }
                    }
                    #expect(statuses.sorted() == [303, 401, 401, 401])
                }
                let list = try await second.send(path: "/sessions", as: "owner")
                let sessions = list.text.matches(of: /"kind":"session"/)
                #expect(sessions.count == codes.count, "\(list)")
            }
        }
    }

    @Test func attemptsAreAuditedAndLimited() async throws {
        let lines = LogLines()
        let log = LogLines()
        let fixture = try await ServerFixture(Scene.friends) { options in
            options.audit = { lines.add($0) }
            options.log = { log.add($0) }
        }
        let code = try fixture.link(of: "owner")
        let failures = fixture.server.services.signInFailures
        try await fixture.run { client in
            #expect(try await Self.post(client, "code=hbl_unknown").status == 401)
            _ = try await client.cookie(ofLink: code)
            #expect(try await Self.post(client, "code=\(code)&confirm=yes").status == 401)
            while failures.record("-") {}
            let limited = try await Self.post(client, "code=hbl_unknown")
            #expect(limited.status == 429, "\(limited)")
            #expect(limited.headers[.retryAfter] == "3")
        }
        let actions = lines.entries.map { entry in entry["action"] as? String }
        #expect(
            Array(actions.prefix(4)) == ["sign-in.refuse", "token.create", "sign-in.link", "sign-in.refuse"],
            "\(lines.all)")
        #expect(lines.entries[2]["user"] as? String == "owner")
        #expect(lines.entries[2]["token"] as? String == Token.id(of: code))
        #expect(!(lines.all + log.all).joined().contains("hbl_"))
    }

    // MARK: Links for other devices

    @Test func personMakesLinkForOtherDevice() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let code = try fixture.link(of: "owner")
        try await fixture.run { client in
            let cookie = try await client.cookie(ofLink: code)
            let headers = ServerClient.ownPage.merging([.cookie: cookie])
            let made = try await client.send(.post, path: "/sign-in/links/own", headers: headers)
            #expect(made.status == 201, "\(made)")
            #expect(made.headers[.cacheControl] == "no-store")
            #expect(made.json["expires_at"] as? String == "2026-11-20T12:10:00+00:00")
            let url = try #require(made.json["url"] as? String)
            let parts = url.split(separator: "#").map(String.init)
            #expect(parts.first?.hasSuffix("/sign-in/link") == true)
            let second = try await client.cookie(ofLink: try #require(parts.last))
            #expect(second != cookie)
            let session = try await client.send(path: "/session", headers: [.cookie: second])
            #expect(session.json["user"] as? String == "owner")
            let form = ServerClient.linkForm.merging([.cookie: cookie])
            let page = try await client.send(.post, path: "/sign-in/links/own", "", headers: form)
            #expect(page.status == 201, "\(page)")
            #expect(page.text.contains("/sign-in/link#hbl_"))
            let home = try await client.send(path: "/sign-in", headers: form)
            #expect(home.text.contains(#"<form method="post" action="/sign-in/links/own">"#))
        }
    }

    /// The access of a token ends with the token.
    @Test func tokenMakesNoLink() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = "/sign-in/links/own"
            #expect(try await client.send(.post, path: path, headers: ServerClient.ownPage).status == 401)
            for user in ["owner", "operator"] {
                let ofToken = try await client.send(.post, path: path, as: user, headers: ServerClient.ownPage)
                #expect(ofToken.status == 403, "\(ofToken)")
                let cookie = try await client.cookie(of: user)
                let headers = ServerClient.ownPage.merging([.cookie: cookie])
                let ofSession = try await client.send(.post, path: path, headers: headers)
                #expect(ofSession.status == 403, "\(ofSession)")
                #expect(ofSession.slug == "not-signed-in")
                let form = ServerClient.linkForm.merging([.cookie: cookie])
                let page = try await client.send(.post, path: path, headers: form)
                #expect(page.status == 403, "\(page)")
                #expect(page.type == "text/html; charset=utf-8")
            }
        }
    }

    @Test func userMakesFewLinks() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let code = try fixture.link(of: "owner")
        try await fixture.run { client in
            let headers = ServerClient.ownPage.merging([.cookie: try await client.cookie(ofLink: code)])
            var statuses: [Int] = []
            for _ in 0...SignInLinks.hourlyLimit {
                statuses.append(try await client.send(.post, path: "/sign-in/links/own", headers: headers).status)
            }
            #expect(statuses.dropLast().allSatisfy { status in status == 201 })
            #expect(statuses.last == 429)
        }
        let count = try fixture.store.engine.read { session in
            let owner = try Viewer.user(named: "owner", in: session)
            return try TokenActions(clock: ServerFixture.clock, in: session).tokens(of: owner, [.link]).count
        }
        #expect(count == 3)
    }

    @Test func attemptsOfAnHourAreLimited() {
        let limiter = AttemptLimiter(limit: 2)
        let now = ContinuousClock.now
        #expect(limiter.wait(afterAttemptOf: "a", now: now) == nil)
        let later = now.advanced(by: .seconds(600))
        #expect(limiter.wait(afterAttemptOf: "a", now: later) == nil)
        #expect(limiter.wait(afterAttemptOf: "a", now: later) == 3000)
        #expect(limiter.wait(afterAttemptOf: "b", now: later) == nil)
        let next = now.advanced(by: .seconds(3600))
        #expect(limiter.wait(afterAttemptOf: "a", now: next) == nil)
        #expect(limiter.wait(afterAttemptOf: "a", now: next) == 600)
    }
}
