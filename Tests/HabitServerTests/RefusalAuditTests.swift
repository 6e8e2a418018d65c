import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Synchronization
import Testing

@testable import HTTPServing
@testable import HabitServer

/// Tests that refused sign-ins and tokens are limited and appear in the audit log.
@Suite(.serialized) struct RefusalAuditTests {
    @Test func refusedSignInsAreAuditedAndLimited() async throws {
        let lines = LogLines()
        let issuer = try await SignInTests.Issuer { options in options.audit = { lines.add($0) } }
        let unverified = try await issuer.token { $0.emailVerified = false }
        let failures = issuer.fixture.server.services.signInFailures
        try await issuer.fixture.run { client in
            for (token, status) in [(unverified, 403), ("a.b.c", 401)] {
                let refused = try await client.send(.post, path: "/session", SignInTests.body(token))
                #expect(refused.status == status, "\(refused)")
            }
            // On a slow machine, the client may have another attempt before its request.
            var limited: ServerResponse?
            for _ in 0..<10 where limited?.status != 429 {
                while failures.record("-") {}
                limited = try await client.send(.post, path: "/session", SignInTests.body("a.b.c"))
            }
            #expect(limited?.status == 429, "\(limited?.text ?? "")")
            #expect(limited?.slug == "too-many-requests", "\(limited?.text ?? "")")
            #expect(limited?.headers[.retryAfter].flatMap { Int($0) }.map { (1...3).contains($0) } == true)
        }
        let entries = lines.entries
        #expect(entries.allSatisfy { $0["action"] as? String == "sign-in.refuse" })
        #expect(entries.allSatisfy { $0["client"] is String })
        #expect(entries.prefix(2).map { $0["reason"] as? String } == ["email-not-verified", "not-signed-in"])
        #expect(!lines.all.joined().contains("olga"), "the log contains no addresses")
    }

    @Test func refusedTokensAreAuditedAtLimitedRate() async throws {
        let lines = LogLines()
        let fixture = try await ServerFixture(Scene.friends) { options in options.audit = { lines.add($0) } }
        let failures = fixture.server.services.tokenFailures
        try await fixture.run { client in
            for _ in 0..<2 {
                let refused = try await client.send(path: "/user", as: "hbt_unknown")
                #expect(refused.status == 401, "\(refused)")
            }
            #expect(lines.all.count == 2)
            #expect(try await client.send(path: "/user").status == 401)
            #expect(try await client.send(path: "/user", as: "owner").status == 200)
            #expect(lines.all.count == 2, "only refused tokens are logged: \(lines.all)")
            // On a slow machine, the client may have another line before its request.
            var added = 1
            for _ in 0..<10 where added != 0 {
                let count = lines.all.count
                while failures.record("-") {}
                let refused = try await client.send(path: "/user", as: "hbt_unknown")
                #expect(refused.status == 401, "\(refused)")
                added = lines.all.count - count
            }
            #expect(added == 0, "\(lines.all)")
        }
        let entries = lines.entries
        #expect(entries.allSatisfy { $0["action"] as? String == "token.refuse" })
        #expect(entries.allSatisfy { $0["token"] is String })
        #expect(!lines.all.joined().contains("hbt_"), "the log contains no tokens")
    }

    @Test func endOfOldestSessionIsAudited() async throws {
        let lines = LogLines()
        let clock = TestClock()
        let issuer = try await SignInTests.Issuer { options in
            options.audit = { lines.add($0) }
            options.clock = { clock.now }
        }
        var tokens: [String] = []
        for number in 0...TokenActions.sessionLimit { tokens.append(try await issuer.token { $0.nonce = "\(number)" }) }
        let sent = tokens
        try await issuer.fixture.run { client in
            for token in sent {
                clock.advance(by: 1)
                let response = try await client.send(.post, path: "/session", SignInTests.body(token))
                #expect(response.status == 201, "\(response)")
            }
        }
        let entries = lines.entries
        let created = entries.filter { $0["action"] as? String == "token.create" }
        let ended = entries.filter { $0["action"] as? String == "token.revoke" }
        #expect(created.count == sent.count, "\(lines.all)")
        #expect(ended.count == 1, "\(lines.all)")
        #expect(ended.first?["token"] as? String == created.first?["token"] as? String)
        #expect(ended.first?["user"] as? String == "olga-ünal")
    }

    @Test func failuresAreCountedPerClientAndForgotten() {
        let limiter = FailureLimiter()
        let now = ContinuousClock.now
        #expect(limiter.wait(of: "a", now: now) == nil)
        for _ in 0..<Int(FailureLimiter.capacity) { #expect(limiter.record("a", now: now)) }
        #expect(!limiter.record("a", now: now))
        #expect(limiter.wait(of: "a", now: now) == 3)
        #expect(limiter.wait(of: "b", now: now) == nil)
        let later = now.advanced(by: .seconds(3))
        #expect(limiter.wait(of: "a", now: later) == nil)
        #expect(limiter.record("a", now: later))
        #expect(!limiter.record("a", now: later))
    }
}
