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

/// Tests of the devices, the access tokens and the calendar addresses on the account page.
@Suite(.engineIndependent, .serialized) struct AccountPageTokenTests {
    // MARK: Devices

    @Test func deviceIsSignedOut() async throws {
        let audit = LogLines()
        try await ServerFixture.runFriends({ options in options.audit = audit.add }) { client in
            let first = try await AccountPageUser("owner", client)
            let second = try await AccountPageUser("owner", client)
            let secret = try #require(second.cookie.split(separator: "=").last)
            let id = Token.id(of: String(secret))
            #expect(try await first.page().text.contains(#"name="id" value="\#(id)""#))
            let ended = try await first.send("end-session", ["id": id])
            #expect(ended.headers[.location] == "/account?done=end-session#devices")
            #expect(try await second.page().status == 401)
            #expect(try await first.page().status == 200)
            #expect(audit.entries(of: "token.revoke").last?["token"] as? String == id)
            let again = try await first.send("end-session", ["id": id])
            #expect(again.status == 404, "\(again)")
            #expect(again.text.contains(#"id="end-session-problem""#))
        }
    }

    @Test func allOtherDevicesAreSignedOut() async throws {
        let audit = LogLines()
        try await ServerFixture.runFriends({ options in options.audit = audit.add }) { client in
            let first = try await AccountPageUser("owner", client)
            let second = try await AccountPageUser("owner", client)
            let third = try await AccountPageUser("owner", client)
            let other = try await AccountPageUser("stranger", client)
            #expect(try await second.page().text.contains("Sign out all other devices"))
            #expect(try await second.send("end-other-sessions").status == 303)
            #expect(try await first.page().status == 401)
            #expect(try await second.page().status == 200)
            #expect(try await third.page().status == 401)
            #expect(try await other.page().status == 200)
            // The tokens of programs stay.
            #expect(try await client.send(path: "/user", as: "owner").status == 200)
            #expect(audit.entries(of: "token.revoke").count == 2)
            #expect(try await second.page("/account?done=end-other-sessions").text.contains("All other devices"))
        }
    }

    /// An unused link would open a new session.
    @Test func openLinksEndWithOtherDevices() async throws {
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client, byLink: true)
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
            let person = try await AccountPageUser("owner", client)
            #expect(try await person.page().text.contains("Invitation by the operator"))
            let stranger = try await AccountPageUser("stranger", client)
            #expect(try await stranger.send("revoke-link", ["id": Token.id(of: code)]).status == 404)
            #expect(try await person.send("revoke-link", ["id": Token.id(of: code)]).status == 303)
            let form = "code=\(code)&confirm=yes"
            #expect(
                try await client.send(.post, path: "/sign-in/link", form, headers: ServerClient.linkForm).status == 401)
        }
    }

    // MARK: Access tokens

    /// Returns the secret that a response shows.
    private static func secret(in page: ServerResponse) throws -> String {
        let secret = /<p><code>([^<]+)<\/code><\/p>/
        let found = try #require(page.text.firstMatch(of: secret), "\(page.text)")
        return String(found.output.1)
    }

    @Test func newTokenIsShownOnce() async throws {
        let audit = LogLines()
        try await ServerFixture.runFriends({ options in options.audit = audit.add }) { client in
            let person = try await AccountPageUser("owner", client, byLink: true)
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
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client)
            let refused = try await person.send("create-token", ["days": "1"])
            #expect(refused.status == 403, "\(refused)")
            #expect(try await person.ids("bearer").count == 1)
            let page = try await person.page().text
            #expect(page.contains("To create another token, ask the operator for a one-time link"))
            #expect(!page.contains(#"value="create-token""#))
        }
    }

    @Test(arguments: [
        ("1", 201),
        ("366", 201),
        ("0", 422),
        ("367", 422),
        ("-1", 422),
        ("", 422),
        ("1.5", 422),
        ("<b>", 422),
        ("99999999999999999999", 422),
    ])
    func lifetimeHasLimits(days: String, status: Int) async throws {
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client, byLink: true)
            let response = try await person.send("create-token", ["days": days])
            #expect(response.status == status, "\(response)")
            #expect(status == 201 || response.text.contains(#"aria-describedby="days-hint create-token-problem""#))
            #expect(try await person.ids("bearer").count == (status == 201 ? 2 : 1))
        }
    }

    @Test(arguments: ["create-token", "create-calendar"]) func labelHasLimits(form: String) async throws {
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client, byLink: true)
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
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client, byLink: true)
            for _ in 1..<OwnTokens.accessLimit {
                #expect(try await person.send("create-token", ["days": "1"]).status == 201)
            }
            let refused = try await person.send("create-token", ["days": "1"])
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.text.contains("You have 50 access tokens"))
            #expect(
                try await AccountPageUser("stranger", client, byLink: true).send("create-token", ["days": "1"]).status
                    == 201)
        }
    }

    @Test func sessionEndsWithRevokedToken() async throws {
        try await ServerFixture.runFriends { client in
            let person = try await AccountPageUser("owner", client)
            let id = try #require(try await person.ids("bearer").first)
            let revoked = try await person.send("revoke-token", ["id": id])
            #expect(revoked.status == 303)
            #expect(try await person.page().status == 401)
        }
    }

    // MARK: Calendar

    @Test func calendarAddressIsShownOnce() async throws {
        let audit = LogLines()
        try await ServerFixture.runFriends({ options in options.audit = audit.add }) { client in
            let person = try await AccountPageUser("owner", client)
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
            #expect(audit.entries(of: "calendar.revoke").count == 1)
        }
    }
}
