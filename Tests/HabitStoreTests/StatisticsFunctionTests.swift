import Base
import Foundation
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of the table functions of statistics and days against brute force.
@Suite struct StatisticsFunctionTests {
    /// Creates a store of habits with random events, changed schedules, starts, ends, skipped days and unplanned
    /// events.
    private static func randomStore(
        seed: UInt64
    ) throws -> (store: TestStore, habits: [String: (history: ScheduleHistory, outcomes: [Day: Outcome])]) {
        var random = SeededGenerator(seed: seed)
        let store = try TestStore()
        var records: [Record] = [.user("u")]
        var habits: [String: (history: ScheduleHistory, outcomes: [Day: Outcome])] = [:]
        let last = try #require(Day("2026-11-20"))
        for number in 0..<12 {
            let id = "h\(number)"
            let schedule = try Self.randomSchedule(&random)
            let start = Bool.random(using: &random) ? last.advanced(by: -Int.random(in: 0...900, using: &random)) : nil
            let end =
                Int.random(in: 0...3, using: &random) == 0
                ? last.advanced(by: -Int.random(in: 0...200, using: &random)) : nil
            if let start, let end, start > end { continue }
            var habit = HabitRecord(id: id, user: "u", title: id, schedule: schedule)
            habit.start = start.map { .value($0) } ?? .absent
            habit.end = end.map { .value($0) } ?? .absent
            records.append(.habit(habit))
            var changes: [(from: Day, schedule: Schedule)] = []
            if Bool.random(using: &random) {
                let from = last.advanced(by: -Int.random(in: 0...60, using: &random))
                let changed = try Self.randomSchedule(&random)
                changes.append((from, changed))
                records.append(.schedule(ScheduleRecord(habit: id, from: from, schedule: changed)))
            }
            var outcomes: [Day: Outcome] = [:]
            let density = Int.random(in: 1...9, using: &random)
            for back in 0..<Int.random(in: 1...1000, using: &random)
            where Int.random(in: 0..<10, using: &random) < density {
                let day = last.advanced(by: -back)
                let outcome: Outcome = Int.random(in: 0..<8, using: &random) == 0 ? .skipped : .done
                outcomes[day] = outcome
                var event = EventRecord(habit: id)
                event.day = day
                event.outcome = .value(outcome)
                records.append(.event(event))
            }
            habits[id] = (ScheduleHistory(start: start, end: end, schedule: schedule, changes: changes), outcomes)
        }
        try store.write(records)
        return (store, habits)
    }

