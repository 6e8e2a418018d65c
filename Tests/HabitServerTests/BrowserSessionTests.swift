import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

extension ServerClient {
    /// The header fields of a request that a page of the server sends.
    static let ownPage: HTTPFields = [.fetchSite: "same-origin"]

    /// Opens a session with the access token of a user, and returns the header Cookie of its browser.
    func cookie(of user: String) async throws -> String {
        let token = try #require(tokens[user])
        let opened = try await send(.post, path: "/session", #"{"token":"\#(token)"}"#, headers: Self.ownPage)
        #expect(opened.status == 201, "\(opened)")
        let field = try #require(opened.headers[.setCookie])
        return String(field.prefix { character in character != ";" })
    }
}

/// Tests of the sessions of browsers over HTTP.
@Suite(.engineIndependent, .serialized) struct BrowserSessionTests {
    private static let address = "https://habits.example"

    private static func fixture(_ change: (inout ServerOptions) -> Void = { _ in }) async throws -> ServerFixture {
        try await ServerFixture(Scene.friends) { options in
            options.publicURL = address
            change(&options)
        }
    }

    // MARK: Sign-in and sign-out

    @Test func accessTokenOpensSession() async throws {
        let audit = LogLines()
        try await Self.fixture { options in options.audit = audit.add }.run { client in
            let token = try #require(client.tokens["owner"])
            let body = #"{"token":"\#(token)"}"#
            let opened = try await client.send(.post, path: "/session", body, headers: ServerClient.ownPage)
            #expect(opened.status == 201, "\(opened)")
            #expect(opened.json["user"] as? String == "owner")
            #expect(opened.json["token"] == nil)
            #expect(opened.json["expires_at"] as? String == "2026-12-20T12:00:00+00:00")
            #expect(opened.headers[.cacheControl] == "no-store")
            let field = try #require(opened.headers[.setCookie])
            #expect(field.hasPrefix("__Host-habitat=hbs_"))
            #expect(field.hasSuffix("; Path=/; Max-Age=31622400; Secure; HttpOnly; SameSite=Lax"), "\(field)")
            let cookie = String(field.prefix { character in character != ";" })
            let session = try await client.send(path: "/session", headers: [.cookie: cookie])
            #expect(session.json["user"] as? String == "owner", "\(session)")
            let secret = try #require(cookie.split(separator: "=").last)
            #expect(audit.entries.map { entry in entry["action"] as? String } == ["token.create"])
            #expect(audit.entries.first?["user"] as? String == "owner")
            #expect(audit.entries.first?["kind"] as? String == "session")
            #expect(!audit.all.joined().contains(secret))
            // The secret of a cookie is not a bearer token.
            #expect(try await client.send(path: "/session", as: String(secret)).status == 401)
            // Nor is a bearer token the secret of a cookie.
            let other = try await client.send(path: "/session", headers: [.cookie: "__Host-habitat=\(token)"])
            #expect(other.status == 401)
        }
    }

    @Test func signOutEndsSession() async throws {
        let audit = LogLines()
        try await Self.fixture { options in options.audit = audit.add }.run { client in
            let cookie = try await client.cookie(of: "owner")
            let headers: HTTPFields = ServerClient.ownPage.merging([.cookie: cookie])
            let out = try await client.send(.delete, path: "/session", headers: headers)
            #expect(out.status == 204, "\(out)")
            #expect(out.headers[.setCookie] == "__Host-habitat=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax")
            #expect(out.headers[.clearSiteData] == #""cache", "storage""#)
            #expect(audit.entries.last?["action"] as? String == "token.revoke")
            #expect(audit.entries.last?["user"] as? String == "owner")
            let later = try await client.send(path: "/session", headers: [.cookie: cookie])
            #expect(later.status == 401)
            #expect(later.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(audit.entries.last?["action"] as? String == "token.refuse")
            // The token itself stays valid.
            #expect(try await client.send(path: "/session", as: "owner").status == 200)
        }
    }

