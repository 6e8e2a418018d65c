import HabitTestSupport
import Testing

/// Tests that the current day depends on `--now`, `--today`, `--time-zone` and the time zone of the owner, and never on
/// the machine.
@Suite(.engineIndependent) struct ClockRuleTests {
    /// The day and instant of an event that is recorded without them.
    @Test(arguments: RuleCases.localDays)
    func newEventHasLocalDayAndInstantOfUser(user: String, now: String, local: String) async throws {
        let store = try await RuleStore()
        let day = String(local.prefix(10))
        #expect(try await store.table("todo", as: user, now: now).singleCell("day") == day)
        let made = try await store.table("event add --habit \(user)-run", as: user, now: now)
        #expect(made.rows[0][4...5] == [day, local])
        let again = try await store.run("event add --habit \(user)-run", as: user, now: now)
        #expect(again.status == 76, "one event for each local day of any length")
    }

    /// Rule C-25: a traveller who is east of the account's time zone records the local day.
    @Test func dayOfInstantAtItsOffsetIsNotInFuture() async throws {
        let store = try await RuleStore()
        // The clock shows noon in UTC on November 20, and 01:00 on November 21 at +13:00.
        let made = try await store.table("event add --habit run --at 2026-11-21T00:30:00+13:00", as: "owner")
        #expect(made.rows[0][4...5] == ["2026-11-21", "2026-11-21T00:30:00+13:00"])
        for day in [
            "--day 2026-11-22 --at 2026-11-21T00:30:00+13:00", "--at 2026-11-21T09:00:00Z",
            "--at 2026-11-23T00:30:00+13:00",
        ] {
            let refused = try await store.run("event add --habit run \(day)", as: "owner")
            #expect(refused.status == 65, "\(day): \(refused)")
            #expect(refused.errors.contains("day-in-future"), "\(day): \(refused)")
            #expect(refused.errors.contains("time zone UTC"), "the message names the time zone: \(refused.errors)")
        }
        let kept = try await store.table(
            "event add --habit run --day 2026-11-20 --at 2026-11-21T00:30:00+13:00", as: "owner")
        #expect(kept.rows[0][4] == "2026-11-20", "an explicit day is kept")
        let apart = try await store.run(
            "event add --habit run --day 2026-11-16 --at 2026-11-21T00:30:00+13:00", as: "owner")
        #expect(apart.status == 65, "\(apart)")
        #expect(apart.errors.contains("day-mismatch"), "\(apart)")
        #expect(apart.errors.contains("time zone +13:00"), "\(apart.errors)")
    }

    /// A new day begins at midnight, also on days with a clock change.
    @Test(arguments: [
        ("lisbon", "2026-10-24T22:59:59Z", "2026-10-24T23:00:00Z"),
        ("lisbon", "2026-10-25T23:59:59Z", "2026-10-26T00:00:00Z"),
        ("auckland", "2026-09-27T10:59:59Z", "2026-09-27T11:00:00Z"),
    ])
    func newDayBeginsAtLocalMidnight(user: String, before: String, after: String) async throws {
        let store = try await RuleStore()
        for now in [before, after] {
            #expect(try await store.run("event add --habit \(user)-run", as: user, now: now).status == 0)
        }
        #expect(try await store.table("habit list", as: user, now: after).singleCell("streak_current") == "2")
    }

    /// The statistics of a habit use its owner's day, independently of the actor.
    @Test func statisticsUseDayOfHabitOwner() async throws {
        let store = try await RuleStore()
        for user in ["kiri", "pago"] {
            #expect(try await store.run("event add --habit \(user)-run --day 2026-11-19", as: user).status == 0)
        }
        // At 10:30 UTC it is November 21 in Kiritimati, where the 20th was missed, and still November 19 in Pago Pago.
        let habits = try await store.table(
            "habit list --habit kiri-run --habit pago-run --columns id,streak_current", now: "2026-11-20T10:30:00Z")
        #expect(habits.rows == [["kiri-run", "0"], ["pago-run", "1"]])
        let everywhere = try await store.table(
            "habit list --habit kiri-run --habit pago-run --columns id,streak_current --time-zone UTC",
            now: "2026-11-20T10:30:00Z")
        #expect(everywhere.rows == [["kiri-run", "1"], ["pago-run", "1"]])
        let later = try await store.table(
            "habit list --habit kiri-run --habit pago-run --columns id,streak_current --today 2026-11-21",
            now: "2026-11-20T10:30:00Z")
        #expect(later.rows == [["kiri-run", "0"], ["pago-run", "0"]])
    }

