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

/// Tests of calendars and their addresses.
@Suite(.serialized, .server(Scene.friends)) struct CalendarTests {
    /// Creates an address and returns its path and its ID.
    private static func create(
        _ client: ServerClient, as user: String = "owner", label: String? = nil
    ) async throws -> (path: String, id: String) {
        let body = label.map { #"{"label":"\#($0)"}"# } ?? "{}"
        let response = try await client.send(.post, path: "/user/calendars", as: user, body)
        #expect(response.status == 201, "\(response)")
        let url = try #require(response.json["url"] as? String)
        let start = try #require(url.range(of: "/calendars/"))
        return (String(url[start.lowerBound...]), try #require(response.json["id"] as? String))
    }

    private static func lines(_ response: ServerResponse) -> [String] {
        response.text.replacing("\r\n ", with: "").components(separatedBy: "\r\n")
    }

    @Test func calendarHasDueDaysAndDoneEventsOfOwnerOnly() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = try await Self.create(client).path
            let response = try await client.send(path: path)
            #expect(response.status == 200, "\(response)")
            #expect(response.type == "text/calendar; charset=utf-8", "\(response)")
            let lines = Self.lines(response)
            let uids = lines.filter { $0.hasPrefix("UID:") }
            #expect(
                uids == [
                    "UID:habit/read@habitat", "UID:habit/run@habitat", "UID:r17@habitat",
                    "UID:b/18 ü@habitat", "UID:r18@habitat", "UID:r19@habitat",
                ], "\(lines)")
            #expect(lines.filter { $0 == "RRULE:FREQ=DAILY" }.count == 2)
            #expect(lines.contains("DTSTART:20261117T070000Z"))
            #expect(lines.contains("DTSTART;VALUE=DATE:20261119"))
            #expect(lines.contains("DESCRIPTION:rain 100%"))
            #expect(lines.contains("GEO:50;10"))
            #expect(!response.text.contains("theirs"))
            #expect(response.headers[.cacheControl] == "private, no-cache")
        }
    }

    @Test func sameStoreAndDateProduceSameBytes() async throws {
        let clock = TestClock()
        let fixture = try await ServerFixture(Scene.friends) { $0.clock = { clock.now } }
        try await fixture.run { client in
            let path = try await Self.create(client).path
            let first = try await client.send(path: path)
            clock.advance(by: 3600)
            let second = try await client.send(path: path)
            #expect(first.body == second.body)
        }
    }

    // MARK: Access

    @Test func addressOpensOnlyCalendarAndTokenOpensNoCalendar() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            let path = try await Self.create(client).path
            let secret = String(path.dropFirst("/calendars/".count).dropLast(".ics".count))
            // The server has read the address and keeps its owner.
            #expect(try await client.send(path: path).status == 200)
            for (method, resource) in [
                (.get, "/session"), (.get, "/user"), (.get, "/sessions"), (.get, "/user/calendars"),
                (.delete, "/session"),
                (.get, "/collections/events/items"), (.post, "/user/calendars"), (.get, "/reports/history"),
            ] as [(HTTPRequest.Method, String)] {
                let refused = try await client.send(method, path: resource, as: secret, method == .post ? "{}" : nil)
                #expect(refused.status == 401, "\(method) \(resource): \(refused)")
                #expect(refused.slug == "not-signed-in", "\(method) \(resource): \(refused)")
            }
            #expect(try await client.send(path: path).status == 200)
            for user in ["owner", "operator"] {
                let token = try #require(client.tokens[user])
                // The server has read the token and keeps its owner.
                #expect(try await client.send(path: "/session", as: user).status == 200)
                let refused = try await client.send(path: "/calendars/\(token).ics")
                #expect(refused.status == 404, "\(user): \(refused)")
                #expect(refused.slug == "not-found", "\(user): \(refused)")
            }
        }
    }

    @Test func unknownAddressIsNotFound() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = try await Self.create(client).path
            let paths = [
                "/calendars/hbc_AAAA.ics", "/calendars/.ics", String(path.dropLast(4)),
                path.replacing("hbc_", with: "hbt_"),
                path + ".ics", path.replacing(".ics", with: ".csv"),
                path.uppercased().replacing("/CALENDARS", with: "/calendars"),
                "/calendars/\(String(repeating: "a", count: 4000)).ics", "/calendars/%00.ics", "/calendars/%FF.ics",
            ]
            for path in paths {
                let response = try await client.send(path: path)
                #expect(response.status == 404, "\(path): \(response)")
                #expect(response.slug == "not-found", "\(path): \(response)")
            }
            // A token in the header does not replace the address.
            #expect(try await client.send(path: "/calendars/hbc_AAAA.ics", as: "owner").status == 404)
            #expect(try await client.send(.post, path: path, "{}").status == 405)
            let refused = try await client.send(path: path + "?f=json")
            #expect(refused.status == 400, "\(refused)")
            #expect(refused.slug == "parameter-invalid", "\(refused)")
        }
    }

    @Test func revokedAddressIsNotFoundImmediately() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let calendar = try await Self.create(client)
            let path = calendar.path
            let id = calendar.id
            let other = try await Self.create(client)
            #expect(try await client.send(path: path).status == 200)
            // Another user cannot revoke it, and a session has another ID.
            for user in ["stranger", "all"] {
                #expect(try await client.send(.delete, path: "/user/calendars/\(id)", as: user).status == 404)
            }
            #expect(try await client.send(.delete, path: "/sessions/\(id)", as: "owner").status == 404)
            #expect(try await client.send(path: path).status == 200)
            #expect(try await client.send(.delete, path: "/user/calendars/\(id)", as: "owner").status == 204)
            #expect(try await client.send(path: path).status == 404)
            #expect(try await client.send(path: other.path).status == 200)
            let again = try await client.send(.delete, path: "/user/calendars/\(id)", as: "owner")
            #expect(again.status == 404, "\(again)")
            #expect(again.slug == "not-found", "\(again)")
        }
    }

    @Test func addressOfDeletedAccountIsNotFound() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = try await Self.create(client, as: "stranger").path
            #expect(try await client.send(path: path).status == 200)
            #expect(try await client.send(.delete, path: "/user", as: "stranger").status == 204)
            #expect(try await client.send(path: path).status == 404)
        }
    }

    @Test func addressWithLifetimeExpires() async throws {
        let clock = TestClock()
        let fixture = try await ServerFixture(Scene.friends) { $0.clock = { clock.now } }
        let secret = try fixture.store.engine.write { session in
            try TokenActions(clock: clock.now, in: session).createCalendar(
                for: try .user(named: "owner", in: session), label: nil, lifetime: .seconds(60)
            ).token.secret
        }
        try await fixture.run { client in
            let endless = try await Self.create(client).path
            #expect(try await client.send(path: "/calendars/\(secret).ics").status == 200)
            clock.advance(by: 61)
            #expect(try await client.send(path: "/calendars/\(secret).ics").status == 404)
            clock.set("2060-01-01T00:00:00Z")
            #expect(try await client.send(path: endless).status == 200)
        }
    }

    @Test func operatorHasNoCalendar() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            for (method, body) in [(.get, nil), (.post, "{}")] as [(HTTPRequest.Method, String?)] {
                let refused = try await client.send(method, path: "/user/calendars", as: "operator", body)
                #expect(refused.status == 403, "\(refused)")
                #expect(refused.slug == "not-signed-in", "\(refused)")
                #expect(try await client.send(method, path: "/user/calendars", as: nil, body).status == 401)
            }
        }
        #expect {
            try fixture.store.engine.write { session in
                _ = try TokenActions(clock: ServerFixture.clock, in: session).createCalendar(for: .operator, label: nil)
            }
        } throws: { ($0 as? HabitError)?.code == .notSignedIn }
    }

    // MARK: Lists of addresses

    @Test func addressesAreListedWithoutSecretsAndApartFromSessions() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let created = try await Self.create(client, label: "phone ü")
            let list = try await client.send(path: "/user/calendars", as: "owner")
            let calendars = try #require(list.json["calendars"] as? [[String: Any]])
            try #require(calendars.count == 1, "\(list)")
            #expect(calendars[0]["id"] as? String == created.id, "\(list)")
            try #require(calendars[0]["label"] as? String == "phone ü", "\(list)")
            #expect(calendars[0]["expires_at"] is NSNull, "\(list)")
            try #require(!list.text.contains("hbc_"))
            #expect(calendars[0]["url"] == nil)
            #expect(list.headers[.cacheControl] == "no-store")
            let one = try await client.send(path: "/user/calendars/\(created.id)", as: "owner")
            #expect(one.status == 200, "\(one)")
            #expect(one.json["label"] as? String == "phone ü", "\(one)")
            #expect(try await client.send(path: "/user/calendars/\(created.id)", as: "all").status == 404)
            let sessions = try await client.send(path: "/sessions", as: "owner")
            #expect(!sessions.text.contains(created.id), "\(sessions)")
            let others = try await client.send(path: "/user/calendars", as: "all")
            #expect((others.json["calendars"] as? [Any])?.isEmpty == true, "\(others)")
        }
    }

    @Test(arguments: [
        "[]",
        "null",
        #"{"label":1}"#,
        "",
        "{",
        #"{"label":"\#(String(repeating: "a", count: 51))"}"#,
    ])
    func invalidLabelIsRefused(body: String) async throws {
        try await ServerFixture.shared.run { client in
            let refused = try await client.send(.post, path: "/user/calendars", as: "owner", body)
            #expect((400..<500).contains(refused.status), "\(refused)")
            let list = try await client.send(path: "/user/calendars", as: "owner")
            #expect((list.json["calendars"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func newAddressRevokesOldestInExcessOfLimit() async throws {
        let clock = TestClock()
        try await ServerFixture(Scene.friends) { $0.clock = { clock.now } }.run { client in
            var paths: [String] = []
            for _ in 0..<TokenActions.calendarLimit + 2 {
                clock.advance(by: 1)
                paths.append(try await Self.create(client).path)
            }
            var statuses: [Int] = []
            for path in paths { statuses.append(try await client.send(path: path).status) }
            #expect(statuses == [404, 404] + Array(repeating: 200, count: TokenActions.calendarLimit))
            // The limit does not affect bearer tokens.
            #expect(try await client.send(path: "/session", as: "owner").status == 200)
        }
    }

    // MARK: HTTP

    @Test func unchangedCalendarReturns304() async throws {
        let clock = TestClock()
        try await ServerFixture(Scene.friends) { $0.clock = { clock.now } }.run { client in
            let path = try await Self.create(client).path
            let first = try await client.send(path: path)
            #expect(!first.tag.isEmpty)
            let headers: HTTPFields = [.ifNoneMatch: first.tag]
            let second = try await client.send(path: path, headers: headers)
            #expect(second.status == 304, "\(second)")
            #expect(second.body.isEmpty, "\(second)")
            #expect(second.tag == first.tag, "\(second)")
            let event = #"{"habit":"run","comment":"new"}"#
            #expect(try await client.send(.post, path: "/collections/events/items", as: "owner", event).status == 201)
            let third = try await client.send(path: path, headers: headers)
            #expect(third.status == 200, "\(third)")
            #expect(third.tag != first.tag, "\(third)")
            #expect(third.text.contains("DESCRIPTION:new"), "\(third)")
            clock.set("2026-11-21T12:00:00Z")
            #expect(try await client.send(path: path, headers: [.ifNoneMatch: third.tag]).status == 200)
            let head = try await client.send(.head, path: path)
            let body = try await client.send(path: path)
            #expect(head.status == 200, "\(head.headers)")
            #expect(head.headers[.contentLength] == "\(body.body.count)", "\(head.headers)")
        }
    }

    @Test func addressHasPathOfPublicURL() async throws {
        try await ServerFixture(Scene.friends) { $0.publicURL = "https://host.example/habits/" }.run { client in
            let response = try await client.send(.post, path: "/user/calendars", as: "owner", "{}")
            let url = try #require(response.json["url"] as? String)
            let prefix = "https://host.example/habits/calendars/hbc_"
            #expect(url.hasPrefix(prefix), "\(url)")
            #expect(url.hasSuffix(".ics"), "\(url)")
            let path = String(url.dropFirst("https://host.example/habits".count))
            #expect(try await client.send(path: path).status == 200)
        }
    }

    @Test func rateLimitAppliesToCalendars() async throws {
        let fixture = try await ServerFixture(Scene.friends) { ($0.requestsPerSecond, $0.isBehindProxy) = (1e-6, true) }
        try await fixture.run { client in
            let path = try await Self.create(client).path
            let limiter = try #require(fixture.server.services.limiter)
            for _ in 0...RateLimiter.queue { _ = limiter.admission(of: "192.0.2.1") }
            let refused = try await client.send(path: path, headers: [.forwardedFor: "192.0.2.1"])
            #expect(refused.status == 429, "\(refused)")
        }
    }

    @Test func addressReachesNoLogAndNoMetric() async throws {
        let lines = LogLines()
        let fixture = try await ServerFixture(Scene.friends) { options in
            options.log = { line in lines.add(line) }
            options.audit = { line in lines.add(line) }
            options.logLevel = .trace
        }
        let used = Mutex<[String]>([])
        try await fixture.run { client in
            let calendar = try await Self.create(client, label: "phone")
            let path = calendar.path
            let id = calendar.id
            used.withLock { $0.append(String(path.dropFirst("/calendars/hbc_".count).prefix(20))) }
            for path in [path, path + "x", path + "?f=json", path + "?a=%", "/user/calendars/\(path.dropFirst(11))"] {
                try await client.send(path: path)
            }
            // A server error is logged too.
            _ = try fixture.store.engine.write { try $0.run("ALTER TABLE habit RENAME COLUMN reason TO lost") }
            #expect(try await client.send(path: path).status == 500)
            _ = try fixture.store.engine.write { try $0.run("ALTER TABLE habit RENAME COLUMN lost TO reason") }
            #expect(try await client.send(.delete, path: "/user/calendars/\(id)", as: "owner").status == 204)
            #expect(try await client.send(path: path).status == 404)
        }
        let secret = try #require(used.withLock { $0.first })
        #expect(lines.all.count > 8)
        for line in lines.all {
            #expect(!line.contains(secret), "\(line)")
            #expect(!line.contains("hbc_"), "\(line)")
        }
        let actions = lines.entries.compactMap { $0["action"] as? String }
        #expect(actions == ["calendar.create", "calendar.revoke"], "\(actions)")
        #expect(!lines.all.contains { $0.contains("phone") })
        let routes = Set(lines.entries.compactMap { $0["route"] as? String })
        #expect(routes.isSuperset(of: ["/calendars/{calendarFile}", "/user/calendars/{calendarId}"]), "\(routes)")
        try await fixture.run(fixture.server.operatorRouter()) { client in
            let metrics = try await client.send(path: "/metrics")
            #expect(metrics.status == 200)
            #expect(metrics.text.contains("calendars"))
            #expect(!metrics.text.contains(secret))
        }
    }
}
