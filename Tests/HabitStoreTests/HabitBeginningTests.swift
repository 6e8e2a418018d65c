import Base
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests of rule M-08: a habit without a start begins with its first event.
///
/// Each habit without a start has the same statistics as a habit that starts on the day of its first event.
@Suite struct HabitBeginningTests {
    private static let today = "2026-11-20"

    private static func clock(_ day: String = today) throws -> Clock {
        let now = try #require(OffsetInstant("2026-11-20T12:00:00Z"))
        return Clock(now: now.instant, today: Day(day))
    }

    private static func rows(_ sql: String, on store: TestStore, day: String = today) throws -> [String] {
        var rows: [String] = []
        let clock = try clock(day)
        try store.analyze(clock: clock) { session, viewer in
            _ = try AnalysisQuery(sql, viewer: viewer, clock: clock).run(in: session) { shape in
                { row in rows.append(shape.columns.indices.map { row.text($0) ?? "∅" }.joined(separator: " ")) }
            }
        }
        return rows
    }

    /// Creates pairs of habits, `open-N` without a start and `fix-N` that starts with its first event, with equal events.
    private static func makeStore(seed: UInt64) throws -> (store: TestStore, count: Int) {
        var random = SeededGenerator(seed: seed)
        let store = try TestStore()
        let last = try #require(Day(today))
        var records: [Record] = [.user("u-open"), .user("u-fix")]
        let count = 14
        for number in 0..<count {
            let period = Int.random(in: 1...12, using: &random)
            let schedule =
                number % 2 == 0
                ? Schedule.weekdays(try #require(Weekdays(mask: Int.random(in: 1...127, using: &random))))
                : .target(try Target(times: Int.random(in: 1...period, using: &random), periodDays: period))
            // Some habits have no events, and some begin on the current date.
            let length = [0, 1, 3, 20, 40, 200][number % 6]
            var days = (0..<length).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            if length > 0 { days = Array(Set(days + [length - 1])).sorted() }
            for kind in ["open", "fix"] {
                var habit = HabitRecord(
                    id: "\(kind)-\(number)", user: "u-\(kind)", title: "T\(number)", schedule: schedule)
                if number % 5 == 4 { habit.targetAmount = .value(2) }
                if kind == "fix" { habit.start = .value(last.advanced(by: -(days.last ?? 0))) }
                records.append(.habit(habit))
                for back in days {
                    var event = EventRecord(habit: habit.id)
                    event.day = last.advanced(by: -back)
                    event.details.amount = .value(Double(1 + back % 3))
                    event.outcome = .value(back % 7 == 3 ? .skipped : .done)
                    records.append(.event(event))
                }
            }
        }
        try store.write(records)
        return (store, count)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func everyStatisticBeginsWithFirstEvent(seed: UInt64) throws {
        let sample = try Self.makeStore(seed: seed)
        let store = sample.store
        let count = sample.count
        for day in [Self.today, "2026-11-17", "2026-10-01"] {
            let queries = [
                "SELECT replace(habit, 'KIND-', ''), due, done, completion_rate, status, streak_current, streak_longest, score FROM habit_standings('\(day)') AS s WHERE habit LIKE 'KIND%' ORDER BY 1",
                "SELECT due, done, completion_rate, day_due, day_done, streak_current, streak_title FROM user_standings('\(day)') AS s WHERE \"user\" = 'u-KIND'",
                "SELECT replace(habit, 'KIND-', ''), day, scheduled, due, done, outcome, streak, score FROM habit_days('2026-01-01', '\(day)') AS d WHERE habit LIKE 'KIND%' ORDER BY 1, 2",
                "SELECT name, due, done FROM habit_completions('week', '2026-01-01', '\(day)', 'u-KIND', NULL) AS c ORDER BY 1",
                "SELECT replace(name, 'KIND-', ''), due, done FROM habit_completions('habit', '2026-01-01', '\(day)', 'u-KIND', NULL) AS c ORDER BY 1",
                "SELECT replace(id, 'KIND-', ''), status, completion_rate, streak_current, streak_longest, score FROM habits WHERE \"user\" = 'u-KIND' ORDER BY 1",
            ]
            for query in queries {
                let fixed = try Self.rows(query.replacing("KIND", with: "fix"), on: store)
                let open = try Self.rows(query.replacing("KIND", with: "open"), on: store)
                #expect(open == fixed, "seed \(seed): \(query)")
                #expect(!fixed.isEmpty)
            }
        }
        let clock = try Self.clock()
        let todo = try ["open", "fix"].map { kind in
            try store.rows(as: "u-\(kind)") { session, viewer in
                try TodoQuery(viewer: viewer, clock: clock).selection(in: session)
            }.map { row in row.map { $0.replacing("\(kind)-", with: "") } }
        }
        try #require(todo[0] == todo[1])
        #expect(!todo[0].isEmpty)
        try store.engine.read { session in
            for number in 0..<count {
                let weeks = try ["open", "fix"].map { kind in
                    let key = try session.first(
                        SQL("SELECT id FROM habit WHERE external_id = :id", ["id": .text("\(kind)-\(number)")])
                    ) { $0.integer(0) }
                    return try HabitWeeks(clock: clock).rows(ofHabit: key ?? 0, in: session).map { row in
                        (0..<4).map { row.text($0) ?? "∅" }
                    }
                }
                #expect(weeks[0] == weeks[1], "habit \(number), seed \(seed)")
            }
            let days = try ["open", "fix"].map { kind in
                var days: [String] = []
                let viewer = try Viewer.user(named: "u-\(kind)", in: session)
                try CalendarQuery(viewer, clock: clock, in: session).forEachDueDays {
                    days.append("\($0.title) \($0.days)")
                }
                return days.sorted()
            }
            try #require(days[0] == days[1])
            #expect(!days[0].isEmpty)
        }
    }

    /// One event each, on Sunday 2026-03-08.
    @Test func daysBeforeFirstEventAreNeitherDueNorSatisfied() throws {
        let store = try TestStore()
        let target = HabitRecord(
            id: "a", user: "u", title: "a", schedule: .target(try Target(times: 1, periodDays: 12)))
        try store.write([
            .user("u"),
            .habit(target),
            .habit("c", of: "u", days: 0b100_0001),
            .habit("none", of: "u"),
            .event("a", "2026-03-08"),
            .event("c", "2026-03-08"),
        ])
        let sql = "SELECT habit, due, done, streak_current, status FROM habit_standings('DAY') AS s ORDER BY habit"
        #expect(
            try Self.rows(sql.replacing("DAY", with: "2026-03-10"), on: store, day: "2026-03-10")
                == ["a 3 3 3 On track", "c 2 1 0 Near goal", "none 0 0 0 New"])
        #expect(
            try Self.rows(sql.replacing("DAY", with: "2026-03-01"), on: store, day: "2026-03-10")
                == ["a 0 0 0 New", "c 0 0 0 New", "none 0 0 0 New"])
    }

    /// The statistics of a day before the first event depend on whether the habit has one.
    @Test func digestOfDayNoticesLaterFirstEventOfHabitWithoutStart() throws {
        func digests(_ records: [Record]) throws -> [String?] {
            let store = try TestStore()
            try store.write([.user("u"), .habit("h", of: "u"), .habit("k", of: "u")] + records)
            let days = try #require(Day("2026-11-10"))...#require(Day("2026-11-12"))
            return try store.engine.read { session in
                let digests = try DayDigests(days, of: [.events], in: session)
                return days.map { digests.digests(of: $0)[.events] }
            }
        }
        let none = try digests([])
        let later = try digests([.event("h", "2026-11-12", id: "e")])
        let muchLater = try digests([.event("h", "2026-11-30", id: "e")])
        #expect(Set(none).count == 1)
        try #require(later[0] == later[1])
        try #require(later[1] != none[1])
        #expect(later[2] != later[1])
        #expect(muchLater == [later[0], later[0], later[0]])
    }
}
