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

/// Tests of the identities of a person who is signed in.
@Suite(.engineIndependent, .serialized) struct IssuerIdentityTests {
    @Test func signedInPersonAddsIdentity() async throws {
        let lines = LogLines()
        try await SignInScene { options in options.audit = { line in lines.add(line) } }.run { browser in
            try await browser.signInAsOwner()
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
            try await owner.signInAsOwner()
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
            try await browser.signInAsOwner()
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
            try await browser.signInAsOwner()
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
            try await browser.signInAsOwner()
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
            try await browser.signInAsOwner()
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
            try await browser.signInAsOwner()
            let former = try #require(browser.cookies["habitat"])
            try await browser.signIn()
            #expect(try await browser.user == "olga-ünal")
            let old = try await browser.client.send(path: "/session", headers: [.cookie: "habitat=\(former)"])
            #expect(old.status == 401)
        }
    }
}
