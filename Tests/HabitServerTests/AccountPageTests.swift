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

/// Tests of the page of a person's own account, and of its forms.
@Suite(.engineIndependent, .serialized) struct AccountPageTests {
    private static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
    private static let ownForm: HTTPFields = browser.merging([.contentType: FormBody.type, .fetchSite: "same-origin"])

    /// A person who uses the pages of a server with a session.
    private struct Person {
        var client: ServerClient
        var cookie: String

        /// Signs a user in with an access token, or with a one-time link.
        init(_ user: String, _ client: ServerClient, byLink: Bool = false) async throws {
            self.client = client
            cookie = try await byLink ? client.personalCookie(of: user) : client.cookie(of: user)
        }

        func page(_ path: String = "/account") async throws -> ServerResponse {
            try await client.send(path: path, headers: browser.merging([.cookie: cookie]))
        }

        /// Sends a form of the account page.
        @discardableResult
        func send(
            _ form: String, _ fields: KeyValuePairs<String, String> = [:], headers: HTTPFields = ownForm
        ) async throws -> ServerResponse {
            let all = [("form", form)] + fields.map { name, value in (name, value) }
            let body = all.map { name, value in "\(name)=\(value.urlEncoded)" }.joined(separator: "&")
            return try await client.send(.post, path: "/account", body, headers: headers.merging([.cookie: cookie]))
        }

        func account() async throws -> [String: Any] {
            try await client.send(path: "/user", headers: [.cookie: cookie]).json
        }

        /// Returns the IDs of the sessions or the tokens of a kind.
        func ids(_ kind: String) async throws -> [String] {
            let list = try await client.send(path: "/sessions", headers: [.cookie: cookie])
            let sessions = list.json["sessions"] as? [[String: Any]] ?? []
            return sessions.filter { session in session["kind"] as? String == kind }
                .compactMap { session in session["id"] as? String }
        }
    }

    /// Returns the lines of the audit log about an action.
    private static func lines(_ action: String, in audit: LogLines) -> [[String: Any]] {
        audit.entries.filter { entry in entry["action"] as? String == action }
    }

    private static func run(
        _ change: (inout ServerOptions) -> Void = { _ in },
        _ test: @escaping @Sendable (ServerClient) async throws -> Void
    ) async throws {
        try await ServerFixture(Scene.friends, change).run(nil, test)
    }

    // MARK: Ways to sign in