    @Test func timeZoneAndTodayOptionsOverrideZoneOfUser() async throws {
        let store = try await RuleStore()
        #expect(try await store.table("habit add --title x --days mon", as: "kiri").singleCell("start") == "2026-11-21")
        #expect(
            try await store.table("todo --time-zone Pacific/Pago_Pago", as: "kiri").singleCell("day") == "2026-11-20")
        #expect(try await store.table("todo", as: "kiri").singleCell("day") == "2026-11-21")
        #expect(
            try await store.table("todo --today 2026-09-03 --time-zone Pacific/Pago_Pago", as: "kiri").singleCell("day")
                == "2026-09-03")
        let made = try await store.table("event add --habit kiri-run --time-zone Pacific/Pago_Pago", as: "kiri")
        #expect(made.rows[0][4...5] == ["2026-11-20", "2026-11-20T01:00:00-11:00"])
        #expect(try await store.run("user edit --time-zone UTC", as: "kiri").status == 0)
        #expect(
            try await store.table("todo", as: "kiri").singleCell("day") == "2026-11-20",
            "the time zone of the account has changed")
    }

    /// `--today` sets the day, independently of `--now`.
    @Test func todayOptionIsDayOfNewRecords() async throws {
        let store = try await RuleStore()
        #expect(
            try await store.table("event add --habit run --today 2026-11-10", as: "owner").singleCell("day")
                == "2026-11-10")
        #expect(
            try await store.table("event skip --habit run --today 2026-11-11", as: "owner").singleCell("day")
                == "2026-11-11")
        #expect(
            try await store.table("habit add --title x --days mon --today 2026-11-10", as: "owner").singleCell("start")
                == "2026-11-10")
        try await store.expectRefusal(
            Refusal(
                "owner", "event add --habit run --day 2026-11-16 --today 2026-11-15", status: 65, slug: "day-in-future")
        )
    }

    @Test(arguments: [
        Refusal("owner", "todo --today 2027-02-29", status: 64, slug: "date-invalid"),
        Refusal("owner", "todo --today tomorrow", status: 64, slug: "date-invalid"),
        Refusal("owner", "event add --habit run --day 2027-02-29", status: 64, slug: "date-invalid"),
        Refusal("owner", "todo --time-zone Mars/Olympus", status: 65, slug: "time-zone-invalid"),
    ])
    func invalidClockOptionIsRefused(refusal: Refusal) async throws { try await RuleStore().expectRefusal(refusal) }

    /// The leap day belongs to its week and continues streaks.
    @Test func leapDayCountsInStreaksAndWeeks() async throws {
        let store = try await RuleStore()
        for day in ["2028-02-28", "2028-02-29", "2028-03-01"] {
            #expect(
                try await store.run("event add --habit run --day \(day)", as: "owner", now: "2028-03-01T20:00:00Z")
                    .status
                    == 0)
        }
        let habit = try await store.table(
            "habit list --habit run --columns streak_current", as: "owner", now: "2028-03-01T20:00:00Z")
        #expect(try habit.singleCell("streak_current") == "3")
        let show: [String: Any] = try json(
            try await store.run("habit show run --weeks 1 --format json", as: "owner", now: "2028-03-01T20:00:00Z"))
        let week = try #require((show["weeks"] as? [[String: Any]])?.first)
        #expect(week["week"] as? String == "2028-02-28")
        #expect(week["due"] as? Int == 3)
        #expect(week["done"] as? Int == 3)
    }

    /// The output is reproducible, including that of commands that create records.
    @Test func outputIsReproducibleWithSameClock() async throws {
        let stores = [try await RuleStore(), try await RuleStore()]
        for command in [
            "habit add --title New --days mon", "event add --habit run", "event skip --habit read",
            "follow request stranger", "habit list --format json", "history --format geojson --include-unlocated",
        ] {
            let outputs = try await stores.asyncMap { try await $0.run(command, as: "owner").output }
            try #require(outputs[0] == outputs[1], "\(command)")
            #expect(!outputs[0].isEmpty, "\(command)")
        }
    }
}
