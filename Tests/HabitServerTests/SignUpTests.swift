import Base
import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import Synchronization
import Testing

@testable import HabitServer

/// Tests of which persons get an account by signing in (rule C-34).
@Suite(.serialized) struct SignUpTests {
    private static func signUp(
        _ email: String, _ rules: [String], records: [Record] = [], audit: LogLines = LogLines()
    ) async throws -> ServerResponse {
        let issuer = try await SignInTests.Issuer(records: Scene.friends + records) { options in
            options.signIn?.signUp = (try? SignUp(rules)) ?? .anyone
            options.audit = { audit.add($0) }
        }
        let token = try await issuer.token { $0.email = email }
        let results = Mutex<ServerResponse?>(nil)
        try await issuer.fixture.run { client in
            let response = try await client.send(.post, path: "/session", SignInTests.body(token))
            results.withLock { $0 = response }
        }
        let response = results.withLock { $0 }
        return try #require(response)
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
            (["domain:example.org"], "olga@notexample.org", false), (["domain:straße.de"], "olga@STRASSE.de", true),
            (["invited", "domain:example.org"], "olga@example.org", true),
            (["invited", "anyone"], "olga@example.org", true),
        ] as [([String], String, Bool)])
    func personGetsAccountIfRuleAllows(rules: [String], email: String, isAllowed: Bool) async throws {
        let audit = LogLines()
        let response = try await Self.signUp(email, rules, audit: audit)
        #expect(response.status == (isAllowed ? 201 : 403), "\(response)")
        guard !isAllowed else { return }
        #expect(response.slug == "not-invited", "\(response)")
        #expect(response.json["token"] == nil, "\(response)")
        #expect(audit.entries.map { $0["action"] as? String } == ["sign-in.refuse"], "\(audit.all)")
        #expect(audit.entries.first?["reason"] as? String == "not-invited")
        #expect(!audit.all.joined().contains("olga"), "the log contains no addresses")
    }

    /// The operator invites a person with the address of an account.
    @Test(arguments: [
        ("olga@example.org", "olga@example.org"), ("Olga@Example.org", "OLGA@EXAMPLE.ORG"),
        ("éva@example.org", "ÉVA@example.org"), ("straße@example.org", "STRASSE@example.org"),
    ])
    func invitedPersonOpensAccount(stored: String, sent: String) async throws {
        let response = try await Self.signUp(sent, [], records: [Self.account(stored)])
        #expect(response.status == 201, "\(response)")
        #expect(response.json["user"] as? String == "olga", "\(response)")
    }

    /// A person who has an account can sign in, also if the rule or the address has changed.
    @Test func knownPersonAlwaysSignsIn() async throws {
        let issuer = try await SignInTests.Issuer(records: Scene.friends + [Self.account("olga@example.org")]) {
            $0.signIn?.signUp = .invited
        }
        let first = try await issuer.token { $0.nonce = "1" }
        let later = try await issuer.token { ($0.nonce, $0.email) = ("2", "new@elsewhere.example") }
        // The address is no address that the store accepts, but the person is known.
        let odd = try await issuer.token { ($0.nonce, $0.email) = ("3", "a!b@my_host.example") }
        let stranger = try await issuer.token { ($0.sub, $0.email) = ("other", "other@example.org") }
        try await issuer.fixture.run { client in
            for token in [first, later, odd] {
                let response = try await client.send(.post, path: "/session", SignInTests.body(token))
                #expect(response.json["user"] as? String == "olga", "\(response)")
            }
            // A refused sign-in does not use up the ID token.
            for _ in 0..<2 {
                let refused = try await client.send(.post, path: "/session", SignInTests.body(stranger))
                #expect(refused.status == 403, "\(refused)")
                #expect(refused.slug == "not-invited", "\(refused)")
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
