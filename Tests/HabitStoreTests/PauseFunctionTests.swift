import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests that all statistics of the store skip paused days (C-32).
@Suite struct PauseFunctionTests {
    private static func day(_ text: String) throws -> Day { try #require(Day(text)) }

    /// Noon in UTC, long after the habits.
    private static let clock = Clock(now: Instant(microseconds: 1_795_176_000_000_000))

    /// Calls `body` with each row of a statement of the operator.
    private static func forEachRow(
        _ sql: String,
        in store: TestStore,
        clock: Clock = clock,
        _ body: @escaping (any Row) -> Void
    ) throws {
        try store.analyze(clock: clock) { session, viewer in
            let query = AnalysisQuery(sql, viewer: viewer, clock: clock)
            _ = try query.run(in: session) { _ in body }
        }
    }

    private static func rows(_ sql: String, in store: TestStore, columns: Int) throws -> [String] {
        var rows: [String] = []
        try forEachRow(sql, in: store) { row in
            let cells = (0..<columns).map { index in row.text(index) ?? "∅" }
            rows.append(cells.joined(separator: " "))
        }
        return rows
    }

    /// Returns a store with a daily habit of November 2026 that is done each day and paused from the 5th to the 8th.
    private static func november(_ schedule: Schedule = .everyDay) throws -> TestStore {
        let store = try TestStore()
        var habit = HabitRecord(id: "run", user: "ann", title: "Run", schedule: schedule)
        habit.start = .value(try day("2026-11-02"))
        let pause = RandomPauses.pause("rest", of: "run", (try day("2026-11-05"), try day("2026-11-08")))
        let events = (2...14).map { number in Record.event("run", "2026-11-\(number < 10 ? "0" : "")\(number)") }
        try store.write([.user("ann"), .habit(habit), pause] + events)
        return store
    }

    @Test(.userSQL) func daysOfPauseAreNotDue() throws {
        let store = try Self.november()
        let sql = "SELECT day, scheduled, due, done, outcome, streak FROM habit_days('2026-11-04', '2026-11-09') AS d"
        let rows = try Self.rows(sql + " ORDER BY day", in: store, columns: 6)
        #expect(
            rows == [
                "2026-11-04 1 1 1 done 3", "2026-11-05 0 0 0 unplanned 3", "2026-11-06 0 0 0 unplanned 3",
                "2026-11-07 0 0 0 unplanned 3", "2026-11-08 0 0 0 unplanned 3", "2026-11-09 1 1 1 done 4",
            ])
    }

    @Test(.userSQL) func eventsOfTargetOnPausedDaysStayPlanned() throws {
        let store = try Self.november(.target(try Target(times: 2, periodDays: 3)))
        let sql = "SELECT day, scheduled, due, done, outcome FROM habit_days('2026-11-04', '2026-11-06') AS d"
        let rows = try Self.rows(sql + " ORDER BY day", in: store, columns: 5)
        #expect(rows == ["2026-11-04 1 1 1 done", "2026-11-05 0 0 0 unplanned", "2026-11-06 0 0 0 unplanned"])
        let marked = try Self.rows("SELECT count(*) FROM events WHERE unplanned = 1", in: store, columns: 1)
        #expect(marked == ["0"])
    }

    @Test(.userSQL) func completionsOmitPausedDays() throws {
        let store = try Self.november()
        let sql = """
            SELECT due, done FROM habit_completions('week', '2026-11-02', '2026-11-14', NULL, NULL) AS c ORDER BY name
            """
        #expect(try Self.rows(sql, in: store, columns: 2) == ["3 3", "6 6"])
    }

    @Test(.userSQL) func userIsNotDueOnPausedDay() throws {
        let store = try Self.november()
        let sql = "SELECT day_due, day_done FROM user_standings('2026-11-06') AS s"
        #expect(try Self.rows(sql, in: store, columns: 2) == ["0 0"])
    }

    /// The score and the streak of a habit rest on the events before a pause of any length.
    @Test(.userSQL) func statisticsOutlastLongPause() throws {
        let store = try Self.november()
        let pause = RandomPauses.pause("rest", of: "run", (try Self.day("2026-11-15"), nil))
        try store.write([pause])
        let later = Clock(now: Instant(microseconds: 2_426_328_000_000_000))
        var scores: [Double] = []
        var streaks: [Int64] = []
        for day in ["2026-11-14", "2046-11-14"] {
            let sql = "SELECT score, streak_current FROM habit_standings('\(day)') AS s"
            try Self.forEachRow(sql, in: store, clock: later) { row in
                scores.append(row.number(0))
                streaks.append(row.integer(1))
            }
        }
        #expect(streaks == [13, 13])
        #expect(scores.count == 2)
        #expect(scores.first == scores.last)
    }

