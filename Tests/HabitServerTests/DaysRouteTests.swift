import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of `/days` over HTTP.
///
/// `HabitDaysTests` compares the days with lists.
@Suite(.serialized, .server(Scene.friends)) struct DaysRouteTests {
    /// Returns the habits of a response by ID.
    private static func habits(_ response: ServerResponse) -> [String: [String: Any]] {
        let habits = response.json["habits"] as? [[String: Any]] ?? []
        let pairs = habits.map { habit in (habit["id"] as? String ?? "", habit) }
        return Dictionary(pairs) { _, last in last }
    }

    /// Returns the days of a habit as JSON.
    private static func days(_ habit: [String: Any]?) throws -> [String] {
        let days = habit?["days"] as? [[String: Any]] ?? []
        return try days.map { day in
            let data = try JSONSerialization.data(withJSONObject: day, options: .sortedKeys)
            return String(decoding: data, as: UTF8.self)
        }
    }

    @Test func daysHaveEventsAndDueHabits() async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/days?from=2026-11-19&to=2026-11-21", as: "owner")
            #expect(response.status == 200, "\(response)")
            #expect(response.type == "application/json", "\(response)")
            #expect(response.json["today"] as? String == "2026-11-20")
            let habits = Self.habits(response)
            #expect(habits.keys.sorted() == ["read", "run"])
            let run = habits["run"]
            #expect(run?["title"] as? String == "Run")
            #expect(run?["streak"] as? Int == 3)
            #expect(run?["status"] as? String == "On track")
            #expect(run?["completion_rate"] as? Double == 1)
            #expect(
                try Self.days(run) == [
                    #"{"day":"2026-11-19","due":true,"event":"r19","outcome":"done"}"#,
                    #"{"day":"2026-11-20","due":true,"outcome":"open"}"#,
                    #"{"day":"2026-11-21","due":true}"#,
                ])
        }
    }

    @Test func rangeIsTodayByDefault() async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/days", as: "owner")
            #expect(response.json["from"] as? String == "2026-11-20", "\(response)")
            #expect(response.json["to"] as? String == "2026-11-20", "\(response)")
            let week = try await client.send(path: "/days?from=this-week&to=this-week", as: "owner")
            #expect(week.json["from"] as? String == "2026-11-16", "\(week)")
            #expect(week.json["to"] as? String == "2026-11-22", "\(week)")
        }
    }

    /// A follower sees the habits of the owner in lists, but `/days` has only the caller's own habits.
    @Test(arguments: [("all", ["mine"]), ("latest", []), ("stranger", ["other"])])
    func habitsOfOthersAreAbsent(user: String, expected: [String]) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/days?from=2026-11-17", as: user)
            #expect(response.status == 200, "\(response)")
            #expect(Self.habits(response).keys.sorted() == expected)
            #expect(!response.text.contains("r17"))
        }
    }

    @Test(arguments: [
        ("", nil, 401, "not-signed-in"), ("", "operator", 403, "not-signed-in"),
        ("?from=2026-11-21&to=2026-11-20", "owner", 400, "parameter-invalid"),
        ("?from=2025-10-16&to=2026-11-20", "owner", 400, "parameter-invalid"),
        ("?from=today%2B1", "owner", 400, "parameter-invalid"),
        ("?from=soon", "owner", 400, "date-invalid"), ("?to=2026-02-30", "owner", 400, "date-invalid"),
        ("?f=csv", "owner", 400, "parameter-invalid"), ("?user=all", "owner", 400, "parameter-invalid"),
    ])
    func daysAreRefused(query: String, user: String?, status: Int, slug: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/days\(query)", as: user)
            #expect(response.status == status, "\(response)")
            #expect(response.slug == slug, "\(response)")
        }
    }

    @Test func longestRangeHasDayLimit() async throws {
        try await ServerFixture.shared.run { client in
            let longest = try await client.send(path: "/days?from=2025-10-16&to=2026-11-20", as: "owner")
            #expect(longest.status == 400, "\(longest)")
            let parameters = longest.json["parameters"] as? [String: Int]
            #expect(parameters == ["count": 401, "limit": 400])
            let allowed = try await client.send(path: "/days?from=2025-10-17&to=2026-11-20", as: "owner")
            #expect(allowed.status == 200, "\(allowed)")
        }
    }

    @Test func tagChangesAtMidnightOfTheUser() async throws {
        let clock = TestClock("2026-11-20T12:00:00Z")
        let fixture = try await ServerFixture(Scene.friends) { options in options.clock = { clock.now } }
        try await fixture.run { client in
            let path = "/days?from=2026-11-16&to=2026-11-22"
            let first = try await client.send(path: path, as: "owner")
            let known: HTTPFields = [.ifNoneMatch: first.tag]
            clock.set("2026-11-20T23:59:59Z")
            let evening = try await client.send(path: path, as: "owner", headers: known)
            #expect(evening.status == 304, "\(evening)")
            clock.set("2026-11-21T00:00:00Z")
            let nextDay = try await client.send(path: path, as: "owner", headers: known)
            #expect(nextDay.status == 200, "\(nextDay)")
        }
    }
}
