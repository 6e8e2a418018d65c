import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rules C-03, C-22 and M-01 to M-05 over HTTP: the statistics of habits.
///
/// They have the names of the tests on the command line.
@Suite(.serialized) struct StatisticsOverHTTPTests {
    private static func fixture(_ clock: TestClock) async throws -> ServerFixture {
        try await ServerFixture(.rules) { $0.clock = { clock.now } }
    }

    private static func record(
        _ habit: String, on day: String? = nil, as user: String, _ client: ServerClient
    ) async throws {
        let body = #"{"habit":"\#(habit)"\#(day.map { #","day":"\#($0)""# } ?? "")}"#
        let made = try await client.call(.post, "events/items", as: user, body: body)
        #expect(made.status == 201, "\(made)")
    }

    private static func statistics() async throws -> [[String: Any]] {
        let clock = TestClock(HabitStatisticsCase.today + "T12:00:00Z")
        nonisolated(unsafe) var found: [[String: Any]] = []
        try await ServerFixture(.statistics) { $0.clock = { clock.now } }.run { client in
            let list = try await client.call("habits/items?limit=1000", as: "ann")
            found = list.features.compactMap { $0["properties"] as? [String: Any] }
        }
        try #require(found.count == HabitStatisticsCase.all.count)
        return found
    }

