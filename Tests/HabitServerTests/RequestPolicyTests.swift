import Foundation
import HTTPTypes
import HabitTestSupport
import Hummingbird
import Synchronization
import Testing

@testable import HTTPServing
@testable import HabitPages
@testable import HabitServer

/// Tests of rate limits, size limits, CORS, metrics, access logs and security headers.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct RequestPolicyTests {
    @Test func requestAboveRateLimitReturns429WithRetryAfter() async throws {
        let fixture = try await ServerFixture(Scene.friends) { options in
            // The rate is so low that no token is added during the test, even on a slow machine.
            options.requestsPerSecond = 1e-6
            options.isBehindProxy = true
        }
        try await fixture.run { client in
            let limiter = try #require(fixture.server.services.limiter)
            for _ in 0...RateLimiter.queue { _ = limiter.admission(of: "192.0.2.1") }
            let refused = try await client.send(path: "/conformance", headers: [.forwardedFor: "192.0.2.1"])
            #expect(refused.status == 429, "\(refused)")
            #expect(refused.slug == "too-many-requests", "\(refused)")
            #expect(Int(refused.headers[.retryAfter] ?? "").map { $0 >= 1 } == true, "\(refused.headers)")
            #expect(try await client.send(path: "/conformance", headers: [.forwardedFor: "192.0.2.2"]).status == 200)
        }
    }

    /// Rule S-08: a client that waits for each response is never refused.
    @Test func clientWithOneOpenRequestIsNeverRefused() async throws {
        let fixture = try await ServerFixture(Scene.friends) { $0.requestsPerSecond = 50 }
        try await fixture.run { client in
            for _ in 0..<120 {
                let response = try await client.send(path: "/conformance")
                #expect(response.status == 200, "\(response)")
            }
        }
    }

    @Test(arguments: [0.01, 1, 100]) func limiterDelaysRequestsToItsRate(rate: Double) {
        let limiter = RateLimiter(rate)
        let begin = ContinuousClock.now
        var now = begin
        for _ in 0..<1000 {
            guard case .after(let delay) = limiter.admission(of: "a", now: now) else {
                Issue.record("a waiting client is refused")
                return
            }
            now = now.advanced(by: delay)
        }
        let seconds = begin.duration(to: now) / .seconds(1)
        #expect(abs(seconds - (1000 - max(rate * 2, 1)) / rate) < 0.01 / rate + 0.001, "\(seconds)")
    }

    @Test func rateLimitBucketRefillsOverTime() {
        let limiter = RateLimiter(1)
        let now = ContinuousClock.now
        let later = now.advanced(by: .seconds(1))
        for number in 0...RateLimiter.queue + 1 {
            #expect(limiter.admission(of: "a", now: now) == .after(.seconds(max(0, number - 1))))
        }
        #expect(limiter.admission(of: "a", now: now) == .refused(retryAfter: 9))
        #expect(limiter.admission(of: "b", now: now) == .after(.zero))
        #expect(limiter.admission(of: "a", now: later) == .after(.seconds(8)))
        #expect(limiter.admission(of: "a", now: later) == .refused(retryAfter: 9))
    }

    @Test func oversizedURLReturns414AndOversizedBodyReturns413() async throws {
        try await ServerFixture.shared.run { client in
            let long = "/collections/events/items?comment=" + String(repeating: "a", count: 9000)
            let response = try await client.send(path: long, as: "owner")
            #expect(response.status == 414, "\(response)")
            #expect(response.slug == "uri-too-long", "\(response)")
            let body = #"{"habit":"run","comment":""# + String(repeating: "a", count: 300_000) + "\"}"
            let large = try await client.send(.post, path: "/collections/events/items", as: "owner", body)
            #expect(large.status == 413, "\(large)")
            #expect(large.type == "application/problem+json", "\(large)")
            #expect(large.slug == "body-too-large", "\(large)")
            #expect(large.text.contains("262144 bytes"), "\(large)")
        }
    }

    /// A writer that waits too long for another writer fails, and readers do not wait.
    @Test func writerWithoutWaitFailsWithRemedy() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let location = fixture.store.location
        let server = try HabitatServer(fixture.server.options) { writes in
            try location.open(writes ? .write : .read, wait: .zero)
        }
        let release = DispatchSemaphore(value: 0)
        let lock = AsyncStream<Void>.makeStream()
        Thread.detachNewThread {
            _ = try? fixture.store.engine.write { _ in
                lock.continuation.finish()
                release.wait()
            }
        }
        for await _ in lock.stream {}
        try await fixture.run(server.router()) { client in
            let body = #"{"habit":"run"}"#
            let busy = try await client.call(.post, "events/items", as: "owner", body: body)
            #expect(busy.status == 503, "\(busy)")
            #expect(busy.slug == "busy", "\(busy)")
            #expect(busy.headers[.retryAfter] == "1", "\(busy)")
            #expect(busy.text.contains("try again"), "\(busy)")
            #expect(try await client.call("events/items", as: "owner").status == 200)
        }
        release.signal()
        try await fixture.run { client in
            let free = try await client.call(.post, "events/items", as: "owner", body: #"{"habit":"run"}"#)
            #expect(free.status == 201, "\(free)")
        }
    }

    @Test func allowedOriginGetsCORSHeadersAndOthersDoNot() async throws {
        let fixture = try await ServerFixture(Scene.friends) { $0.origins = ["https://map.example.org"] }
        try await fixture.run { client in
            let path = "/collections/events/items?limit=1"
            let response = try await client.send(path: path, as: "owner", headers: [.origin: "https://map.example.org"])
            #expect(response.headers[.accessControlAllowOrigin] == "https://map.example.org")
            let exposed = response.headers[.accessControlExposeHeaders] ?? ""
            #expect(exposed.contains("Link"))
            #expect(exposed.contains("ETag"))
            #expect(response.headers[.vary]?.contains("Origin") == true)
            let failed = try await client.send(path: "/nothing", headers: [.origin: "https://map.example.org"])
            #expect(
                failed.status == 404,
                "errors have CORS headers, too")
            #expect(
                failed.headers[.accessControlAllowOrigin] != nil,
                "errors have CORS headers, too")
            let preflight = try await client.send(
                .options, path: path,
                headers: [
                    .origin: "https://map.example.org", .accessControlRequestMethod: "PATCH",
                ])
            #expect(
                preflight.status == 204,
                "\(preflight)")
            #expect(
                preflight.headers[.accessControlAllowMethods]?.contains("PATCH") == true,
                "\(preflight)")
            #expect(preflight.headers[.accessControlAllowHeaders]?.contains("Authorization") == true)
            let other = try await client.send(path: path, as: "owner", headers: [.origin: "https://evil.example.org"])
            #expect(other.status == 200)
            #expect(other.headers[.accessControlAllowOrigin] == nil)
            // A cache must not send this response to a page of an allowed origin.
            #expect(other.headers[.vary]?.contains("Origin") == true)
        }
    }

    @Test func accessLogOmitsTokensIDsAndPositions() async throws {
        let lines = LogLines()
        let fixture = try await ServerFixture(Scene.friends) { options in options.log = { lines.add($0) } }
        try await fixture.run { client in
            let path = "/collections/events/items?near=10,50&comment-contains=secret"
            #expect(try await client.send(path: path, as: "owner").status == 200)
            #expect(try await client.send(path: "/collections/events/items/r17", as: "owner").status == 200)
            #expect(try await client.send(path: "/healthz").text == #"{"status":"ok"}"#)
            let secret = client.tokens["owner"] ?? "?"
            #expect(lines.all.count == 3)
            for line in lines.all {
                #expect(!line.contains(secret))
                #expect(!line.contains("10,50"))
                #expect(!line.contains("secret"))
                #expect(!line.contains("r17"))
                let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                #expect(entry?["status"] as? Int == 200)
                #expect(entry?["route"] is String)
                #expect(entry?["ms"] is Double)
            }
        }
    }

    @Test func metricsAreServedOnlyByOperatorListener() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            #expect(try await client.send(path: "/collections/events/items", as: "owner").status == 200)
            let hidden = try await client.send(path: "/metrics", as: "operator")
            #expect(hidden.status == 404, "\(hidden)")
            #expect(hidden.slug == "not-found", "\(hidden)")
        }
        try await fixture.run(fixture.server.operatorRouter()) { client in
            let metrics = try await client.send(path: "/metrics").text
            #expect(
                metrics.contains(
                    "habitat_requests_total{route=\"/collections/{collection}/items\",method=\"GET\",status=\"200\"} 1"),
                "\(metrics)")
            #expect(metrics.contains("habitat_request_duration_seconds_count 2"))
            #expect(try await client.send(path: "/healthz").text == #"{"status":"ok"}"#)
            let other = try await client.send(path: "/collections")
            #expect(other.status == 404, "\(other)")
            #expect(other.type == "application/problem+json", "\(other)")
        }
    }

    /// A request with a streamed response is in progress until the last block is sent.
    @Test func requestIsInProgressUntilItsResponseIsSent() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let metrics = fixture.server.services.metrics
        let running = "\nhabitat_requests_running "
        let isRunning = Mutex<[Bool]>([])
        let router = fixture.server.router()
        router.get("streamed") { _, _ in
            let body = ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "text"))
                isRunning.withLock { $0.append(metrics.text([]).contains(running + "1\n")) }
                try await writer.finish(nil)
            }
            return Response(status: .ok, body: body)
        }
        try await fixture.run(router) { client in
            #expect(try await client.send(path: "/streamed").text == "text")
            #expect(isRunning.withLock { $0 } == [true])
            // The response is released after the client has received it.
            try await waitUntil("no request is in progress") { metrics.text([]).contains(running + "0\n") }
        }
    }

    @Test func errorsAreNotCached() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            let list = "/collections/events/items"
            for (method, path, user) in [
                (HTTPRequest.Method.get, "/nothing", "owner"), (.get, list, nil), (.get, list + "?limit=0", "owner"),
                (.get, "/collections/events/items/nothing", "owner"), (.put, list, "owner"),
                (.delete, "/favicon.ico", nil),
            ] as [(HTTPRequest.Method, String, String?)] {
                let response = try await client.send(method, path: path, as: user)
                #expect(
                    response.status >= 400,
                    "\(path): \(response.headers)")
                #expect(
                    response.headers[.cacheControl] == "no-store",
                    "\(path): \(response.headers)")
            }
        }
    }

    @Test func preflightCountsAgainstRateLimit() async throws {
        let fixture = try await ServerFixture(Scene.friends) {
            ($0.requestsPerSecond, $0.origins, $0.isBehindProxy) = (1e-6, ["*"], true)
        }
        try await fixture.run { client in
            let fields: HTTPFields = [
                .origin: "https://map.example.org", .accessControlRequestMethod: "GET", .forwardedFor: "192.0.2.1",
            ]
            let first = try await client.send(.options, path: "/conformance", headers: fields)
            let limiter = try #require(fixture.server.services.limiter)
            for _ in 0..<RateLimiter.queue { _ = limiter.admission(of: "192.0.2.1") }
            let refused = try await client.send(.options, path: "/conformance", headers: fields)
            #expect(first.status == 204, "\(refused)")
            #expect(refused.status == 429, "\(refused)")
        }
    }

    @Test func accessLogNamesClientAndUser() async throws {
        let lines = LogLines()
        let fixture = try await ServerFixture(Scene.friends) { options in
            options.isBehindProxy = true
            options.log = { lines.add($0) }
        }
        try await fixture.run { client in
            let proxied: HTTPFields = [HTTPField.Name.forwardedFor: "203.0.113.9, 198.51.100.7"]
            try await client.send(path: "/collections/events/items", as: "owner", headers: proxied)
            try await client.send(path: "/collections", headers: proxied)
            try await client.send(path: "/collections/events/items", as: "operator", headers: proxied)
            try await client.send(path: "/collections/events/items", as: "hbt_unknown", headers: proxied)
        }
        let entries = lines.entries
        #expect(entries.count == 4)
        #expect(entries.allSatisfy { $0["client"] as? String == "198.51.100.7" })
        #expect(entries.map { $0["user"] as? String } == ["owner", nil, nil, nil])
        #expect(entries.map { $0["operator"] as? Bool } == [nil, nil, true, nil])
    }

    @Test func unknownPathReturnsProblemDetails() async throws {
        try await ServerFixture.shared.run { client in
            for path in [
                "/nothing", "/collections/events/items/r17/nothing", "/static/0/nothing.js",
                "/static/0/../../etc/passwd",
            ] {
                let response = try await client.send(path: path, as: "owner")
                #expect(response.status == 404, "\(path): \(response)")
                #expect(response.type == "application/problem+json", "\(path): \(response)")
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
            }
        }
    }

    @Test func unsupportedMethodReturns405WithAllowHeader() async throws {
        try await ServerFixture.shared.run { client in
            let put = try await client.send(.put, path: "/collections/events/items", as: "owner", "{}")
            #expect(put.status == 405, "\(put) \(put.headers)")
            #expect(put.headers[.allow] == "GET, POST, HEAD", "\(put) \(put.headers)")
            let preflight = try await client.send(.options, path: "/session")
            #expect(
                preflight.status == 204,
                "\(preflight.headers)")
            #expect(
                preflight.headers[.allow] == "DELETE, GET, POST, HEAD",
                "\(preflight.headers)")
            let head = try await client.send(.head, path: "/collections/events/items", as: "owner")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(!head.tag.isEmpty)
        }
    }

    @Test func mapContentSecurityPolicyAllowsOnlyOwnScripts() async throws {
        let fixture = try await ServerFixture(Scene.friends) {
            $0.tiles = "https://{s}.tile.example.org/{z}/{x}/{y}.png"
        }
        try await fixture.run { client in
            let page = try await client.send(path: "/map")
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(page.status == 200)
            #expect(page.type == "text/html; charset=utf-8")
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("script-src 'self';"))
            #expect(policy.contains("img-src 'self' blob: data: https://*.tile.example.org;"), "\(policy)")
            #expect(!policy.contains("unsafe"))
            let links = page.text.matches(of: /(?:src|href)="(static\/[^"]+)"/)
            #expect(links.count > 5)
            for link in links {
                #expect(try await client.send(path: "/\(link.output.1)").status == 200, "\(link.output.1)")
            }
            let script = try await client.send(path: "/" + WebFiles.all.path(of: "map.js"))
            let imports = script.text.matches(of: /from '\.\/([^']+)'/)
            #expect(imports.count > 5)
            for name in imports.map({ match in String(match.output.1) }) {
                let path = "/" + WebFiles.all.path(of: name)
                #expect(try await client.send(path: path).status == 200, "\(name)")
            }
        }
    }
}
