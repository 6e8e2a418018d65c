import Base
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests that the days of a user agree with the to-do list, with `habit_days` and with the events, for random
/// histories.
@Suite struct HabitDaysTests {
    private static let today = "2026-11-20"

    private static func clock(_ day: String = today) throws -> Clock {
        let now = try #require(OffsetInstant("2026-11-20T12:00:00Z"))
        return Clock(now: now.instant, today: Day(day))
    }

    // MARK: Stores

    /// Creates a store of two users with random habits and events.
    private static func randomStore(seed: UInt64) throws -> TestStore {
        var random = SeededGenerator(seed: seed)
        let store = try TestStore()
        var records: [Record] = [.user("u"), .user("v"), .follow("u", "v")]
        for number in 0..<12 {
            records += try randomHabit("u-\(number)", of: "u", &random)
        }
        records += try randomHabit("v-0", of: "v", &random)
        records.append(try pause("all", from: "2026-09-10", to: "2026-09-20"))
        records.append(try pause("one", of: "u-1", from: "2026-10-05", to: "2026-11-02"))
        records.append(try pause("later", of: "u-2", from: "2026-11-24", to: nil))
        try store.write(records)
        return store
    }

    private static func randomHabit(
        _ id: String,
        of user: String,
        _ random: inout SeededGenerator
    ) throws -> [Record] {
        let last = try #require(Day(today))
        var habit = HabitRecord(id: id, user: user, title: id, schedule: try randomSchedule(&random))
        let begin = last.advanced(by: -Int.random(in: 0...300, using: &random))
        if Bool.random(using: &random) {
            habit.start = .value(begin)
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            habit.end = .value(begin.advanced(by: Int.random(in: 0...320, using: &random)))
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            habit.targetAmount = .value(2)
            habit.unit = .value("km")
        }
        var records: [Record] = [.habit(habit)]
        if Bool.random(using: &random) {
            let from = last.advanced(by: Int.random(in: -60...10, using: &random))
            let changed = try randomSchedule(&random)
            records.append(.schedule(ScheduleRecord(habit: id, from: from, schedule: changed)))
        }
        return records + randomEvents(of: id, upTo: last, &random)
    }