    // MARK: Comparison with the model

    @Test(.userSQL, arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func standingsMatchPlainModel(seed: UInt64) throws {
        let sample = try RandomPauses(seed: seed, from: try Self.day("2026-03-02"))
        let store = try TestStore()
        try store.write(sample.records)
        var count = 0
        let sql = """
            SELECT habit, due, done, streak_current, streak_longest, score FROM habit_standings('\(sample.reportDay)') AS s
            """
        try Self.forEachRow(sql, in: store) { row in
            let id = row.text(0) ?? ""
            guard let habit = sample.habits[id] else { return }
            let weeks = habit.statistics.currentWeeks
            let due = habit.calendar.filter { day in weeks.contains(day) && habit.isDue(day) }
            let done = due.filter(habit.doneDays.contains)
            let streaks = habit.streaks
            let message: Comment = "\(id), seed \(seed)"
            #expect(Int(row.integer(1)) == due.count, message)
            #expect(Int(row.integer(2)) == done.count, message)
            #expect(Int(row.integer(3)) == streaks.current, message)
            #expect(Int(row.integer(4)) == streaks.longest, message)
            #expect(abs(row.number(5) - habit.score) < 1e-6, message)
            count += 1
        }
        #expect(count == sample.habits.count)
    }

    @Test(.userSQL, arguments: [7, 8, 9] as [UInt64])
    func daysMatchPlainModel(seed: UInt64) throws {
        let sample = try RandomPauses(seed: seed, from: try Self.day("2026-03-02"))
        let store = try TestStore()
        try store.write(sample.records)
        var due: Set<String> = []
        var done: Set<String> = []
        let first = sample.first.advanced(by: -20)
        let sql = "SELECT habit, day, due, done FROM habit_days('\(first)', '\(sample.reportDay)') AS d"
        try Self.forEachRow(sql, in: store) { row in
            let name = "\(row.text(0) ?? "") \(row.text(1) ?? "")"
            if row.integer(2) != 0 { due.insert(name) }
            if row.integer(3) != 0 { done.insert(name) }
        }
        var expectedDue: Set<String> = []
        var expectedDone: Set<String> = []
        for (id, habit) in sample.habits {
            expectedDue.formUnion(habit.calendar.filter(habit.isDue).map { day in "\(id) \(day)" })
            expectedDone.formUnion(habit.doneDays.map { day in "\(id) \(day)" })
        }
        #expect(due == expectedDue)
        #expect(done == expectedDone)
    }

    private static func isPause(_ record: Record) -> Bool {
        if case .pause = record { true } else { false }
    }

    @Test(arguments: [10, 11, 12] as [UInt64]) func marksOfEventsMatchPlainModel(seed: UInt64) throws {
        let sample = try RandomPauses(seed: seed, from: try Self.day("2026-03-02"))
        for isLoad in [true, false] {
            let store = try TestStore()
            if isLoad {
                try store.engine.load { writer in for record in sample.records { _ = try writer.write(record) } }
            } else {
                // The pauses change the marks of stored events.
                try store.write(sample.records.filter { record in !Self.isPause(record) })
                try store.write(sample.records.filter(Self.isPause))
            }
            #expect(try PauseMarks.unplanned(in: store) == sample.unplanned, "seed \(seed), load: \(isLoad)")
            #expect(try PauseMarks.areConsistent(in: store))
        }
    }
}

/// The marks of unplanned events in a store.
enum PauseMarks {
    /// Returns the unplanned events, as `habit day`.
    static func unplanned(in store: TestStore) throws -> Set<String> {
        let sql: SQL = """
            SELECT habit.external_id, event.day
            FROM event
            JOIN habit ON habit.id = event.habit_id AND habit.user_id = event.user_id
            WHERE event.unplanned = 1
            """
        return try store.engine.read { session in
            var events: Set<String> = []
            try session.query(sql) { row in
                events.insert("\(row.text(0) ?? "") \(row.text(1) ?? "")")
                return true
            }
            return events
        }
    }

    /// Whether the doctor finds no wrong mark.
    static func areConsistent(in store: TestStore) throws -> Bool {
        let results = try StoreDoctor(store.engine).examine()
        return results.first { result in result.check == "unplanned" }?.status == .ok
    }
}