    private static func randomSchedule(_ random: inout SeededGenerator) throws -> Schedule {
        guard Bool.random(using: &random) else {
            return .weekdays(try #require(Weekdays(mask: Int.random(in: 1...127, using: &random))))
        }
        let period = Int.random(in: 1...12, using: &random)
        return .target(try Target(times: Int.random(in: 1...period, using: &random), periodDays: period))
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func habitStatisticsMatchFullHistory(seed: UInt64) throws {
        let sample = try Self.randomStore(seed: seed)
        let store = sample.store
        let habits = sample.habits
        for text in ["2026-11-20", "2026-11-16", "2026-09-06"] {
            let day = try #require(Day(text))
            let isOver = text != "2026-11-20"
            let rows = try ReportQuery.run(
                """
                SELECT habit, due, done, completion_rate, streak_current, streak_longest, score
                FROM habit_standings(:day) ORDER BY habit
                """, on: store, ["day": .text(text)])
            #expect(rows.map { $0[0] } == habits.keys.sorted(), "\(day), seed \(seed)")
            for row in rows {
                let habit = try #require(habits[row[0]])
                let history = habit.history
                let outcomes = habit.outcomes
                let naive = NaiveStatistics(history, outcomes, on: day)
                let completion = naive.completion(in: HabitStatistics.currentWeeks(of: day), isOver: isOver)
                let due = completion.due
                let done = completion.done
                let streaks = naive.streaks(upTo: day, isOver: isOver)
                let expected = [
                    "\(due)", "\(done)", due == 0 ? "∅" : "\(Double(done) / Double(due))", "\(streaks.current)",
                    "\(streaks.longest)",
                ]
                #expect(Array(row[1...5]) == expected, "habit \(row[0]), \(day), seed \(seed)")
                let score = try #require(Double(row[6]))
                #expect(abs(score - naive.score(on: day)) < 1e-12, "habit \(row[0]), \(day), seed \(seed)")
            }
        }
    }

    /// `habit_completions` returns the sums of `habit_days`.
    @Test(arguments: [(21, false), (22, true)] as [(UInt64, Bool)])
    func completionsMatchHabitDays(seed: UInt64, isOver: Bool) throws {
        let store = try Self.randomStore(seed: seed).store
        try store.write([
            .user("v"),
            .habit("v-new", of: "v", title: "h0"),
            .user("w"),
            .follow("w", "u"),
            .follow("w", "v"),
        ])
        let ranges: [(from: Value, to: Value)] = [
            (.text("2025-12-29"), .text("2026-11-20")), (.text("2024-02-10"), .null), (.null, .null),
            (.text("0001-01-01"), .text("2026-03-01")), (.text("2026-11-25"), .text("2026-11-20")),
        ]
        let filters: [(user: Value, habit: Value)] = [
            (.null, .null),
            (.text("u"), .null),
            (.null, .text("h3")),
            (.text("v"), .text("h3")),
            (.text("x"), .null),
        ]
        let names = [
            "day": "days.day", "week": "week_start(days.day)", "month": "month(days.day)", "habit": "habits.id",
            "user": "habits.user",
        ]
        var count = 0
        for (grouping, name) in names {
            let expectedSQL = """
                SELECT \(name) AS name, \(grouping == "habit" ? "habits.title" : "NULL") AS title, sum(days.due) AS due,
                  sum(days.done) AS done
                FROM habits
                JOIN habit_days(:from, :to) AS days ON days.habit = habits.id
                WHERE days.due = 1 AND (:user IS NULL OR habits.user = :user) AND (:habit IS NULL OR habits.id = :habit)
                GROUP BY 1, 2
                ORDER BY 1
                """
            let sql = "SELECT * FROM habit_completions('\(grouping)', :from, :to, :user, :habit) AS f ORDER BY name"
            for (from, to) in ranges {
                for (user, habit) in filters {
                    for viewer in [nil, "u", "w"] as [String?] {
                        let values = ["from": from, "to": to, "user": user, "habit": habit]
                        let expected = try ReportQuery.run(expectedSQL, on: store, as: viewer, isOver: isOver, values)
                        let rows = try ReportQuery.run(sql, on: store, as: viewer, isOver: isOver, values)
                        #expect(rows == expected, "by \(grouping), \(values), as \(viewer ?? "operator"), seed \(seed)")
                        count += rows.count
                    }
                }
            }
        }
        #expect(count > 1000)
    }

    /// The habits have 150 million days.
    ///
    /// The engine does not check the time limit while the function adds them.
    @Test func completionsEndAfterTimeLimit() throws {
        let store = try TestStore()
        let daily = Schedule.weekdays(try #require(Weekdays(mask: 127)))
        let habits: [Record] = (0..<200).map {
            var habit = HabitRecord(id: "h\($0)", user: "u", title: "h\($0)", schedule: daily)
            habit.start = .value(.first)
            return .habit(habit)
        }
        try store.write([.user("u")] + habits)
        let clock = Clock(now: try #require(ReportQuery.now).instant)
        try store.analyze(clock: clock) { session, viewer in
            var query = AnalysisQuery(
                "SELECT * FROM habit_completions('day', '0001-01-01', NULL, NULL, NULL) AS f", viewer: viewer,
                clock: clock)
            query.limits = QueryLimits(timeout: .milliseconds(300))
            #expect {
                try query.run(in: session) { _ in { _ in } }
            } throws: {
                ($0 as? HabitError)?.code == .timeout
            }
        }
    }

    @Test func unknownGroupingOfCompletionsHasNoRows() throws {
        let store = try Self.randomStore(seed: 21).store
        for grouping in ["'year'", "NULL", "1"] {
            let sql = "SELECT * FROM habit_completions(\(grouping), '2026-01-01', NULL, NULL, NULL) AS f"
            #expect(try ReportQuery.run(sql, on: store) == [])
        }
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func habitDaysMatchStatisticsOfEachDay(seed: UInt64) throws {
        let sample = try Self.randomStore(seed: seed)
        let store = sample.store
        let habits = sample.habits
        let today = try #require(Day("2026-11-20"))
        let from = today.advanced(by: -40)
        let rows = try ReportQuery.run(
            """
            SELECT habit, day, due, done, outcome, streak, score FROM habit_days(:from, '2027-01-01') ORDER BY habit, day
            """, on: store, ["from": .text(from.description)])
        var expected: [[String]] = []
        for (id, (history, outcomes)) in habits.sorted(by: { first, second in first.key < second.key }) {
            let start = [history.start, outcomes.keys.min()].compactMap(\.self).min() ?? today
            for day in from...today where day >= start {
                let hasStarted = history.start.map { day >= $0 } ?? true
                let isBeforeEnd = history.end.map { day <= $0 } ?? true
                let exists = hasStarted && isBeforeEnd
                guard exists || outcomes[day] != nil else { continue }
                let naive = NaiveStatistics(history, outcomes, on: today)
                let isDue = naive.isDue(day)
                let isDone = isDue && naive.isAccomplished(day)
                let streak = naive.streaks(upTo: day, isOver: day < today).current
                expected.append([
                    id, day.description, isDue && (isDone || day < today) ? "1" : "0", isDone ? "1" : "0",
                    naive.outcome(on: day), "\(streak)",
                ])
            }
        }
        #expect(rows.map { Array($0[0...5]) } == expected)
        for row in rows {
            let habit = try #require(habits[row[0]])
            let history = habit.history
            let outcomes = habit.outcomes
            let score = NaiveStatistics(history, outcomes, on: today).score(on: try #require(Day(row[1])))
            #expect(abs((Double(row[6]) ?? -1) - score) < 1e-12, "\(row)")
        }
    }

    /// The statistics of users follow from those of their habits.
    @Test(arguments: [21, 22, 23] as [UInt64]) func userStatisticsMatchStatisticsOfTheirHabits(seed: UInt64) throws {
        let store = try Self.randomStore(seed: seed).store
        try store.write([
            .user("none"), .user("second"), .habit("b", of: "second"), .habit("a", of: "second"),
            .habit("never", of: "second"), .event("a", "2026-11-19"), .event("b", "2026-11-19"),
            .event("a", "2026-11-17"),
        ])
        for day in ["2026-11-20", "2026-11-17", "2026-10-04", "2026-11-22"] {
            let rows = try ReportQuery.run(
                "SELECT * FROM user_standings(:day) ORDER BY user", on: store, ["day": .text(day)])
            let expected = try ReportQuery.run(
                """
                SELECT habits.user, sum(standing.due), sum(standing.done),
                  CAST(sum(standing.done) AS DOUBLE PRECISION) / nullif(sum(standing.due), 0),
                  coalesce(sum(days.due), 0), coalesce(sum(days.done), 0), max(standing.streak_current),
                  CASE WHEN max(standing.streak_current) > 0 THEN min(CASE WHEN standing.streak_current = (
                    SELECT max(other.streak_current) FROM habits AS mine
                    JOIN habit_standings(:day) AS other ON other.habit = mine.id
                    WHERE mine.user = habits.user
                  ) THEN habits.title END) END
                FROM habits
                JOIN habit_standings(:day) AS standing ON standing.habit = habits.id
                LEFT JOIN habit_days(:day, :day) AS days ON days.habit = habits.id
                GROUP BY habits.user
                ORDER BY habits.user
                """, on: store, ["day": .text(day)])
            #expect(rows == expected, "\(day), seed \(seed)")
            #expect(rows.map { $0[0] } == ["second", "u"], "a user without habits has no row")
            if day == "2026-11-20" {
                #expect(rows[0] == ["second", "4", "3", "0.75", "0", "0", "1", "a"])
            }
        }
    }

    /// The rows are the same for every join order.
    @Test func habitFilterDoesNotChangeRows() throws {
        let sample = try Self.randomStore(seed: 7)
        let store = sample.store
        let habits = sample.habits
        let all = try ReportQuery.run(
            "SELECT habit, status, score FROM habit_standings('2026-10-01') ORDER BY habit", on: store)
        let joined = try ReportQuery.run(
            """
            SELECT h.id, s.status, s.score FROM habits h JOIN habit_standings('2026-10-01') s ON s.habit = h.id
            WHERE h.user = 'u' ORDER BY h.id
            """, on: store)
        #expect(all == joined)
        #expect(all.count == habits.count)
        let one = try ReportQuery.run(
            "SELECT habit, status, score FROM habit_standings('2026-10-01') WHERE habit = 'h3'", on: store)
        #expect(one == all.filter { $0[0] == "h3" })
        #expect(one.count == 1)
        #expect(
            try ReportQuery.run(
                "SELECT day FROM habit_days('2026-11-01', '2026-11-02') WHERE habit = 'none'", on: store) == []
        )
    }

    @Test func pastDayCountsAsEnded() throws {
        let store = try TestStore()
        try store.write([
            .user("u"),
            .habit("h", of: "u"),
            .event("h", "2026-11-18"),
            .event("h", "2026-11-19"),
        ])
        let day = try #require(Day("2026-11-20"))
        let sql = "SELECT streak_current, due FROM habit_standings(NULL)"
        #expect(try ReportQuery.run(sql, on: store, today: day) == [["2", "2"]])
        #expect(try ReportQuery.run(sql, on: store, today: day, isOver: true) == [["0", "3"]])
        let days = "SELECT outcome FROM habit_days('2026-11-20', '2026-11-20')"
        #expect(try ReportQuery.run(days, on: store, today: day) == [["open"]])
        #expect(try ReportQuery.run(days, on: store, today: day, isOver: true) == [["missed"]])
    }
}