    @Test func personAddsWaysToSignInOnlyWithoutAccessToken() async throws {
        try await Self.run { options in
            options.publicURL = "https://habits.example.org"
        } _: { client in
            let person = try await Person("owner", client, byLink: true).page().text
            #expect(
                person.contains(#"<form class="account" id="new-passkey" data-domain="habits.example.org" hidden>"#))
            #expect(person.contains(#"action="/sign-in/links/own""#))
            #expect(person.contains(WebFiles.all.path(of: "passkey.js")))
            let program = try await Person("owner", client).page().text
            #expect(program.contains("ask the operator for a one-time link"))
            #expect(!program.contains("new-passkey"))
            #expect(!program.contains(#"action="/sign-in/links/own""#))
            #expect(!program.contains("passkey.js"))
        }
    }

    @Test func formsRemoveOwnPasskeysAndServices() async throws {
        let audit = LogLines()
        let fixture = try await ServerFixture(Scene.friends) { options in
            options.publicURL = "https://habits.example.org"
            options.audit = audit.add
        }
        let credential = Passkey.Credential(
            id: [1, 2, 3], userHandle: [4], publicKey: [5], algorithm: .es256, counter: 0)
        let clock = fixture.server.options.clock()
        let (passkey, identity) = try fixture.store.engine.write { session in
            let owner = try Viewer.user(named: "owner", in: session)
            let added = try PasskeyActions(clock: clock, in: session).add(credential, label: "<b>Phone", for: owner)
            let verified = VerifiedIdentity(
                issuer: "https://id.example.org", subject: "s", email: nil, isEmailTrusted: false, name: nil)
            _ = try SignIn(in: session).add(verified, to: owner)
            return (added.id, try Identities(in: session).identities(of: owner)[0].id)
        }
        try await fixture.run { client in
            let owner = try await Person("owner", client)
            let page = try await owner.page().text
            #expect(page.contains("&lt;b>Phone") || page.contains("&lt;b&gt;Phone"), "\(page)")
            #expect(page.contains("https://id.example.org"))
            let stranger = try await Person("stranger", client)
            for (form, id) in [("remove-passkey", passkey), ("remove-identity", identity)] {
                #expect(try await stranger.send(form, ["id": id]).status == 404)
                let removed = try await owner.send(form, ["id": id])
                #expect(removed.status == 303, "\(removed)")
                #expect(try await owner.send(form, ["id": id]).status == 404)
            }
            let empty = try await owner.page().text
            #expect(empty.contains("You have no passkey."))
            #expect(!empty.contains("https://id.example.org"))
        }
        #expect(Self.lines("passkey.delete", in: audit).count == 1)
        #expect(Self.lines("identity.remove", in: audit).count == 1)
    }

    // MARK: Access

    @Test func pageNeedsSignInAndLeadsBack() async throws {
        try await Self.run { client in
            let refused = try await client.send(path: "/account", headers: Self.browser)
            #expect(refused.status == 401)
            #expect(refused.text.contains(#"href="/sign-in?to=%2Faccount""#), "\(refused.text)")
            let sent = try await client.send(.post, path: "/account", "form=name&name=X", headers: Self.ownForm)
            #expect(sent.status == 401, "\(sent)")
            #expect(sent.text.contains(#"href="/sign-in?to=%2F""#), "\(sent.text)")
            #expect(try await client.send(.delete, path: "/account", as: "owner").status == 405)
        }
    }

    @Test func pageShowsAccountOfPersonWithoutScript() async throws {
        try await Self.run { client in
            let change = #"{"name":"Anna O","time_zone":"Asia/Tokyo","share_location":false}"#
            #expect(try await client.send(.patch, path: "/user", as: "owner", change).status == 200)
            let person = try await Person("owner", client)
            let page = try await person.page()
            #expect(page.status == 200, "\(page)")
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(page.text.contains(#"<a class="person" href="/account">owner</a>"#))
            #expect(page.text.contains("<dd>owner</dd>"))
            #expect(page.text.contains(#"name="name" value="Anna O""#))
            #expect(page.text.contains("<option selected>Asia/Tokyo</option>"))
            #expect(!page.text.contains(#"name="share" value="yes" checked"#))
            // The clocks of Tokyo are nine hours ahead of the server's noon.
            let time = #"<time datetime="2026-11-20T21:00:00+09:00">20 Nov 2026, 21:00</time>"#
            #expect(page.text.contains(time), "\(page.text)")
            #expect(page.text.contains(#"<span class="mark">This device</span>"#))
            #expect(page.text.contains("<strong>test</strong>"))
            #expect(page.text.contains(#"href="/user/export" download"#))
            #expect(page.text.contains("/sign-out.js\"></script>"))
            #expect(!page.text.contains("<script>"))
            // Every part has a heading that a link can name.
            for section in [
                "profile", "time-zone", "positions", "places", "devices", "tokens", "calendar", "data", "delete",
            ] {
                #expect(page.text.contains(#"<section id="\#(section)">"#), "\(section)")
            }
        }
    }

    @Test func operatorHasNoAccount() async throws {
        try await Self.run { client in
            let person = try await Person("operator", client)
            let page = try await person.page()
            #expect(page.status == 200, "\(page)")
            #expect(page.text.contains("signed in as the operator"))
            #expect(!page.text.contains(#"action="/account"#))
            #expect(try await person.send("name", ["name": "X"]).status == 403)
            #expect(try await person.send("delete-account", ["id": "operator"]).status == 403)
        }
    }

    /// All forms with valid fields, some of which name the tokens of a person.
    private static let forms: [(String, KeyValuePairs<String, String>)] = [
        ("name", ["name": "New"]), ("time-zone", ["time_zone": "Asia/Tokyo"]), ("positions", [:]),
        ("add-place", ["place": "home", "position": "50, 10", "radius": "300"]), ("delete-place", ["id": "home"]),
        ("end-session", ["id": "SESSION"]), ("end-other-sessions", [:]), ("create-token", ["days": "1"]),
        ("revoke-token", ["id": "TOKEN"]), ("create-calendar", [:]), ("revoke-calendar", ["id": "CALENDAR"]),
        ("delete-account", ["id": "owner"]), ("block", ["id": "latest"]), ("unblock", ["id": "latest"]),
    ]

    /// Returns the fields of a form with the IDs of the tokens of `person`.
    private static func fields(
        _ fields: KeyValuePairs<String, String>, of person: Person
    ) async throws -> KeyValuePairs<String, String> {
        let calendars = try await person.client.send(path: "/user/calendars", headers: [.cookie: person.cookie])
        let calendar = (calendars.json["calendars"] as? [[String: Any]])?.first?["id"] as? String
        let known = [
            "SESSION": try await person.ids("session").first, "TOKEN": try await person.ids("bearer").first,
            "CALENDAR": calendar,
        ]
        guard let field = fields.first, let id = known[field.value] else { return fields }
        return [field.key: try #require(id)]
    }

    /// The header fields of a form that a page of another site has sent, or a form without a page.
    private static let foreign: [HTTPFields] = [
        [.fetchSite: "cross-site", .fetchMode: "navigate", .fetchDestination: "document"],
        [.fetchSite: "same-site"], [.origin: "https://evil.example"], [.origin: "null"], [:],
    ]

    @Test(arguments: forms.indices) func onlyOwnPageSendsForm(index: Int) async throws {
        let audit = LogLines()
        try await Self.run({ options in options.audit = audit.add }) { client in
            let person = try await Person("owner", client)
            try await person.send("create-calendar")
            let form = Self.forms[index].0
            let values = Self.forms[index].1
            let fields = try await Self.fields(values, of: person)
            let account = try await client.send(path: "/user", as: "owner").text
            let lines = audit.all.count
            for headers in Self.foreign {
                let sent = Self.browser.merging([.contentType: FormBody.type]).merging(headers)
                let refused = try await person.send(form, fields, headers: sent)
                #expect(refused.status == 403, "\(headers): \(refused)")
                #expect(refused.text.contains("another site"), "\(refused.text)")
                // A token does not replace the page of the server.
                let token = try #require(client.tokens["owner"])
                var bearer = person
                bearer.cookie = "none=1"
                let alone = try await bearer.send(
                    form, fields, headers: sent.merging([.authorization: "Bearer \(token)"]))
                #expect(alone.status == 403, "\(headers): \(alone)")
            }
            #expect(audit.all.count == lines)
            #expect(try await client.send(path: "/user", as: "owner").text == account)
            #expect(try await person.ids("session").count == 1)
        }
    }

    @Test(arguments: forms.indices) func formChangesOnlyOwnAccount(index: Int) async throws {
        try await Self.run { client in
            let owner = try await Person("owner", client)
            _ = try await Person("owner", client)
            try await owner.send("create-calendar")
            let other = try await Person("stranger", client)
            let form = Self.forms[index].0
            let values = Self.forms[index].1
            // The other person names the tokens and the ID of the owner.
            let fields = try await Self.fields(values, of: owner)
            let account = try await client.send(path: "/user", as: "owner").text
            let before = try await owner.page().text
            let sent = try await other.send(form, fields)
            let expected = ["revoke-token", "end-session", "revoke-calendar"].contains(form) ? 404 : nil
            #expect(expected == nil || sent.status == expected, "\(sent)")
            #expect(form != "delete-account" || sent.status == 422, "\(sent)")
            #expect(try await client.send(path: "/user", as: "owner").text == account)
            #expect(try await owner.page().text == before)
        }
    }

    @Test func invalidFormIsRefused() async throws {
        try await Self.run { client in
            let person = try await Person("owner", client)
            for form in ["", "unknown", "<script>"] {
                #expect(try await person.send(form).status == 415, "\(form)")
            }
            let cookie: HTTPFields = Self.ownForm.merging([.cookie: person.cookie])
            for body in ["form=name&name=a&name=b", "form=name&name=%FF", "name=a", "form=name&name=%00"] {
                let refused = try await client.send(.post, path: "/account", body, headers: cookie)
                #expect(refused.status == 415, "\(body)")
            }
            let large = "form=name&name=" + String(repeating: "a", count: 20_000)
            #expect(try await client.send(.post, path: "/account", large, headers: cookie).status == 413)
            let json = cookie.merging([.contentType: "application/json"])
            #expect(try await client.send(.post, path: "/account", "{}", headers: json).status == 415)
            #expect(try await person.account()["name"] is NSNull)
        }
    }

    // MARK: The account

    @Test func ownerChangesAccount() async throws {
        let audit = LogLines()
        try await Self.run({ options in options.audit = audit.add }) { client in
            let person = try await Person("owner", client)
            let lines = audit.all.count
            for (form, fields, member, section) in [
                ("name", ["name": "Zoë"], "name", "profile"),
                ("time-zone", ["time_zone": "Europe/Lisbon"], "time_zone", "time-zone"),
            ] as [(String, KeyValuePairs<String, String>, String, String)] {
                let saved = try await person.send(form, fields)
                #expect(saved.status == 303, "\(saved)")
                #expect(saved.headers[.location] == "/account?done=\(form)#\(section)")
                #expect(saved.headers[.cacheControl] == "no-store")
                #expect(try await person.account()[member] as? String == fields.first?.value)
                let page = try await person.page("/account?done=\(form)")
                #expect(page.text.matches(of: /class="done" role="status">The [a-z ]+ is saved\./).count == 1)
            }
            #expect(try await person.send("positions", ["share": "yes"]).status == 303)
            #expect(try await person.account()["share_location"] as? Bool == true)
            #expect(try await person.send("positions").status == 303)
            #expect(try await person.account()["share_location"] as? Bool == false)
            #expect(try await person.send("name", ["name": ""]).status == 303)
            #expect(try await person.account()["name"] is NSNull)
            let actions = audit.entries.dropFirst(lines)
            #expect(actions.map { entry in entry["action"] as? String } == Array(repeating: "account.update", count: 5))
            #expect(actions.allSatisfy { entry in entry["user"] as? String == "owner" })
            #expect(!audit.all.joined().contains("Zoë"))
        }
    }

    @Test func formsBlockAndUnblockUser() async throws {
        let audit = LogLines()
        try await Self.run({ options in options.audit = audit.add }) { client in
            let person = try await Person("owner", client)
            let blocked = try await person.send("block", ["id": " all "])
            #expect(blocked.headers[.location] == "/account?done=block#blocks", "\(blocked)")
            let page = try await person.page("/account?done=block").text
            #expect(page.contains("The user is blocked."))
            #expect(page.contains("<strong>all</strong>"))
            #expect(try await client.send(path: "/collections/users/items/owner", as: "all").status == 404)
            let unknown = try await person.send("block", ["id": "nobody-here"])
            #expect(unknown.status == 404)
            #expect(unknown.text.contains("id=\"block-problem\""))
            let ended = try await person.send("unblock", ["id": "all"])
            #expect(ended.headers[.location] == "/account?done=unblock#blocks", "\(ended)")
            #expect(try await person.page().text.contains("You block no user."))
        }
        #expect(Self.lines("block.create", in: audit).count == 1)
        #expect(Self.lines("block.delete", in: audit).first?["blocked"] as? String == "all")
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus=alert(1) x='", "&lt;b&gt;",
        "\u{202E}evil\u{202C}", "שלום", "=cmd|'/c calc'!A1", "%3Cscript%3E",
    ])
    func hostileNameIsText(name: String) async throws {
        try await Self.run { client in
            let person = try await Person("owner", client, byLink: true)
            #expect(try await person.send("name", ["name": name]).status == 303)
            #expect(try await person.account()["name"] as? String == name)
            try await person.send("create-token", ["label": name, "days": "1"])
            try await person.send("create-calendar", ["label": name])
            let page = try await person.page()
            #expect(!page.text.contains("<script>"))
            #expect(!page.text.contains("<img"))
            #expect(!page.text.contains("' onfocus"))
            let isASCII = name.utf8.allSatisfy { byte in byte < 0x80 }
            #expect(isASCII || page.text.components(separatedBy: "<bdi>\(name)</bdi>").count == 3, "\(page.text)")
        }
    }

    @Test(arguments: ["a\nb", "a\u{7}b", " ", "\u{2028}", String(repeating: "n", count: 101)])
    func refusedNameIsExplainedNextToField(name: String) async throws {
        try await Self.run { client in
            let person = try await Person("owner", client)
            let refused = try await person.send("name", ["name": name])
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.type == "text/html; charset=utf-8")
            #expect(refused.headers[.cacheControl] == "no-store")
            #expect(refused.text.contains(#"aria-describedby="name-hint name-problem" aria-invalid="true""#))
            #expect(refused.text.contains(#"id="name-problem" role="alert">Nothing has changed. The name "#))
            #expect(refused.text.matches(of: /role="alert"/).count == 1)
            #expect(try await person.account()["name"] is NSNull)
        }
    }

    @Test func enteredTextStaysInRefusedForm() async throws {
        try await Self.run { client in
            let person = try await Person("owner", client)
            let long = #""><b>"# + String(repeating: "n", count: 101)
            let refused = try await person.send("name", ["name": long])
            #expect(refused.text.contains("value=\"&quot;&gt;&lt;b&gt;nnn"), "\(refused.text)")
            let name = String(repeating: "n", count: 100)
            #expect(try await person.send("name", ["name": name]).status == 303)
        }
    }

    @Test(arguments: ["Mars/Olympus", "", "../../etc/passwd", "<script>"])
    func onlyKnownTimeZoneIsAccepted(zone: String) async throws {
        try await Self.run { client in
            let person = try await Person("owner", client)
            let refused = try await person.send("time-zone", ["time_zone": zone])
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.text.contains(#"id="time-zone-problem" role="alert""#), "\(refused.text)")
            #expect(!refused.text.contains("<script>"))
            #expect(try await person.account()["time_zone"] as? String == "UTC")
        }
    }

    @Test func everyOfferedTimeZoneIsAccepted() throws {
        let zones = TimeZoneDatabase.system.ids
        #expect(zones.count > 300)
        #expect(zones.filter { zone in TimeZoneRules(zone) == nil } == [])
    }

    // MARK: Devices

    @Test func deviceIsSignedOut() async throws {
        let audit = LogLines()
        try await Self.run({ options in options.audit = audit.add }) { client in
            let first = try await Person("owner", client)
            let second = try await Person("owner", client)
            let secret = try #require(second.cookie.split(separator: "=").last)
            let id = Token.id(of: String(secret))
            #expect(try await first.page().text.contains(#"name="id" value="\#(id)""#))
            let ended = try await first.send("end-session", ["id": id])
            #expect(ended.headers[.location] == "/account?done=end-session#devices")
            #expect(try await second.page().status == 401)
            #expect(try await first.page().status == 200)
            #expect(Self.lines("token.revoke", in: audit).last?["token"] as? String == id)
            let again = try await first.send("end-session", ["id": id])
            #expect(again.status == 404, "\(again)")
            #expect(again.text.contains(#"id="end-session-problem""#))
        }
    }

    @Test func allOtherDevicesAreSignedOut() async throws {
        let audit = LogLines()
        try await Self.run({ options in options.audit = audit.add }) { client in
            let first = try await Person("owner", client)
            let second = try await Person("owner", client)
            let third = try await Person("owner", client)
            let other = try await Person("stranger", client)
            #expect(try await second.page().text.contains("Sign out all other devices"))
            #expect(try await second.send("end-other-sessions").status == 303)
            #expect(try await first.page().status == 401)
            #expect(try await second.page().status == 200)
            #expect(try await third.page().status == 401)
            #expect(try await other.page().status == 200)
            // The tokens of programs stay.
            #expect(try await client.send(path: "/user", as: "owner").status == 200)
            #expect(Self.lines("token.revoke", in: audit).count == 2)
            #expect(try await second.page("/account?done=end-other-sessions").text.contains("All other devices"))
        }
    }

    /// An unused link would open a new session.
    @Test func openLinksEndWithOtherDevices() async throws {
        try await Self.run { client in
            let person = try await Person("owner", client, byLink: true)
            let headers = ServerClient.ownPage.merging([.cookie: person.cookie])
            let made = try await client.send(.post, path: "/sign-in/links/own", headers: headers)
            let url = try #require(made.json["url"] as? String)
            let code = try #require(url.split(separator: "#").last.map(String.init))
            #expect(try await person.ids("link") == [Token.id(of: code)])
            #expect(try await person.page().text.contains("Link for another device"))
            #expect(try await person.send("end-other-sessions").status == 303)
            #expect(try await person.ids("link") == [])
            let form = "code=\(code)&confirm=yes"
            #expect(
                try await client.send(.post, path: "/sign-in/link", form, headers: ServerClient.linkForm).status == 401)
            #expect(try await person.page().status == 200)
        }
    }

    @Test func openLinkIsRevoked() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let code = try fixture.link(of: "owner")
        try await fixture.run { client in
            let person = try await Person("owner", client)
            #expect(try await person.page().text.contains("Invitation by the operator"))
            let stranger = try await Person("stranger", client)
            #expect(try await stranger.send("revoke-link", ["id": Token.id(of: code)]).status == 404)
            #expect(try await person.send("revoke-link", ["id": Token.id(of: code)]).status == 303)
            let form = "code=\(code)&confirm=yes"
            #expect(
                try await client.send(.post, path: "/sign-in/link", form, headers: ServerClient.linkForm).status == 401)
        }
    }

