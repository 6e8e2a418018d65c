import Foundation
import HabitTestSupport
import Testing

@testable import HabitServer

/// What a client may not do to others, and what every answer says of itself.
@Suite(.serialized) struct LimitTests {
    @Test func aClientThatAsksTooOftenWaits() async throws {
        let fixture = try ServerFixture { $0.requestsPerSecond = 0.01 }
        try await fixture.run { client in
            let first = try await client.send(path: "/conformance")
            #expect(first.status == 200)
            let refused = try await client.send(path: "/conformance")
            #expect(refused.status == 429, "\(refused)")
            #expect(
                refused.slug == "too-many-requests" && Int(refused.headers[.retryAfter] ?? "").map { $0 >= 1 } == true)
        }
    }

    @Test func bucketsFillAgain() {
        let limiter = RateLimiter(1)
        let now = ContinuousClock.now
        #expect(limiter.wait("a", now: now) == nil && limiter.wait("a", now: now) == nil)
        #expect(limiter.wait("a", now: now) == 1 && limiter.wait("b", now: now) == nil)
        #expect(limiter.wait("a", now: now.advanced(by: .seconds(1))) == nil)
        #expect(limiter.wait("a", now: now.advanced(by: .seconds(1))) == 1)
    }

    @Test func whatIsTooLongIsRefused() async throws {
        try await ServerFixture().run { client in
            let long = "/collections/events/items?comment=" + String(repeating: "a", count: 9000)
            let answer = try await client.send(path: long, as: "owner")
            #expect(answer.status == 414 && answer.slug == "uri-too-long", "\(answer)")
            let body = #"{"habit":"run","comment":""# + String(repeating: "a", count: 300_000) + "\"}"
            let large = try await client.send(.post, path: "/collections/events/items", as: "owner", body)
            #expect(large.status == 413 && large.type == "application/problem+json", "\(large)")
            #expect(large.slug == "body-too-large" && large.text.contains("262144 bytes"), "\(large)")
        }
    }

    @Test func pagesOfOtherOriginsMayReadWhatTheyNeed() async throws {
        let fixture = try ServerFixture { $0.origins = ["https://map.example.org"] }
        try await fixture.run { client in
            let path = "/collections/events/items?limit=1"
            let answer = try await client.send(path: path, as: "owner", headers: [.origin: "https://map.example.org"])
            #expect(answer.headers[.accessControlAllowOrigin] == "https://map.example.org")
            let exposed = answer.headers[.accessControlExposeHeaders] ?? ""
            #expect(exposed.contains("Link") && exposed.contains("ETag"))
            #expect(answer.headers[.vary]?.contains("Origin") == true)
            let failed = try await client.send(path: "/nothing", headers: [.origin: "https://map.example.org"])
            #expect(failed.status == 404 && failed.headers[.accessControlAllowOrigin] != nil, "errors can be read too")
            let asked = try await client.send(
                .options, path: path,
                headers: [
                    .origin: "https://map.example.org", .accessControlRequestMethod: "PATCH",
                ])
            #expect(
                asked.status == 204 && asked.headers[.accessControlAllowMethods]?.contains("PATCH") == true, "\(asked)")
            #expect(asked.headers[.accessControlAllowHeaders]?.contains("Authorization") == true)
            let other = try await client.send(path: path, as: "owner", headers: [.origin: "https://evil.example.org"])
            #expect(other.status == 200 && other.headers[.accessControlAllowOrigin] == nil)
        }
    }

    @Test func operationsAreSeenAndSecretsAreNot() async throws {
        let lines = Lines()
        let fixture = try ServerFixture { options in options.log = { lines.add($0) } }
        try await fixture.run { client in
            let path = "/collections/events/items?near=10,50&comment=secret"
            #expect(try await client.send(path: path, as: "owner").status == 200)
            #expect(try await client.send(path: "/collections/events/items/r17", as: "owner").status == 200)
            #expect(try await client.send(path: "/healthz").text == #"{"status":"ok"}"#)
            let metrics = try await client.send(path: "/metrics").text
            #expect(
                metrics.contains(
                    "habitat_requests_total{route=\"/collections/{collection}/items\",method=\"GET\",status=\"200\"} 1"),
                "\(metrics)")
            #expect(metrics.contains("habitat_request_duration_seconds_count 3"))
            let secret = client.tokens["owner"] ?? "?"
            #expect(lines.all.count == 4)
            for line in lines.all {
                #expect(
                    !line.contains(secret) && !line.contains("10,50") && !line.contains("secret")
                        && !line.contains("r17"))
                let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                #expect(entry?["status"] as? Int == 200 && entry?["route"] is String && entry?["ms"] is Double)
            }
        }
    }

    @Test func whatIsNotThereIsAProblemToo() async throws {
        try await ServerFixture().run { client in
            for path in [
                "/nothing", "/collections/events/items/r17/nothing", "/map/nothing.js", "/map/leaflet/../../etc/passwd",
            ] {
                let answer = try await client.send(path: path, as: "owner")
                #expect(answer.status == 404 && answer.type == "application/problem+json", "\(path): \(answer)")
                #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            }
        }
    }

    @Test func aMethodThatIsNotTakenIsToldWhichAre() async throws {
        try await ServerFixture().run { client in
            let put = try await client.send(.put, path: "/collections/events/items", as: "owner", "{}")
            #expect(put.status == 405 && put.headers[.allow] == "GET, POST, HEAD", "\(put) \(put.headers)")
            let asked = try await client.send(.options, path: "/session")
            #expect(asked.status == 204 && asked.headers[.allow] == "DELETE, GET, POST, HEAD", "\(asked.headers)")
            let head = try await client.send(.head, path: "/collections/events/items", as: "owner")
            #expect(head.status == 200 && head.body.isEmpty && !head.tag.isEmpty)
        }
    }

    @Test func theMapRunsNothingFromElsewhere() async throws {
        let fixture = try ServerFixture { $0.tiles = "https://{s}.tile.example.org/{z}/{x}/{y}.png" }
        try await fixture.run { client in
            let page = try await client.send(path: "/map")
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(page.status == 200 && page.type == "text/html; charset=utf-8")
            #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"))
            #expect(policy.contains("img-src 'self' blob: data: https://*.tile.example.org;"), "\(policy)")
            #expect(!policy.contains("unsafe"))
            for name in page.text.matches(of: /(?:src|href)="(\/map\/[^"\/]+)"/).map({ String($0.1) }) {
                #expect(try await client.send(path: name).status == 200, "\(name)")
            }
            let script = try await client.send(path: "/map/map.js")
            for name in script.text.matches(of: /from "\/map\/([^"]+)"/).map({ String($0.1) }) {
                #expect(try await client.send(path: "/map/\(name)").status == 200, "\(name)")
            }
        }
    }
}

private final class Lines: @unchecked Sendable {
    // Touched under the lock alone.
    private let lock = NSLock()
    private var lines: [String] = []

    func add(_ line: String) { lock.withLock { lines.append(line) } }
    var all: [String] { lock.withLock { lines } }
}