    @Test func rateStatusAndStreaksMatchExpectedValues() async throws {
        for found in try await Self.statistics() {
            let number = try #require((found["id"] as? String).flatMap { Int($0.dropFirst()) })
            let expected = HabitStatisticsCase.all[number]
            #expect(
                found["completion_rate"] as? Double == expected.rate.flatMap { Double($0) }, "\(expected): \(found)")
            #expect(found["status"] as? String == expected.status, "\(expected): \(found)")
            #expect(found["color"] as? String == expected.color, "\(expected): \(found)")
            #expect(found["streak_current"] as? Int == expected.current, "\(expected): \(found)")
            #expect(found["streak_longest"] as? Int == expected.longest, "\(expected): \(found)")
        }
    }

    @Test func scoreMatchesFormulaOfRule() async throws {
        for found in try await Self.statistics() {
            let number = try #require((found["id"] as? String).flatMap { Int($0.dropFirst()) })
            let expected = HabitStatisticsCase.all[number]
            let score = try #require(found["score"] as? Double)
            #expect(abs(score - expected.score) <= 0.000_000_51, "\(expected): \(score), not \(expected.score)")
        }
    }

    /// The statistics of a habit use its owner's day, independently of the caller.
    @Test func statisticsUseDayOfHabitOwner() async throws {
        // It is November 21 in Kiritimati, where the 20th was missed, and still November 19 in Pago Pago.
        try await Self.fixture(TestClock("2026-11-20T10:30:00Z")).run { client in
            for (user, streak) in [("kiri", 0), ("pago", 1)] {
                try await Self.record("\(user)-run", on: "2026-11-19", as: user, client)
                for caller in [user, "operator"] {
                    let habit = try await client.call("habits/items/\(user)-run", as: caller)
                    #expect(habit.properties["streak_current"] as? Int == streak, "\(habit)")
                }
            }
        }
    }

    /// A new day begins at midnight, also on days with a clock change.
    @Test(arguments: [
        ("lisbon", "2026-10-24T22:59:59Z", "2026-10-24T23:00:00Z"),
        ("lisbon", "2026-10-25T23:59:59Z", "2026-10-26T00:00:00Z"),
        ("auckland", "2026-09-27T10:59:59Z", "2026-09-27T11:00:00Z"),
    ])
    func newDayBeginsAtLocalMidnight(user: String, before: String, after: String) async throws {
        let clock = TestClock(before)
        try await Self.fixture(clock).run { client in
            try await Self.record("\(user)-run", as: user, client)
            clock.set(after)
            try await Self.record("\(user)-run", as: user, client)
            let habit = try await client.call("habits/items/\(user)-run", as: user)
            #expect(habit.properties["streak_current"] as? Int == 2, "\(habit)")
        }
    }

    @Test func leapDayCountsInStreaksAndWeeks() async throws {
        try await Self.fixture(TestClock("2028-03-01T20:00:00Z")).run { client in
            for day in ["2028-02-28", "2028-02-29", "2028-03-01"] {
                try await Self.record("run", on: day, as: "owner", client)
            }
            let habit = try await client.call("habits/items/run", as: "owner")
            #expect(habit.properties["streak_current"] as? Int == 3, "\(habit)")
            let weeks = try await client.report("completion?from=2028-02-28&by=week&habit=run", as: "owner")
            #expect(weeks.map { $0["name"] as? String } == ["2028-02-28"])
            #expect(weeks.first?["due"] as? Int == 3, "\(weeks)")
            #expect(weeks.first?["done"] as? Int == 3, "\(weeks)")
        }
    }

    /// Rule M-05: weeks run from Monday to Sunday, also across a year's end.
    @Test func weeksRunFromMondayToSunday() async throws {
        let clock = TestClock("2026-12-24T12:00:00Z")
        try await Self.fixture(clock).run { client in
            let body = #"{"id":"owner:w","title":"Weeks","days":"mon,thu,sun"}"#
            #expect(try await client.call(.post, "habits/items", as: "owner", body: body).status == 201)
            // A Saturday: the next Sunday is in the future.
            clock.set("2027-01-09T12:00:00Z")
            for day in ["2026-12-27", "2026-12-28", "2027-01-03", "2027-01-07"] {
                try await Self.record("owner:w", on: day, as: "owner", client)
            }
            let weeks = try await client.report("completion?from=2026-12-24&by=week&habit=owner:w", as: "owner")
            #expect(
                weeks.map {
                    "\($0["name"] ?? "") \($0["due"] ?? "") \($0["done"] ?? "") \($0["completion_rate"] ?? "")"
                }
                    == ["2026-12-21 2 1 0.5", "2026-12-28 3 2 0.666667", "2027-01-04 2 1 0.5"])
        }
    }

    /// Rule C-03: `run` is daily and done on November 17, 18 and 19.
    ///
    /// The new schedule from Wednesday, November 18, is Saturdays.
    @Test func newScheduleAppliesFromToday() async throws {
        let clock = TestClock("2026-11-18T12:00:00Z")
        try await Self.fixture(clock).run { client in
            let edited = try await client.call(.patch, "habits/items/run", as: "owner", body: #"{"days":"sat"}"#)
            #expect(edited.properties["days"] as? String == "sat", "\(edited)")
            clock.set(StoreTemplate.now)
            let habit = try await client.call("habits/items/run", as: "owner").properties
            #expect(habit["streak_current"] as? Int == 1, "1 of 23")
            #expect(habit["completion_rate"] as? Double == 0.043478, "1 of 23")
            let events = try await client.call("events/items?habit=run", as: "owner")
            #expect(events.values("unplanned", as: Bool.self) == [true, true, false], "\(events)")
            let todo = try await client.report("todo?user=owner", as: "owner")
            #expect(todo.map { $0["habit"] as? String } == ["read"])
            let refused = try await client.call(.post, "events/items", as: "owner", body: #"{"habit":"run"}"#)
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.slug == "event-not-due", "\(refused)")
            // The habit was due on that day.
            try await Self.record("run", on: "2026-11-10", as: "owner", client)
        }
    }

    /// The schedule of a habit that has not started is replaced, because it has no past.
    @Test func scheduleIsReplacedWhenHabitHasNotStarted() async throws {
        let clock = TestClock()
        try await Self.fixture(clock).run { client in
            let edited = try await client.call(.patch, "habits/items/soon", as: "owner", body: #"{"days":"tue"}"#)
            #expect(edited.status == 200, "\(edited)")
            for (day, isDue) in [("2026-11-23", false), ("2026-11-24", true)] {
                clock.set("\(day)T12:00:00Z")
                let todo = try await client.report("todo?user=owner", as: "owner")
                #expect(todo.contains { $0["habit"] as? String == "soon" } == isDue, "\(day): \(todo)")
            }
        }
    }

    /// Rule M-01: an event on a day that is not due is shown but does not count.
    @Test func unplannedEventsDoNotCount() async throws {
        try await ServerFixture(.rules).run { client in
            let before = try await client.call("habits/items/read", as: "owner")
            let days = ["2026-11-17", "2026-11-19", "2026-11-01"]
            let changes = days.map { day in
                let feature = #"{"id":"owner:\#(day)","properties":{"habit":"read","day":"\#(day)"}}"#
                return #"{"action":"put","collection":"events","feature":\#(feature)}"#
            }
            let sent = try await client.send(.post, path: "/changes", as: "owner", changes.joined(separator: "\n"))
            #expect(sent.status == 200, "\(sent)")
            #expect(sent.text.components(separatedBy: #""created""#).count == 4, "\(sent)")
            let after = try await client.call("habits/items/read", as: "owner")
            #expect(after.sortedProperties == before.sortedProperties, "\(after)")
            let events = try await client.call("events/items?habit=read", as: "owner")
            #expect(events.values("unplanned", as: Bool.self) == [true, false, true, true], "\(events)")
        }
    }
}
