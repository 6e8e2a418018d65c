import Foundation
import HabitTestSupport
import Testing

/// Tests of rules C-03 and M-05: weeks, and the effect of a new schedule.
@Suite(.engineIndependent) struct WeeksRuleTests {
    private static func weeks(
        in store: RuleStore, of habit: String, options: String = "", now: String = RuleStore.now
    ) async throws -> [String] {
        let show: [String: Any] = try json(
            try await store.run("habit show \(habit) --weeks all --format json \(options)", as: "owner", now: now))
        let rows = try #require(show["weeks"] as? [[String: Any]])
        return rows.map { row in
            #expect(Set(row.keys) == ["week", "due", "done", "completion_rate"])
            let rate = row["completion_rate"] as? Double
            return "\(row["week"] ?? "") \(row["due"] ?? "") \(row["done"] ?? "") \(rate.map { "\($0)" } ?? "null")"
        }
    }

    /// Weeks run from Monday to Sunday, from the week of the start to that of the report day, also across a year's end.
    @Test func weeksRunFromMondayToSunday() async throws {
        let store = try await RuleStore()
        #expect(
            try await store.run(
                "habit add --id owner:w --title Weeks --days mon,thu,sun --start 2026-12-24", as: "owner"
            )
            .status
                == 0)
        let file = try store.folder.write(
            "habit,day,outcome\nowner:w,2026-12-27,done\nowner:w,2026-12-28,done\nowner:w,2026-12-31,skipped\n"
                + "owner:w,2027-01-03,done\nowner:w,2027-01-05,done\nowner:w,2027-01-07,done\n", to: "events.csv")
        #expect(try await store.run("ingest", file).status == 0)
        // A Saturday. Monday was missed, Tuesday was unplanned, and Sunday is in the future.
        let now = "2027-01-09T12:00:00Z"
        #expect(
            try await Self.weeks(in: store, of: "owner:w", now: now) == [
                "2026-12-21 2 1 0.5", "2026-12-28 2 2 1.0", "2027-01-04 2 1 0.5",
            ])
        #expect(
            try await Self.weeks(in: store, of: "owner:w", options: "--today 2027-01-04", now: now).last
                == "2027-01-04 0 0 null")
        #expect(
            try await Self.weeks(in: store, of: "owner:w", options: "--today 2027-01-04 --include-today", now: now).last
                == "2027-01-04 1 0 0.0")
        #expect(
            try await Self.weeks(in: store, of: "owner:w", options: "--today 2027-01-10", now: now).last
                == "2027-01-04 2 1 0.5")
    }

    /// Rule C-03: `run` is daily and done on November 17, 18 and 19.
    ///
    /// The new schedule from Wednesday, November 18, is Saturdays.
    @Test func newScheduleAppliesFromToday() async throws {
        let store = try await RuleStore()
        let before = try await Self.weeks(in: store, of: "run")
        let wednesday = "2026-11-18T12:00:00Z"
        #expect(
            try await store.table("habit edit run --days sat", as: "owner", now: wednesday).singleCell("days") == "sat")
        let after = try await Self.weeks(in: store, of: "run")
        #expect(after.dropLast() == before.dropLast(), "previous due days are unchanged")
        #expect(before.last == "2026-11-16 4 3 0.75")
        #expect(after.last == "2026-11-16 2 1 0.5")
        let habit = try await store.table("habit list --habit run", as: "owner")
        #expect(habit["streak_current"] == ["1"], "1 of 23")
        #expect(habit["completion_rate"] == ["0.043478"], "1 of 23")
        #expect(try await store.table("history --habit run", as: "owner")["unplanned"] == ["true", "true", "false"])
        #expect(try await store.table("todo", as: "owner")["habit"] == ["read"])
        #expect(try await store.table("todo --today 2026-11-21", as: "owner")["habit"] == ["run"])
        try await store.expectRefusal(Refusal("owner", "event add --habit run", status: 65, slug: "event-not-due"))
        #expect(
            try await store.run("event add --habit run --day 2026-11-10", as: "owner").status == 0,
            "the habit was due on that day")
        let old = try await store.table("habit list --habit run --today 2026-11-17", as: "owner")
        #expect(try old.singleCell("days") == "mon tue wed thu fri sat sun", "the schedule of that day")
    }

    @Test func lastScheduleOfDayApplies() async throws {
        let store = try await RuleStore()
        let wednesday = "2026-11-18T12:00:00Z"
        for days in ["sat", "wed,thu"] {
            #expect(try await store.run("habit edit run --days \(days)", as: "owner", now: wednesday).status == 0)
        }
        #expect(try await store.table("habit show run", as: "owner").singleCell("days") == "wed thu")
        #expect(try await Self.weeks(in: store, of: "run").last == "2026-11-16 4 3 0.75")
        #expect(try await store.table("history --habit run", as: "owner")["unplanned"] == ["false", "false", "false"])
        #expect(try await store.run("habit edit run --days fri", as: "owner").status == 0)
        #expect(
            try await Self.weeks(in: store, of: "run").last == "2026-11-16 4 3 0.75",
            "the next schedule begins on Friday")
        #expect(try await store.table("todo", as: "owner")["habit"] == ["run", "read"])
    }

    @Test func rewritePastChangesPreviousWeeks() async throws {
        let store = try await RuleStore()
        #expect(try await store.run("habit edit run --days sat", as: "owner", now: "2026-11-18T12:00:00Z").status == 0)
        #expect(
            try await store.table("habit edit run --days tue --rewrite-past", as: "owner").singleCell("days") == "tue")
        let weeks = try await Self.weeks(in: store, of: "run")
        #expect(weeks.first == "2026-08-31 1 0 0.0")
        #expect(weeks.last == "2026-11-16 1 1 1.0")
        #expect(try await store.table("history --habit run", as: "owner")["unplanned"] == ["true", "true", "false"])
        try await store.expectRefusal(
            Refusal("owner", "event add --habit run --day 2026-11-14", status: 65, slug: "event-not-due"))
        try await store.expectRefusal(Refusal("owner", "habit edit run --rewrite-past", status: 64, slug: "usage"))
    }

    /// The schedule of a habit that has not started is replaced, because it has no past.
    @Test func scheduleIsReplacedWhenHabitHasNotStarted() async throws {
        let store = try await RuleStore()
        #expect(try await store.run("habit edit soon --days tue", as: "owner").status == 0)
        #expect(
            try await store.table("habit list --habit soon --today 2026-11-24", as: "owner").singleCell("days") == "tue"
        )
        #expect(try await store.table("todo --today 2026-11-23", as: "owner")["habit"] == ["run", "read"])
        #expect(
            try await store.table("todo --today 2026-11-24", as: "owner")["habit"] == [
                "run", "soon", "twin-1", "twin-2",
            ])
    }

    /// Rule M-01: a loaded event on a day that is not due is shown but does not count, and no rate exceeds 1.
    @Test func unplannedEventsDoNotCount() async throws {
        let store = try await RuleStore()
        let before = try await store.table("habit list --habit read", as: "owner")
        let file = try store.folder.write(
            "habit,day\nread,2026-11-17\nread,2026-11-19\nread,2026-11-01\n", to: "events.csv")
        #expect(try await store.run("ingest", file).status == 0)
        #expect(try await store.table("habit list --habit read", as: "owner") == before)
        #expect(
            try await store.table("history --habit read", as: "owner")["unplanned"] == [
                "true", "false", "true", "true",
            ])
        #expect(try await Self.weeks(in: store, of: "read").last == "2026-11-16 2 1 0.5")
    }
}