    @Test func otherProgramsBelowPathKeepTheirStorage() async throws {
        try await ServerFixture(Scene.friends) { $0.publicURL = "https://host.example/habits/" }.run { client in
            let cookie = try await client.cookie(of: "owner")
            #expect(cookie.hasPrefix("__Secure-habitat="))
            let headers: HTTPFields = ServerClient.ownPage.merging([.cookie: cookie])
            let out = try await client.send(.delete, path: "/session", headers: headers)
            #expect(out.headers[.clearSiteData] == nil)
            #expect(out.headers[.setCookie]?.contains("; Path=/habits;") == true)
        }
    }

    @Test func sessionEndsWithItsToken() async throws {
        try await Self.fixture().run { client in
            let cookie = try await client.cookie(of: "owner")
            let out = try await client.send(.delete, path: "/session", as: "owner")
            #expect(out.status == 204)
            #expect(out.headers[.setCookie] == nil)
            #expect(try await client.send(path: "/session", headers: [.cookie: cookie]).status == 401)
        }
    }

    @Test func sessionIsListedAndRevoked() async throws {
        try await Self.fixture().run { client in
            let cookie = try await client.cookie(of: "owner")
            let response = try await client.send(path: "/sessions", headers: [.cookie: cookie])
            let sessions = try #require(response.json["sessions"] as? [[String: Any]])
            let kinds = sessions.compactMap { session in session["kind"] as? String }
            #expect(kinds.sorted() == ["bearer", "session"])
            let own = try #require(sessions.first { session in session["current"] as? Bool == true })
            #expect(own["kind"] as? String == "session")
            let id = try #require(own["id"] as? String)
            #expect(try await client.send(.delete, path: "/sessions/\(id)", as: "stranger").status == 404)
            #expect(try await client.send(.delete, path: "/sessions/\(id)", as: "owner").status == 204)
            #expect(try await client.send(path: "/sessions", headers: [.cookie: cookie]).status == 401)
        }
    }

    // MARK: The user of a page

    @Test func requestForOtherUserIsRefused() async throws {
        try await Self.fixture().run { client in
            let cookie = try await client.cookie(of: "owner")
            let own: HTTPFields = ServerClient.ownPage.merging([.cookie: cookie, .habitatUser: "owner"])
            let other: HTTPFields = ServerClient.ownPage.merging([.cookie: cookie, .habitatUser: "all"])
            let change = #"{"action":"delete","collection":"events","id":"unknown","version":"0"}"#
            for path in ["/user", "/days", "/changes?collections=user"] {
                #expect(try await client.send(path: path, headers: own).status == 200, "\(path)")
                let refused = try await client.send(path: path, headers: other)
                #expect(refused.status == 412, "\(path)")
                #expect(refused.slug == "other-user", "\(path)")
            }
            #expect(try await client.send(.post, path: "/changes", change, headers: own).status == 200)
            #expect(try await client.send(.post, path: "/changes", change, headers: other).slug == "other-user")
            // The session stays.
            #expect(try await client.send(path: "/session", headers: [.cookie: cookie]).status == 200)
        }
    }

    @Test(arguments: ["owner", "%6Fwner"])
    func expectedUserIsPercentDecoded(header: String) async throws {
        try await Self.fixture().run { client in
            #expect(try await client.send(path: "/user", as: "owner", headers: [.habitatUser: header]).status == 200)
            let refused = try await client.send(path: "/user", as: "all", headers: [.habitatUser: header])
            #expect(refused.slug == "other-user")
        }
    }

    @Test func secondSignInReplacesSession() async throws {
        let audit = LogLines()
        try await Self.fixture { options in options.audit = audit.add }.run { client in
            let first = try await client.cookie(of: "owner")
            let token = try #require(client.tokens["all"])
            let headers: HTTPFields = ServerClient.ownPage.merging([.cookie: first])
            let body = #"{"token":"\#(token)"}"#
            let second = try await client.send(.post, path: "/session", body, headers: headers)
            #expect(second.json["user"] as? String == "all", "\(second)")
            let revoked = audit.entries.filter { entry in entry["action"] as? String == "token.revoke" }
            #expect(revoked.map { entry in entry["user"] as? String } == ["owner"])
            #expect(try await client.send(path: "/session", headers: [.cookie: first]).status == 401)
        }
    }