    // MARK: Incomplete forms

    @Test(
        arguments: [("name", [:]), ("time-zone", [:]), ("positions", ["share": "no"])]
            as [(String, KeyValuePairs<String, String>)])
    func formWithoutItsFieldChangesNothing(form: String, fields: KeyValuePairs<String, String>) async throws {
        try await Self.run { client in
            let person = try await Person("owner", client)
            let before = try await person.account()
            let refused = try await person.send(form, fields)
            #expect(refused.status == 422, "\(refused)")
            #expect(try await NSDictionary(dictionary: person.account()) == NSDictionary(dictionary: before))
        }
    }

    @Test func linkOfAnotherSiteShowsNoResult() async throws {
        try await Self.run { client in
            let person = try await Person("owner", client)
            let shown = "The name is saved."
            let link: HTTPFields = [
                .fetchSite: "cross-site", .fetchMode: "navigate", .fetchDestination: "document",
            ]
            let headers = Self.browser.merging([.cookie: person.cookie])
            let own = headers.merging(ServerClient.ownPage)
            let path = "/account?done=name"
            #expect(try await client.send(path: path, headers: headers.merging(link)).text.contains(shown) == false)
            #expect(try await client.send(path: path, headers: own).text.contains(shown))
            let deleted = "Your account and all your records are deleted."
            let signIn = "/sign-in?done=delete-account"
            #expect(try await !client.send(path: signIn, headers: Self.browser.merging(link)).text.contains(deleted))
        }
    }