    private static func pause(
        _ id: String,
        of habit: String? = nil,
        from first: String,
        to last: String?
    ) throws -> Record {
        var pause = PauseRecord(id: id, user: "u", from: try #require(Day(first)))
        pause.habit = habit.map { habit in .value(habit) } ?? .null
        pause.to = last.flatMap { last in Day(last) }.map { day in .value(day) } ?? .null
        return .pause(pause)
    }

    private static func randomEvents(
        of habit: String,
        upTo last: Day,
        _ random: inout SeededGenerator
    ) -> [Record] {
        let density = Int.random(in: 0...9, using: &random)
        var records: [Record] = []
        for back in 0..<Int.random(in: 1...400, using: &random) {
            guard Int.random(in: 0..<10, using: &random) < density else { continue }
            var event = EventRecord(habit: habit)
            event.day = last.advanced(by: -back)
            let isSkipped = Int.random(in: 0..<8, using: &random) == 0
            event.outcome = .value(isSkipped ? .skipped : .done)
            if Bool.random(using: &random) {
                event.details.amount = .value(Double(Int.random(in: 0...4, using: &random)))
            }
            records.append(.event(event))
        }
        return records
    }

    private static func randomSchedule(_ random: inout SeededGenerator) throws -> Schedule {
        guard Bool.random(using: &random) else {
            return .weekdays(try #require(Weekdays(mask: Int.random(in: 1...127, using: &random))))
        }
        let period = Int.random(in: 1...12, using: &random)
        return .target(try Target(times: Int.random(in: 1...period, using: &random), periodDays: period))
    }

    // MARK: Results

    private static func days(_ from: String, _ to: String, on store: TestStore) throws -> HabitDays {
        let first = try #require(Day(from))
        let last = try #require(Day(to))
        let clock = try clock()
        return try store.engine.read { session in
            let viewer = try Viewer.user(named: "u", in: session)
            let user = try ActingUser(viewer, clock: clock, in: session)
            return try HabitDays(first...last, of: user)
        }
    }

    /// Runs SQL over the views of the user.
    private static func rows(_ sql: String, on store: TestStore) throws -> [[String]] {
        var rows: [[String]] = []
        let clock = try clock()
        try store.analyze(as: "u", clock: clock) { session, viewer in
            _ = try AnalysisQuery(sql, viewer: viewer, clock: clock).run(in: session) { shape in
                { row in
                    let cells = shape.columns.indices.map { index in
                        row.storage(index) == .number ? "\(row.number(index))" : row.text(index) ?? "∅"
                    }
                    rows.append(cells)
                }
            }
        }
        return rows
    }

    /// Returns the progress as the to-do list writes it.
    private static func progress(_ entry: HabitDays.Entry, of habit: HabitDays.Habit) -> String {
        let period = entry.progress.map { progress in "\(progress.done) of \(progress.target.times)" }
        let amount = habit.targetAmount.map { target in
            AmountProgress(amount: entry.event?.amount, target: target, unit: habit.unit).description
        }
        let parts = [period, amount].compactMap(\.self)
        return parts.isEmpty ? "∅" : parts.joined(separator: ", ")
    }

    private static func toDo(on day: String, of store: TestStore) throws -> [[String]] {
        let columns = ["habit", "status", "done", "event", "progress"]
        let rows = try store.rows(as: "u", columns: columns) { session, viewer in
            var query = TodoQuery(viewer: viewer, clock: try clock(day))
            query.showsProgress = true
            return try query.selection(in: session)
        }
        let sorted = rows.sorted { former, latter in former[0] < latter[0] }
        return sorted.map { row in
            var row = row
            // A Boolean is a number in a file, and a letter on PostgreSQL.
            row[2] = ["1", "t"].contains(row[2]) ? "1" : "0"
            return row
        }
    }

    /// Returns the due habits of a day in the form of the to-do list, in the order of their IDs.
    private static func due(on day: String, in days: HabitDays) throws -> [[String]] {
        let day = try #require(Day(day))
        var rows: [[String]] = []
        for habit in days.habits {
            for entry in habit.days where entry.day == day && entry.isDue {
                let isDone = entry.outcome == .done
                rows.append([
                    habit.id,
                    habit.status.rawValue,
                    isDone ? "1" : "0",
                    entry.event?.id ?? "∅",
                    progress(entry, of: habit),
                ])
            }
        }
        return rows.sorted { former, latter in former[0] < latter[0] }
    }

    // MARK: Properties

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64]) func daysMatchToDoListOfToday(seed: UInt64) throws {
        let store = try Self.randomStore(seed: seed)
        let days = try Self.days("2026-11-01", Self.today, on: store)
        let expected = try Self.toDo(on: Self.today, of: store)
        #expect(try Self.due(on: Self.today, in: days) == expected, "seed \(seed)")
    }

    /// The to-do list of a later day is read with a clock of that day.
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func futureDaysMatchTheirToDoLists(seed: UInt64) throws {
        let store = try Self.randomStore(seed: seed)
        let days = try Self.days("2026-11-18", "2026-12-31", on: store)
        for day in ["2026-11-21", "2026-11-26", "2026-12-20"] {
            let expected = try Self.toDo(on: day, of: store).map { row in row[0] }
            let due = try Self.due(on: day, in: days)
            #expect(due.map { row in row[0] } == expected, "\(day), seed \(seed)")
        }
        let today = try #require(Day(Self.today))
        let future = days.habits.flatMap(\.days).filter { entry in entry.day > today }
        #expect(future.allSatisfy { entry in entry.progress == nil })
        #expect(future.allSatisfy { entry in entry.outcome == .none })
        #expect(future.allSatisfy { entry in entry.isDue != entry.isPaused })
    }