    @Test(arguments: ["hbt_unknown", "", "x"]) func invalidTokenOpensNoSession(token: String) async throws {
        let audit = LogLines()
        try await Self.fixture { options in options.audit = audit.add }.run { client in
            let body = #"{"token":"\#(token)"}"#
            let refused = try await client.send(.post, path: "/session", body, headers: ServerClient.ownPage)
            #expect(refused.status == 401, "\(refused)")
            #expect(refused.slug == "not-signed-in")
            #expect(refused.headers[.setCookie] == nil)
            #expect(audit.entries.map { entry in entry["action"] as? String } == ["sign-in.refuse"])
        }
    }

    @Test(arguments: [#"{"token":1}"#, "{}", #"{"id_token":"b"}"#, "[]", "x"])
    func bodyNamesOneToken(body: String) async throws {
        try await Self.fixture().run { client in
            let refused = try await client.send(.post, path: "/session", body, headers: ServerClient.ownPage)
            #expect(refused.slug == "row-invalid", "\(refused)")
        }
    }

    @Test func manyRefusedTokensMustWait() async throws {
        try await Self.fixture().run { client in
            var statuses: [Int] = []
            for _ in 0..<22 {
                let body = #"{"token":"hbt_wrong"}"#
                let refused = try await client.send(.post, path: "/session", body, headers: ServerClient.ownPage)
                statuses.append(refused.status)
            }
            let limit = Int(FailureLimiter.capacity)
            #expect(statuses == Array(repeating: 401, count: limit) + [429, 429])
        }
    }

    // MARK: Expiry

    @Test func usedSessionStaysValid() async throws {
        let clock = TestClock()
        try await Self.fixture { options in options.clock = { clock.now } }.run { client in
            let cookie = try await client.cookie(of: "owner")
            let expiries = [("2026-12-10", "2027-01-09"), ("2027-01-05", "2027-02-04"), ("2027-02-01", "2027-03-03")]
            for (day, end) in expiries {
                clock.set("\(day)T12:00:00Z")
                #expect(try await client.send(path: "/user", headers: [.cookie: cookie]).status == 200, "\(day)")
                // The response does not wait for the write.
                try await waitUntil("the expiry is \(end)") {
                    let session = try await client.send(path: "/session", headers: [.cookie: cookie])
                    return session.json["expires_at"] as? String == "\(end)T12:00:00+00:00"
                }
            }
            clock.set("2027-03-03T12:00:00Z")
            #expect(try await client.send(path: "/user", headers: [.cookie: cookie]).status == 401)
        }
    }

    @Test func operatorSessionEndsAfter8Hours() async throws {
        let clock = TestClock()
        try await Self.fixture { options in options.clock = { clock.now } }.run { client in
            let cookie = try await client.cookie(of: "operator")
            clock.set("2026-11-20T19:59:59Z")
            let session = try await client.send(path: "/session", headers: [.cookie: cookie])
            #expect(session.json["expires_at"] as? String == "2026-11-20T20:00:00+00:00", "\(session)")
            #expect(session.json["user"] is NSNull)
            let token = try #require(client.tokens["operator"])
            let opened = try await client.send(
                .post, path: "/session", #"{"token":"\#(token)"}"#, headers: ServerClient.ownPage)
            #expect(opened.headers[.setCookie]?.contains("; Max-Age=28800; ") == true, "\(opened)")
            clock.set("2026-11-20T20:00:00Z")
            #expect(try await client.send(path: "/session", headers: [.cookie: cookie]).status == 401)
        }
    }

    /// The operator revokes the token of the file by another file, and its sessions end too.
    @Test func operatorSessionEndsWithTokenFile() async throws {
        let fixture = try await Self.fixture()
        try await fixture.run { client in
            let cookie = try await client.cookie(of: "operator")
            let secret = String(cookie.split(separator: "=")[1])
            #expect(try await client.send(path: "/session", headers: [.cookie: cookie]).status == 200)
            var options = fixture.server.options
            options.operatorToken = String(repeating: "1e", count: 32)
            let location = fixture.store.location
            let other = try HabitatServer(options) { writes in
                try location.open(writes ? .write : .read, wait: .seconds(5))
            }
            try await fixture.run(other.router()) { client in
                let refused = try await client.send(path: "/session", headers: [.cookie: "__Host-habitat=\(secret)"])
                #expect(refused.status == 401, "\(refused)")
            }
        }
    }

    // MARK: Requests with a cookie

    private static let pages = [
        "/", "/collections", "/collections/events/items", "/collections/events/items/r17", "/user", "/changes",
        "/collections/located-events/tiles/WebMercatorQuad/0/0/0", "/reports/todo", "/inbox",
        "/collections/events/items?f=csv",
    ]

    @Test(arguments: pages) func cookieActsForItsUser(path: String) async throws {
        try await Self.fixture().run { client in
            let cookie = try await client.cookie(of: "owner")
            let mine = try await client.send(path: path, headers: [.cookie: cookie])
            let same = try await client.send(path: path, as: "owner")
            #expect(mine.status == 200, "\(mine)")
            // The token of a list of changes differs in each response.
            #expect(mine.body == same.body || path == "/changes")
            let vary = mine.headers[.vary] ?? ""
            #expect(vary.contains("Cookie") || mine.headers[.cacheControl] == "no-store", "\(vary)")
        }
    }

    @Test func authorizationWins() async throws {
        try await Self.fixture().run { client in
            let cookie = try await client.cookie(of: "owner")
            let both = try await client.send(path: "/session", as: "stranger", headers: [.cookie: cookie])
            #expect(both.json["user"] as? String == "stranger", "\(both)")
            let wrong = try await client.send(path: "/session", as: "hbt_wrong", headers: [.cookie: cookie])
            #expect(wrong.status == 401)
            #expect(wrong.headers[.setCookie] == nil)
            let basic = try await client.send(
                path: "/session",
                headers: [.cookie: cookie, .authorization: "Basic eDp5"])
            #expect(basic.status == 401)
        }
    }

    /// A cookie that names no session counts as none, and the browser removes it.
    @Test(arguments: ["__Host-habitat=hbs_unknown", "__Host-habitat=", "__Host-habitat=a; __Host-habitat=b"])
    func invalidCookieIsCleared(cookie: String) async throws {
        try await Self.fixture { options in options.publicCollections = ["items"] }.run { client in
            for (path, status) in [("/collections/items/items", 200), ("/user", 401), ("/unknown", 404)] {
                let response = try await client.send(path: path, headers: [.cookie: cookie])
                #expect(response.status == status, "\(path): \(response)")
                let cleared = response.headers[.setCookie]
                #expect((cleared?.contains("Max-Age=0") == true) == (status != 404), "\(path): \(cleared ?? "")")
            }
        }
    }

    @Test func corsHasNoCredentials() async throws {
        try await Self.fixture { options in options.origins = ["https://map.example"] }.run { client in
            let cookie = try await client.cookie(of: "owner")
            let foreign: HTTPFields = [.origin: "https://map.example", .cookie: cookie, .fetchSite: "cross-site"]
            let refused = try await client.send(path: "/user", headers: foreign)
            #expect(refused.status == 403, "\(refused)")
            #expect(refused.slug == "cross-site")
            #expect(refused.headers[.accessControlAllowCredentials] == nil)
            let preflight = foreign.merging([.accessControlRequestMethod: "PATCH", .cookie: ""])
            let allowed = try await client.send(.options, path: "/user", headers: preflight)
            #expect(allowed.headers[.accessControlAllowCredentials] == nil)
        }
    }

    // MARK: Requests of other sites

    private static let requests: [(method: HTTPRequest.Method, path: String)] = [
        (.get, "/user"), (.head, "/user"), (.post, "/changes"), (.put, "/collections/habits/items/none"),
        (.patch, "/user"), (.delete, "/sessions/none"),
    ]

    private enum Outcome: Equatable {
        case permitted, notSignedIn, crossSite

        init(_ response: ServerResponse) {
            switch response.status {
            case 401: self = .notSignedIn
            case 403 where response.slug == "cross-site": self = .crossSite
            case 403 where response.body.isEmpty: self = .crossSite
            default: self = .permitted
            }
        }
    }

    private struct Sent: CustomStringConvertible {
        var method: HTTPRequest.Method
        var cookie: String
        var authorization: String
        var site: String?
        var mode: String?
        var origin: String?

        var description: String {
            "\(method) cookie \(cookie), token \(authorization), \(site ?? "-") \(mode ?? "-") \(origin ?? "-")"
        }

        /// Whether the site, the mode or the origin shows that this server's page or the person sends the request.
        private var isOwn: Bool {
            switch site {
            case nil: [.get, .head].contains(method) || origin == address
            case "same-origin", "none": true
            default: method == .get && mode == "navigate"
            }
        }

        var expected: Outcome {
            switch (authorization, cookie) {
            case ("valid", _): .permitted
            case ("invalid", _): .notSignedIn
            case (_, "absent"): .notSignedIn
            case _ where !isOwn: .crossSite
            case (_, "valid"): .permitted
            default: .notSignedIn
            }
        }
    }

    private static var combinations: [Sent] {
        var all: [Sent] = []
        for (method, _) in requests {
            for cookie in ["valid", "invalid", "absent"] {
                for authorization in ["valid", "invalid", "absent"] {
                    for site in [nil, "same-origin", "none", "same-site", "cross-site"] {
                        for mode in [nil, "navigate", "cors"] {
                            for origin in [nil, address, "https://evil.example", "null"] {
                                all.append(
                                    Sent(
                                        method: method,
                                        cookie: cookie,
                                        authorization: authorization,
                                        site: site,
                                        mode: mode,
                                        origin: origin))
                            }
                        }
                    }
                }
            }
        }
        return all
    }

    @Test func requestsOfOtherSitesAreRefused() async throws {
        try await Self.fixture().run { client in
            let valid = try await client.cookie(of: "owner")
            let paths = Dictionary(uniqueKeysWithValues: Self.requests.map { ($0.method, $0.path) })
            var outcomes: [Outcome] = []
            for sent in Self.combinations {
                var headers: HTTPFields = [:]
                headers[.cookie] = ["valid": valid, "invalid": "__Host-habitat=hbs_unknown"][sent.cookie]
                headers[.fetchSite] = sent.site
                headers[.fetchMode] = sent.mode
                headers[.fetchDestination] = sent.mode == "navigate" ? "document" : nil
                headers[.origin] = sent.origin
                let user = ["valid": "owner", "invalid": "hbt_unknown"][sent.authorization]
                let path = try #require(paths[sent.method])
                let body = sent.method == .get || sent.method == .head ? nil : "?"
                let response = try await client.send(sent.method, path: path, as: user, body, headers: headers)
                let outcome = Outcome(response)
                #expect(outcome == sent.expected, "\(sent): \(response)")
                outcomes.append(outcome)
                // Only a request of this server's pages or of the person clears an invalid cookie.
                let isCleared = sent.cookie == "invalid" && sent.authorization == "absent" && outcome != .crossSite
                #expect((response.headers[.setCookie] != nil) == isCleared, "\(sent)")
            }
            #expect(outcomes.count(where: { outcome in outcome == .crossSite }) > 300)
            #expect(outcomes.count(where: { outcome in outcome == .permitted }) > 500)
        }
    }

    /// A page of another site can neither sign a visitor in nor out.
    @Test(arguments: [
        HTTPFields(), [.fetchSite: "cross-site"], [.fetchSite: "same-site"], [.origin: "https://evil.example"],
        [.origin: "null"], [.fetchSite: "cross-site", .fetchMode: "navigate", .fetchDestination: "document"],
    ])
    func cookieIsSetOnlyForOwnPages(headers: HTTPFields) async throws {
        try await Self.fixture().run { client in
            let token = try #require(client.tokens["owner"])
            let json = try await client.send(.post, path: "/session", #"{"token":"\#(token)"}"#, headers: headers)
            let type: HTTPFields = [.contentType: FormBody.type]
            let form = try await client.send(
                .post,
                path: "/sign-in",
                "token=\(token)",
                headers: headers.merging(type))
            for response in [json, form] {
                #expect(response.status == 403, "\(response)")
                #expect(response.headers[.setCookie] == nil)
            }
            let cookie = try await client.cookie(of: "owner")
            let out = try await client.send(
                .post,
                path: "/sign-out",
                headers: headers.merging([.cookie: cookie]).merging(type))
            #expect(out.status == 403, "\(out)")
            #expect(try await client.send(path: "/session", headers: [.cookie: cookie]).status == 200)
        }
    }
}