    // MARK: Access tokens

    /// Returns the secret that a response shows.
    private static func secret(in page: ServerResponse) throws -> String {
        let found = try #require(page.text.firstMatch(of: /<p><code>([^<]+)<\/code><\/p>/), "\(page.text)")
        return String(found.output.1)
    }

    @Test func newTokenIsShownOnce() async throws {
        let audit = LogLines()
        try await Self.run({ options in options.audit = audit.add }) { client in
            let person = try await Person("owner", client, byLink: true)
            let created = try await person.send("create-token", ["label": "script", "days": "30"])
            #expect(created.status == 201, "\(created)")
            #expect(created.headers[.cacheControl] == "no-store")
            let secret = try Self.secret(in: created)
            let session = try await client.send(path: "/session", as: secret)
            #expect(session.json["user"] as? String == "owner")
            #expect(session.json["expires_at"] as? String == "2026-12-20T12:00:00+00:00")
            #expect(audit.entries.last?["action"] as? String == "token.create")
            #expect(audit.entries.last?["token"] as? String == Token.id(of: secret))
            #expect(!audit.all.joined().contains(secret))
            let page = try await person.page()
            #expect(page.text.contains("<strong>script</strong>"))
            #expect(!page.text.contains(secret))
            #expect(try await person.send("revoke-token", ["id": Token.id(of: secret)]).status == 303)
            #expect(try await client.send(path: "/session", as: secret).status == 401)
        }
    }

