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
    // MARK: Ways to sign in

    @Test func personAddsWaysToSignInOnlyWithoutAccessToken() async throws {
        try await ServerFixture.runFriends { options in
            options.publicURL = "https://habits.example.org"
        } _: { client in
            let person = try await AccountPageUser("owner", client, byLink: true).page().text
            #expect(
                person.contains(#"<form class="account" id="new-passkey" data-domain="habits.example.org" hidden>"#))
            #expect(person.contains(#"action="/sign-in/links/own""#))
            #expect(person.contains(WebFiles.all.path(of: "passkey.js")))
            let program = try await AccountPageUser("owner", client).page().text
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
        let passkey = try fixture.store.engine.write { session in
            let owner = try Viewer.user(named: "owner", in: session)
            let actions = PasskeyActions(clock: clock, in: session)
            return try actions.add(credential, label: "<b>Phone", for: owner).id
        }
        let verified = VerifiedIdentity(
            issuer: "https://id.example.org", subject: "s", email: nil, isEmailTrusted: false, name: nil)
        let identity = try fixture.store.engine.write { session in
            let owner = try Viewer.user(named: "owner", in: session)
            _ = try SignIn(in: session).add(verified, to: owner)
            return try Identities(in: session).identities(of: owner)[0].id
        }
        try await fixture.run { client in
            let owner = try await AccountPageUser("owner", client)
            let page = try await owner.page().text
            #expect(page.contains("&lt;b>Phone") || page.contains("&lt;b&gt;Phone"), "\(page)")
            #expect(page.contains("https://id.example.org"))
            let stranger = try await AccountPageUser("stranger", client)
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
        #expect(audit.entries(of: "passkey.delete").count == 1)
        #expect(audit.entries(of: "identity.remove").count == 1)
    }

    // MARK: Access

    @Test func pageNeedsSignInAndLeadsBack() async throws {
        try await ServerFixture.runFriends { client in
            let refused = try await client.send(path: "/account", headers: AccountPageUser.browser)
            #expect(refused.status == 401)
            #expect(refused.text.contains(#"href="/sign-in?to=%2Faccount""#), "\(refused.text)")
            let sent = try await client.send(
                .post, path: "/account", "form=name&name=X", headers: AccountPageUser.ownForm)
            #expect(sent.status == 401, "\(sent)")
            #expect(sent.text.contains(#"href="/sign-in?to=%2F""#), "\(sent.text)")
            #expect(try await client.send(.delete, path: "/account", as: "owner").status == 405)
        }
    }

    @Test func pageShowsAccountOfPersonWithoutScript() async throws {
        try await ServerFixture.runFriends { client in
            let change = #"{"name":"Anna O","time_zone":"Asia/Tokyo","share_location":false}"#
            #expect(try await client.send(.patch, path: "/user", as: "owner", change).status == 200)
            let person = try await AccountPageUser("owner", client)
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
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("operator", client)
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
        ("create-view", ["layer-events": "yes", "rounding": "city"]), ("revoke-view", ["id": "VIEW"]),
        ("delete-account", ["id": "owner"]), ("block", ["id": "latest"]), ("unblock", ["id": "latest"]),
    ]

    /// Returns the fields of a form with the IDs of the tokens of `person`.
    private static func fields(
        _ fields: KeyValuePairs<String, String>, of person: AccountPageUser
    ) async throws -> KeyValuePairs<String, String> {
        let calendars = try await person.client.send(path: "/user/calendars", headers: [.cookie: person.cookie])
        let calendar = (calendars.json["calendars"] as? [[String: Any]])?.first?["id"] as? String
        let views = try await person.client.send(path: "/user/views", headers: [.cookie: person.cookie])
        let view = (views.json["views"] as? [[String: Any]])?.first?["id"] as? String
        let known = [
            "SESSION": try await person.ids("session").first, "TOKEN": try await person.ids("bearer").first,
            "CALENDAR": calendar, "VIEW": view,
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
        try await ServerFixture.runFriends({ options in options.audit = audit.add }) { client in
            let person = try await AccountPageUser("owner", client)
            try await person.send("create-calendar")
            try await person.send("create-view", ["layer-events": "yes"])
            let form = Self.forms[index].0
            let values = Self.forms[index].1
            let fields = try await Self.fields(values, of: person)
            let account = try await client.send(path: "/user", as: "owner").text
            let lines = audit.all.count
            for headers in Self.foreign {
                let sent = AccountPageUser.browser.merging([.contentType: FormBody.type]).merging(headers)
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
        try await ServerFixture.runFriends { client in
            let owner = try await AccountPageUser("owner", client)
            _ = try await AccountPageUser("owner", client)
            try await owner.send("create-calendar")
            try await owner.send("create-view", ["layer-events": "yes"])
            let other = try await AccountPageUser("stranger", client)
            let form = Self.forms[index].0
            let values = Self.forms[index].1
            // The other person names the tokens and the ID of the owner.
            let fields = try await Self.fields(values, of: owner)
            let account = try await client.send(path: "/user", as: "owner").text
            let before = try await owner.page().text
            let sent = try await other.send(form, fields)
            let expected = ["revoke-token", "end-session", "revoke-calendar", "revoke-view"].contains(form) ? 404 : nil
            #expect(expected == nil || sent.status == expected, "\(sent)")
            #expect(form != "delete-account" || sent.status == 422, "\(sent)")
            #expect(try await client.send(path: "/user", as: "owner").text == account)
            #expect(try await owner.page().text == before)
        }
    }

    @Test func invalidFormIsRefused() async throws {
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client)
            for form in ["", "unknown", "<script>"] {
                #expect(try await person.send(form).status == 415, "\(form)")
            }
            let cookie: HTTPFields = AccountPageUser.ownForm.merging([.cookie: person.cookie])
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
        try await ServerFixture.runFriends({ options in options.audit = audit.add }) { client in
            let person = try await AccountPageUser("owner", client)
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
        try await ServerFixture.runFriends({ options in options.audit = audit.add }) { client in
            let person = try await AccountPageUser("owner", client)
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
        #expect(audit.entries(of: "block.create").count == 1)
        #expect(audit.entries(of: "block.delete").first?["blocked"] as? String == "all")
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus=alert(1) x='", "&lt;b&gt;",
        "\u{202E}evil\u{202C}", "שלום", "=cmd|'/c calc'!A1", "%3Cscript%3E",
    ])
    func hostileNameIsText(name: String) async throws {
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client, byLink: true)
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
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client)
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
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client)
            let long = #""><b>"# + String(repeating: "n", count: 101)
            let refused = try await person.send("name", ["name": long])
            #expect(refused.text.contains("value=\"&quot;&gt;&lt;b&gt;nnn"), "\(refused.text)")
            let name = String(repeating: "n", count: 100)
            #expect(try await person.send("name", ["name": name]).status == 303)
        }
    }

    @Test(arguments: ["Mars/Olympus", "", "../../etc/passwd", "<script>"])
    func onlyKnownTimeZoneIsAccepted(zone: String) async throws {
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client)
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

    // MARK: Incomplete forms

    @Test(
        arguments: [("name", [:]), ("time-zone", [:]), ("positions", ["share": "no"])]
            as [(String, KeyValuePairs<String, String>)])
    func formWithoutItsFieldChangesNothing(form: String, fields: KeyValuePairs<String, String>) async throws {
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client)
            let before = try await person.account()
            let refused = try await person.send(form, fields)
            #expect(refused.status == 422, "\(refused)")
            #expect(try await NSDictionary(dictionary: person.account()) == NSDictionary(dictionary: before))
        }
    }

    @Test func linkOfAnotherSiteShowsNoResult() async throws {
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client)
            let shown = "The name is saved."
            let link: HTTPFields = [
                .fetchSite: "cross-site", .fetchMode: "navigate", .fetchDestination: "document",
            ]
            let headers = AccountPageUser.browser.merging([.cookie: person.cookie])
            let own = headers.merging(ServerClient.ownPage)
            let path = "/account?done=name"
            #expect(try await client.send(path: path, headers: headers.merging(link)).text.contains(shown) == false)
            #expect(try await client.send(path: path, headers: own).text.contains(shown))
            let deleted = "Your account and all your records are deleted."
            let signIn = "/sign-in?done=delete-account"
            #expect(
                try await !client.send(path: signIn, headers: AccountPageUser.browser.merging(link)).text.contains(
                    deleted))
        }
    }

    // MARK: Deletion

    @Test(arguments: ["", "Owner", "stranger", "owner2", "<script>"])
    func deletionNeedsOwnID(id: String) async throws {
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client)
            let refused = try await person.send("delete-account", ["id": id])
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.text.contains(#"aria-describedby="delete-account-problem" aria-invalid="true""#))
            #expect(!refused.text.contains("<script>"))
            #expect(try await client.send(path: "/user", as: "owner").status == 200)
        }
    }

    @Test func deletionEndsAllSessionsAndLeadsToSignIn() async throws {
        let audit = LogLines()
        try await ServerFixture.runFriends({ options in options.audit = audit.add }) { client in
            let person = try await AccountPageUser("owner", client)
            let second = try await AccountPageUser("owner", client)
            let other = try await AccountPageUser("stranger", client)
            let deleted = try await person.send("delete-account", ["id": " owner "])
            #expect(deleted.status == 303, "\(deleted)")
            #expect(deleted.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(deleted.headers[.clearSiteData] == #""cache", "storage""#)
            #expect(audit.entries.last?["action"] as? String == "account.delete")
            #expect(audit.entries.last?["user"] as? String == "owner")
            let location = try #require(deleted.headers[.location])
            let page = try await client.send(path: location, headers: AccountPageUser.browser)
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
        try await ServerFixture.runFriends({ options in options.publicURL = "https://host.example/habits/" }) {
            client in
            let person = try await AccountPageUser("owner", client)
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
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client)
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