    @Test(.userSQL, arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64]) func daysMatchHabitDays(seed: UInt64) throws {
        let store = try Self.randomStore(seed: seed)
        let days = try Self.days("2026-09-01", Self.today, on: store)
        var entries: [String: HabitDays.Entry] = [:]
        for habit in days.habits {
            for entry in habit.days {
                entries["\(habit.id) \(entry.day)"] = entry
            }
        }
        let sql = """
            SELECT habit, day, scheduled, outcome
            FROM habit_days('2026-09-01', '\(Self.today)')
            WHERE habit LIKE 'u-%'
            """
        let rows = try Self.rows(sql, on: store)
        #expect(!rows.isEmpty)
        for row in rows {
            let entry = entries.removeValue(forKey: "\(row[0]) \(row[1])")
            let isScheduled = entry?.isDue == true || entry?.progress != nil
            #expect((isScheduled ? "1" : "0") == row[2], "seed \(seed): \(row)")
            #expect((entry?.outcome ?? .none).rawValue == row[3], "seed \(seed): \(row)")
        }
        #expect(entries.isEmpty, "seed \(seed)")
    }

    @Test(.userSQL, arguments: [1, 2, 3, 4] as [UInt64]) func daysMatchEvents(seed: UInt64) throws {
        let store = try Self.randomStore(seed: seed)
        let days = try Self.days("2026-09-01", "2026-11-10", on: store)
        var rows: [[String]] = []
        for habit in days.habits {
            for entry in habit.days {
                guard let event = entry.event else { continue }
                let amount = event.amount.map { amount in "\(amount)" } ?? "∅"
                rows.append([event.id, habit.id, "\(entry.day)", amount])
            }
        }
        let sql = """
            SELECT id, habit, day, amount FROM events
            WHERE "user" = 'u' AND day >= '2026-09-01' AND day <= '2026-11-10'
            """
        let expected = try Self.rows(sql, on: store)
        #expect(Set(rows) == Set(expected), "seed \(seed)")
        #expect(rows.count == expected.count, "seed \(seed)")
    }

    @Test(.userSQL, arguments: [1, 2, 3, 4] as [UInt64]) func statisticsMatchListOfHabits(seed: UInt64) throws {
        let store = try Self.randomStore(seed: seed)
        let days = try Self.days("2026-01-01", "2026-01-02", on: store)
        let rows = days.habits.map { habit in
            [
                habit.id,
                habit.status.rawValue,
                habit.rate.map { rate in "\(rate)" } ?? "∅",
                "\(habit.streak)",
            ]
        }
        let sql = """
            SELECT id, status, completion_rate, streak_current
            FROM habits
            WHERE "user" = 'u'
            """
        let expected = try Self.rows(sql, on: store)
        #expect(Set(rows) == Set(expected), "seed \(seed)")
    }

    // MARK: Cases

    /// A traveler can record an event of the next date.
    @Test func eventOfNextDayIsShown() throws {
        let store = try TestStore()
        try store.write([
            .user("u"),
            .habit("run", of: "u"),
            .event("run", "2026-11-21", id: "e21"),
        ])
        let habits = try Self.days(Self.today, "2026-11-22", on: store).habits
        let days = try #require(habits.first).days
        let shown = days.map { entry in "\(entry.day) \(entry.isDue) \(entry.outcome) \(entry.event?.id ?? "")" }
        #expect(shown == ["2026-11-21 true done e21", "2026-11-22 true none "])
    }

    @Test func pausedDayIsMarked() throws {
        let store = try TestStore()
        let pause = try Self.pause("p", from: "2026-11-19", to: "2026-11-21")
        try store.write([
            .user("u"),
            .habit("run", of: "u"),
            .event("run", "2026-11-18", id: "e"),
            pause,
        ])
        let habits = try Self.days("2026-11-18", "2026-11-22", on: store).habits
        let days = try #require(habits.first).days
        let shown = days.map { entry in "\(entry.day) \(entry.isDue) \(entry.isPaused)" }
        let expected = [
            "2026-11-18 true false", "2026-11-19 false true", "2026-11-20 false true", "2026-11-21 false true",
            "2026-11-22 true false",
        ]
        #expect(shown == expected)
    }

    @Test func lastDayOfCalendarIsRead() throws {
        let store = try TestStore()
        try store.write([.user("u"), .habit("run", of: "u")])
        let habits = try Self.days("9999-12-30", "9999-12-31", on: store).habits
        let days = try #require(habits.first).days
        #expect(days.map(\.day.description) == ["9999-12-30", "9999-12-31"])
    }
}