    /// A token that a session of another token made would outlive the revocation of the first one.
    @Test func sessionOfTokenCreatesNoToken() async throws {
        try await Self.run { client in
            let person = try await Person("owner", client)
            let refused = try await person.send("create-token", ["days": "1"])
            #expect(refused.status == 403, "\(refused)")
            #expect(try await person.ids("bearer").count == 1)
            let page = try await person.page().text
            #expect(page.contains("To create another token, ask the operator for a one-time link"))
            #expect(!page.contains(#"value="create-token""#))
        }
    }

    @Test(arguments: [
        ("1", 201), ("366", 201), ("0", 422), ("367", 422), ("-1", 422), ("", 422), ("1.5", 422), ("<b>", 422),
        ("99999999999999999999", 422),
    ])
    func lifetimeHasLimits(days: String, status: Int) async throws {
        try await Self.run { client in
            let person = try await Person("owner", client, byLink: true)
            let response = try await person.send("create-token", ["days": days])
            #expect(response.status == status, "\(response)")
            #expect(status == 201 || response.text.contains(#"aria-describedby="days-hint create-token-problem""#))
            #expect(try await person.ids("bearer").count == (status == 201 ? 2 : 1))
        }
    }

    @Test(arguments: ["create-token", "create-calendar"]) func labelHasLimits(form: String) async throws {
        try await Self.run { client in
            let person = try await Person("owner", client, byLink: true)
            for (label, status) in [
                (String(repeating: "ä", count: 50), 201), (String(repeating: "a", count: 51), 422), ("a\nb", 422),
                ("", 201),
            ] {
                let response = try await person.send(form, ["label": label, "days": "1"])
                #expect(response.status == status, "\(label): \(response)")
                #expect(status == 201 || response.text.contains(#"id="\#(form)-problem" role="alert""#))
            }
        }
    }

