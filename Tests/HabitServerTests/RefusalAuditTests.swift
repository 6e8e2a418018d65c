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
@Suite(.engineIndependent, .serialized) struct RefusalAuditTests {
    @Test func refusedSignInsAreAuditedAndLimited() async throws {
        let lines = LogLines()
        let scene = try await SignInScene { options in
            options.audit = { line in lines.add(line) }
            options.signIn?.signUp = .invited
        }
        let failures = scene.fixture.server.services.signInFailures
        try await scene.run { browser in
            let uninvited = try await browser.signIn()
            #expect(uninvited.status == 403, "\(uninvited)")
            let invalid = try await browser.signIn { token in token.sub = "" }
            #expect(invalid.status == 401, "\(invalid)")
            while failures.record("-") {}
            let limited = try await browser.open("/sign-in/issuers/test/callback?state=x&code=y")
            #expect(limited.status == 429, "\(limited)")
            #expect(limited.text.contains("Too many sign-ins from this address"), "\(limited)")
            #expect(limited.headers[.retryAfter] == "3")
        }
        let entries = lines.entries
        #expect(entries.allSatisfy { $0["action"] as? String == "sign-in.refuse" })
        #expect(entries.allSatisfy { $0["client"] is String })
        #expect(entries.prefix(2).map { $0["reason"] as? String } == ["not-invited", "not-signed-in"])
        #expect(!lines.all.joined().contains("olga"), "the log contains no addresses")
    }

    /// A page of another site cannot use up the attempts of its visitor.
    @Test func refusalForOtherSiteDoesNotCount() async throws {
        let lines = LogLines()
        let scene = try await SignInScene { options in options.audit = { line in lines.add(line) } }
        let image: HTTPFields = [.fetchSite: "cross-site", .fetchMode: "no-cors", .fetchDestination: "image"]
        let requests: [(String, HTTPFields, Int)] = [
            ("/callback?state=x&code=y", image, 403), ("", image, 403), ("?time_zone=bogus", image, 403),
            ("?time_zone=bogus", TestBrowser.link, 200), ("?time_zone=bogus", TestBrowser.ownLink, 422),
            ("?add=yes", TestBrowser.ownLink, 400),
        ]
        try await scene.run { browser in
            for (rest, headers, status) in requests {
                for _ in 0..<Int(FailureLimiter.capacity) {
                    let refused = try await browser.open("/sign-in/issuers/test\(rest)", headers)
                    #expect(refused.status == status, "\(rest): \(refused)")
                }
            }
            #expect(lines.all.isEmpty, "\(lines.all)")
            #expect(try await browser.signIn().status == 303)
        }
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
            while failures.record("-") {}
            let refused = try await client.send(path: "/user", as: "hbt_unknown")
            #expect(refused.status == 401, "\(refused)")
            #expect(lines.all.count == 2, "\(lines.all)")
        }
        let entries = lines.entries
        #expect(entries.allSatisfy { $0["action"] as? String == "token.refuse" })
        #expect(entries.allSatisfy { $0["token"] is String })
        #expect(!lines.all.joined().contains("hbt_"), "the log contains no tokens")
    }

    @Test func endOfOldestSessionIsAudited() async throws {
        let lines = LogLines()
        let clock = TestClock()
        let scene = try await SignInScene { options in
            options.audit = { line in lines.add(line) }
            options.clock = { clock.now }
        }
        let count = TokenActions.sessionLimit + 1
        try await scene.run { browser in
            for _ in 0..<count {
                clock.advance(by: 1)
                browser.cookies = [:]
                let response = try await browser.signIn()
                #expect(response.status == 303, "\(response)")
            }
        }
        let entries = lines.entries
        let created = entries.filter { $0["action"] as? String == "token.create" }
        let ended = entries.filter { $0["action"] as? String == "token.revoke" }
        #expect(created.count == count, "\(lines.all)")
        #expect(ended.count == 1, "\(lines.all)")
        #expect(ended.first?["token"] as? String == created.first?["token"] as? String)
        #expect(ended.first?["user"] as? String == "olga-ünal")
    }

    @Test func failuresAreCountedPerClientAndForgotten() {
        let began = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let limiter = FailureLimiter(now: { began.advanced(by: passed.withLock { passed in passed }) })
        #expect(limiter.wait(of: "a") == nil)
        for _ in 0..<Int(FailureLimiter.capacity) { #expect(limiter.record("a")) }
        #expect(!limiter.record("a"))
        #expect(limiter.wait(of: "a") == 3)
        #expect(limiter.wait(of: "b") == nil)
        passed.withLock { passed in passed = .seconds(3) }
        #expect(limiter.wait(of: "a") == nil)
        #expect(limiter.record("a"))
        #expect(!limiter.record("a"))
    }
}
