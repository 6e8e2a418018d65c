import Base
import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import Synchronization
import Testing

@testable import HabitServer

/// Tests of which persons get an account by signing in (rule C-34).
@Suite(.engineIndependent, .serialized) struct SignUpTests {
    /// Returns the response to the sign-in of a person with an address, and the user of the session.
    private static func signUp(
        _ email: String,
        _ rules: [String],
        records: [Record] = [],
        isVerified: Bool = true,
        audit: LogLines = LogLines()
    ) async throws -> (response: ServerResponse, user: String?) {
        let scene = try await SignInScene(records: Scene.friends + records) { options in
            options.signIn?.signUp = try SignUp(rules)
            options.audit = { line in audit.add(line) }
        }
        let result = Mutex<(response: ServerResponse, user: String?)?>(nil)
        try await scene.run { browser in
            let response = try await browser.signIn { token in
                token.email = email
                token.emailVerified = .init(value: isVerified)
            }
            let user = browser.cookies["habitat"] == nil ? nil : try await browser.user
            result.withLock { result in result = (response, user) }
        }
        return try #require(result.withLock { result in result })
    }

    private static func account(_ email: String) -> Record {
        var user = UserRecord(id: "olga")
        user.email = .value(email)
        return .user(user)
    }

    @Test(
        arguments: [
            ([], "olga@example.org", false), (["invited"], "olga@example.org", false),
            (["anyone"], "olga@example.org", true), (["domain:example.org"], "olga@example.org", true),
            (["domain:EXAMPLE.org"], "olga@Example.ORG", true),
            (["domain:example.com", "domain:example.org"], "a@example.org", true),
            (["domain:example.org"], "olga@mail.example.org", false),
            (["domain:example.org"], "olga@example.org.evil", false),
            (["domain:example.org"], "olga@notexample.org", false), (["domain:straße.de"], "olga@straße.DE", true),
            (["domain:straße.de"], "olga@STRASSE.de", false),
            (["domain:bank.example"], "olga@ban\u{212A}.example", false),
            (["invited", "domain:example.org"], "olga@example.org", true),
        ] as [([String], String, Bool)])
    func personGetsAccountIfRuleAllows(rules: [String], email: String, isAllowed: Bool) async throws {
        let audit = LogLines()
        let result = try await Self.signUp(email, rules, audit: audit)
        let response = result.response
        let user = result.user
        #expect(response.status == (isAllowed ? 303 : 403), "\(response)")
        #expect((user != nil) == isAllowed)
        guard !isAllowed else { return }
        #expect(response.text.contains("ask the operator to add an account"), "\(response.text)")
        #expect(audit.entries.map { $0["action"] as? String } == ["sign-in.refuse"], "\(audit.all)")
        #expect(audit.entries.first?["reason"] as? String == "not-invited")
        #expect(!audit.all.joined().contains("olga"), "the log contains no addresses")
    }

    /// The operator invites a person with the address of an account.
    @Test(arguments: [
        ("olga@example.org", "olga@example.org"), ("Olga@Example.org", "OLGA@EXAMPLE.ORG"),
        ("éva@example.org", "éVA@example.org"), ("straße@example.org", "STRAßE@example.org"),
    ])
    func invitedPersonOpensAccount(stored: String, sent: String) async throws {
        let result = try await Self.signUp(sent, [], records: [Self.account(stored)])
        let response = result.response
        let user = result.user
        #expect(response.status == 303, "\(response)")
        #expect(user == "olga")
    }

    /// Two addresses that differ in more than the case of ASCII letters may belong to different persons.
    @Test(arguments: [
        ("massmann@example.org", "maßmann@example.org"), ("kate@example.org", "\u{212A}ate@example.org"),
        ("fi@example.org", "ﬁ@example.org"), ("éva@example.org", "ÉVA@example.org"),
    ])
    func similarAddressOpensNoAccount(stored: String, sent: String) async throws {
        let result = try await Self.signUp(sent, [], records: [Self.account(stored)])
        let response = result.response
        let user = result.user
        #expect(response.status == 403, "\(response)")
        #expect(user == nil)
    }

    /// An address that is not verified counts as none.
    @Test(
        arguments: [
            ([], false),
            (["domain:example.org"], false),
            (["anyone"], true),
        ] as [([String], Bool)])
    func unverifiedAddressCountsAsNone(rules: [String], isAllowed: Bool) async throws {
        let loaded = [Self.account("olga@example.org")]
        let result = try await Self.signUp("olga@example.org", rules, records: loaded, isVerified: false)
        let response = result.response
        let user = result.user
        #expect(response.status == (isAllowed ? 303 : 403), "\(response)")
        #expect(user == (isAllowed ? "olga-ünal" : nil))
    }

    /// A person who has an account can sign in, also if the rule or the address has changed.
    @Test func knownPersonAlwaysSignsIn() async throws {
        let scene = try await SignInScene(records: Scene.friends + [Self.account("olga@example.org")]) { options in
            options.signIn?.signUp = .invited
        }
        try await scene.run { browser in
            // The store does not accept the last address, but the person is known.
            for email in ["olga@example.org", "new@elsewhere.example", "a!b@my_host.example"] {
                browser.cookies = [:]
                let response = try await browser.signIn { token in token.email = email }
                #expect(response.status == 303, "\(email): \(response)")
                #expect(try await browser.user == "olga", "\(email)")
            }
            browser.cookies = [:]
            for _ in 0..<2 {
                let refused = try await browser.signIn { token in
                    token.sub = "other"
                    token.email = "other@example.org"
                }
                #expect(refused.status == 403, "\(refused)")
                #expect(refused.text.contains("No account is intended for this person"), "\(refused.text)")
            }
        }
    }

    @Test(arguments: [
        "", "domain", "domain:", "domain:a@b.org", "domain:a b", "domain:*", "domain:*.example.org",
        "domain:a.org,b.org", "all", "Anyone", "@example.org",
    ])
    func invalidRuleIsRefused(text: String) {
        #expect(throws: HabitError.self) { try SignUp([text]) }
    }
}