    @Test func userHasFewTokens() async throws {
        try await Self.run { client in
            let person = try await Person("owner", client, byLink: true)
            for _ in 1..<OwnTokens.accessLimit {
                #expect(try await person.send("create-token", ["days": "1"]).status == 201)
            }
            let refused = try await person.send("create-token", ["days": "1"])
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.text.contains("You have 50 access tokens"))
            #expect(
                try await Person("stranger", client, byLink: true).send("create-token", ["days": "1"]).status == 201)
        }
    }

    @Test func sessionEndsWithRevokedToken() async throws {
        try await Self.run { client in
            let person = try await Person("owner", client)
            let id = try #require(try await person.ids("bearer").first)
            let revoked = try await person.send("revoke-token", ["id": id])
            #expect(revoked.status == 303)
            #expect(try await person.page().status == 401)
        }
    }

    // MARK: Calendar

    @Test func calendarAddressIsShownOnce() async throws {
        let audit = LogLines()
        try await Self.run({ options in options.audit = audit.add }) { client in
            let person = try await Person("owner", client)
            #expect(try await person.page().text.contains("Your calendar has no address."))
            let created = try await person.send("create-calendar", ["label": "phone"])
            #expect(created.status == 201, "\(created)")
            let address = try Self.secret(in: created)
            let path = try #require(URLComponents(string: address)?.path)
            #expect(path.hasPrefix("/calendars/hbc_"))
            #expect(try await client.send(path: path).status == 200)
            #expect(audit.entries.last?["action"] as? String == "calendar.create")
            let page = try await person.page()
            #expect(page.text.contains("<strong>phone</strong>"))
            #expect(page.text.contains("valid until it is revoked"))
            #expect(!page.text.contains("hbc_"))
            let id = try #require(audit.entries.last?["calendar"] as? String)
            // The address is not an access token.
            #expect(try await person.send("revoke-token", ["id": id]).status == 404)
            #expect(try await person.send("revoke-calendar", ["id": id]).status == 303)
            #expect(try await client.send(path: path).status == 404)
            #expect(Self.lines("calendar.revoke", in: audit).count == 1)
        }
    }

    // MARK: Deletion

    @Test(arguments: ["", "Owner", "stranger", "owner2", "<script>"])
    func deletionNeedsOwnID(id: String) async throws {
        try await Self.run { client in
            let person = try await Person("owner", client)
            let refused = try await person.send("delete-account", ["id": id])
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.text.contains(#"aria-describedby="delete-account-problem" aria-invalid="true""#))
            #expect(!refused.text.contains("<script>"))
            #expect(try await client.send(path: "/user", as: "owner").status == 200)
        }
    }

    @Test func deletionEndsAllSessionsAndLeadsToSignIn() async throws {
        let audit = LogLines()
        try await Self.run({ options in options.audit = audit.add }) { client in
            let person = try await Person("owner", client)
            let second = try await Person("owner", client)
            let other = try await Person("stranger", client)
            let deleted = try await person.send("delete-account", ["id": " owner "])
            #expect(deleted.status == 303, "\(deleted)")
            #expect(deleted.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(deleted.headers[.clearSiteData] == #""cache", "storage""#)
            #expect(audit.entries.last?["action"] as? String == "account.delete")
            #expect(audit.entries.last?["user"] as? String == "owner")
            let location = try #require(deleted.headers[.location])
            let page = try await client.send(path: location, headers: Self.browser)
            #expect(page.text.contains("Your account and all your records are deleted."), "\(page.text)")
            #expect(try await second.page().status == 401)
            #expect(try await client.send(path: "/user", as: "owner").status == 401)
            #expect(try await other.page().status == 200)
            let again = try await person.send("delete-account", ["id": "owner"])
            #expect(again.status == 401, "\(again)")
        }
    }

    // MARK: Addresses

    @Test func formsWorkBelowPath() async throws {
        try await Self.run({ options in options.publicURL = "https://host.example/habits/" }) { client in
            let person = try await Person("owner", client)
            let page = try await person.page()
            #expect(page.text.contains(#"action="/habits/account#profile""#))
            #expect(page.text.contains(#"href="/habits/user/export""#))
            let saved = try await person.send("name", ["name": "A"])
            #expect(saved.headers[.location] == "/habits/account?done=name#profile")
            let deleted = try await person.send("delete-account", ["id": "owner"])
            #expect(deleted.headers[.location] == "/habits/sign-in?done=delete-account")
            #expect(deleted.headers[.clearSiteData] == nil)
        }
    }

    @Test(arguments: ["/reports/habits?f=html", "/inbox?f=html"])
    func pageOfRowsNamesPerson(path: String) async throws {
        try await Self.run { client in
            let person = try await Person("owner", client)
            let page = try await person.page(path)
            #expect(page.status == 200, "\(page)")
            #expect(page.text.contains(#"<a class="person" href="/account">owner</a>"#), "\(page.text.prefix(600))")
            #expect(page.text.contains(#"<header class="top">"#))
            #expect(page.headers[.referrerPolicy] == "same-origin")
            #expect(page.headers[.contentSecurityPolicy]?.contains("form-action 'self'") == true)
            let ofOperator = try await client.send(path: "/reports/habits?f=html", as: "operator")
            #expect(ofOperator.text.contains(#"<a class="person" href="/account">Operator</a>"#))
        }
    }
}
