import Base
import HabitModel
import StoreEngine

/// A reader of the data from which the statistics of habits are computed.
final class HabitHistoryReader {
    private let session: any Session
    private let habit: OnDemand<any Statement>
    private let changes: OnDemand<any Statement>
    private let pauses: OnDemand<any Statement>
    private let days: OnDemand<any Statement>
    /// The statement for the days of a habit with a target amount.
    private let amounts: OnDemand<any Statement>
    private let first: OnDemand<any Statement>
    /// The statements for a batch of habits, or `nil` if the engine reads one habit at a time.
    private let batch: BatchStatements?
    /// The dates that never existed, by time zone.
    private var missingDates: [String: [Day]] = [:]

    /// The columns of `habit` and its owner's `account` that ``history(in:)`` reads.
    static let columns: [SelectColumn] =
        .named(["id", "start_day", "end_day", "weekdays", "times", "period_days", "target_amount"], of: "habit")
        + .named(["time_zone"], of: "account")
        + [SelectColumn("has_changes", hasChanges)]
        + .named(["user_id"], of: "habit")
        + [SelectColumn("has_pauses", hasPauses)]

    private static let hasChanges: SQL = """
        EXISTS (
          SELECT 1
          FROM habit_schedule
          WHERE habit_schedule.user_id = habit.user_id AND habit_schedule.habit_id = habit.id
        )
        """

    /// Whether the habit, or all habits of its owner, have a pause.
    private static let hasPauses: SQL = """
        EXISTS (
          SELECT 1
          FROM pause
          WHERE pause.user_id = habit.user_id AND (pause.habit_id = habit.id OR pause.habit_id IS NULL)
        )
        """
    static let join: SQL = "JOIN account ON account.id = habit.user_id"

    /// The statements that read a batch of habits.
    private struct BatchStatements {
        /// The maximum number of habits in a batch.
        var size: Int
        var days: OnDemand<any Statement>
        var first: OnDemand<any Statement>
    }

    /// Creates a reader, which compiles each of its statements at the first use.
    init(_ session: any Session) {
        self.session = session
        var select = Select(Self.columns, from: "habit", joins: Self.join)
        select.require("habit.id = \(parameter: "habit")")
        habit = session.onDemand(select.sql.text)
        changes = session.onDemand(
            """
            SELECT from_day, weekdays, times, period_days
            FROM habit_schedule
            WHERE user_id = :user AND habit_id = :habit
            ORDER BY from_day
            """)
        pauses = session.onDemand(
            """
            SELECT from_day, to_day
            FROM pause
            WHERE user_id = :user AND (habit_id = :habit OR habit_id IS NULL)
            """)
        days = session.onDemand(Self.days(session.dialect))
        let ofUser = session.dialect.andUser("user_id", is: ":user")
        amounts = session.onDemand(
            """
            SELECT day, CASE WHEN outcome = 'skipped' THEN 1 WHEN amount >= :target THEN 0 ELSE 2 END
            FROM event
            WHERE habit_id = :habit AND day >= :from_day\(ofUser)
            ORDER BY day
            """)
        first = session.onDemand("SELECT min(day) FROM event WHERE habit_id = :habit\(ofUser)")
        batch = Self.batchStatements(session)
    }

    private static func batchStatements(_ session: any Session) -> BatchStatements? {
        let size = session.dialect.habitsAtOnce
        guard size > 1 else { return nil }
        let keys = ListedKeys.select(":habit_keys")
        func onDemand(_ sql: String) -> OnDemand<any Statement> {
            OnDemand {
                try session.register([ListedKeys.function])
                return try session.prepare(sql)
            }
        }
        let days = onDemand(
            """
            SELECT event.habit_id, event.day, CASE event.outcome WHEN 'skipped' THEN 1 ELSE 0 END
            FROM \(session.dialect.events(ofHabits: keys))
            ORDER BY event.habit_id, event.day
            """)
        let first = onDemand(
            """
            SELECT habit.id, (
              SELECT min(event.day) FROM event WHERE event.habit_id = habit.id AND event.user_id = habit.user_id
            )
            FROM habit
            WHERE habit.id IN (\(keys))
            """)
        return BatchStatements(size: size, days: days, first: first)
    }

    /// Returns a SELECT of the days of a habit from `:from_day` on and of the flags that mark skipped days.
    ///
    /// A skipped day occurs twice, first with the flag 0, then with the flag 1. The first half of the SELECT reads only
    /// an index. The second half reads an index that contains only the few skipped days.
    static func days(_ dialect: any Dialect) -> String {
        let condition = "WHERE habit_id = :habit AND day >= :from_day\(dialect.andUser("user_id", is: ":user"))"
        return """
            SELECT day, 0 FROM event \(condition)
            UNION ALL
            SELECT day, 1 FROM \(dialect.skippedEvents) \(condition) AND outcome = 'skipped'
            """
    }

    /// The maximum number of habits in a batch.
    var habitsAtOnce: Int { batch?.size ?? 1 }

    /// The schedules of a stored habit.
    struct StoredHistory {
        var schedule: ScheduleHistory
        /// The time zone of the owner.
        var zone: String
        /// The key of the owner.
        var user: Int64
    }

    /// Prefetches the results of ``history(of:)`` for these habits, if a lookup is a network round trip.
    func prefetch(_ keys: some Sequence<Int64>) throws {
        guard session.pipeline != nil else { return }
        let parameters = keys.map { key in [Value.integer(key)] }
        try habit.value().pipelined?.prefetch(parameters)
    }

    /// Returns a habit's schedules, or `nil` if the habit does not exist.
    func history(of key: Int64) throws -> StoredHistory? {
        var result: StoredHistory?
        let statement = try habit.value()
        try statement.bind([.integer(key)])
        try statement.forEach { row in
            result = try history(in: row)
            return false
        }
        return result
    }

    /// Returns the schedules in a row that begins with ``columns``.
    func history(in row: any Row) throws -> StoredHistory? {
        guard let schedule = Schedule(in: row, at: 3) else {
            return nil
        }
        let user = row.integer(9)
        let zone = row.text(7) ?? TimeZoneRules.utc.id
        let hasChanges = row.integer(8) != 0
        var history = ScheduleHistory(
            start: row.day(1),
            end: row.day(2),
            schedule: schedule,
            changes: hasChanges ? try scheduleChanges(of: row.integer(0), user: user) : [])
        if !row.isNull(6) {
            history.targetAmount = row.number(6)
        }
        history.missingDates = missingDates(in: zone)
        if row.integer(10) != 0 {
            history.pauses = try pauses(of: row.integer(0), user: user)
        }
        return StoredHistory(schedule: history, zone: zone, user: user)
    }

    /// Returns the changes of a habit's schedule in the order of their first days.
    private func scheduleChanges(of habit: Int64, user: Int64) throws -> [(from: Day, schedule: Schedule)] {
        var changes: [(from: Day, schedule: Schedule)] = []
        let statement = try self.changes.value()
        try statement.bind([.integer(user), .integer(habit)])
        try statement.forEach { row in
            if let from = row.day(0), let schedule = Schedule(in: row, at: 1) {
                changes.append((from, schedule))
            }
            return true
        }
        return changes
    }

    /// Returns the pauses of a habit and of all habits of its owner.
    private func pauses(of habit: Int64, user: Int64) throws -> Pauses {
        var pauses: [(first: Day, last: Day?)] = []
        let statement = try self.pauses.value()
        try statement.bind(["user": .integer(user), "habit": .integer(habit)])
        try statement.forEach { row in
            if let first = row.day(0) {
                pauses.append((first, row.day(1)))
            }
            return true
        }
        return Pauses(pauses)
    }

    /// Returns the dates that never existed in a time zone.
    private func missingDates(in zone: String) -> [Day] {
        if let known = missingDates[zone] {
            return known
        }
        let dates = TimeZoneRules(zone)?.missingDates ?? []
        missingDates[zone] = dates
        return dates
    }

    /// Returns the first day with an event, or `nil` if the habit, which belongs to `user`, has no event.
    func firstEvent(of key: Int64, user: Int64) throws -> Day? {
        let statement = try first.value()
        try statement.bind([
            "habit": .integer(key),
            "user": .integer(user),
        ])
        var day: Day?
        try statement.forEach { row in
            day = row.day(0)
            return false
        }
        return day
    }

    /// Returns the first day with an event for each habit of a batch of at most ``habitsAtOnce`` habits.
    ///
    /// The result is empty if the engine reads one habit at a time.
    func firstEvents(of keys: [Int64]) throws -> [Int64: Day] {
        guard let statement = try batch?.first.value() else {
            return [:]
        }
        var days: [Int64: Day] = [:]
        try statement.bind(["habit_keys": Self.list(keys)])
        try statement.forEach { row in
            if let day = row.day(1) {
                days[row.integer(0)] = day
            }
            return true
        }
        return days
    }

    /// Returns the outcomes of the days from `day` on, for a batch of at most ``habitsAtOnce`` habits.
    ///
    /// The result is empty if the engine reads one habit at a time.
    func outcomes(of keys: [Int64], from day: Day) throws -> [Int64: Outcomes] {
        guard let statement = try batch?.days.value() else {
            return [:]
        }
        var outcomes: [Int64: Outcomes] = [:]
        try statement.bind(["habit_keys": Self.list(keys), "from_day": .day(day)])
        try statement.forEach { row in
            guard let day = row.day(1) else { return true }
            let habit = row.integer(0)
            let isSkipped = row.integer(2) != 0
            outcomes[habit, default: Outcomes()].set(day, isSkipped ? .skipped : .done)
            return true
        }
        return outcomes
    }

    /// Returns the keys as a text for ``ListedKeys``.
    private static func list(_ keys: [Int64]) -> Value {
        let list = keys.map(String.init).joined(separator: ",")
        return .text(list)
    }

    /// Returns the outcomes of the days with an event of the habit, from `day` on.
    ///
    /// - Parameters:
    ///   - key: The key of the habit.
    ///   - user: The key of the habit's owner.
    ///   - target: The target amount of the habit, or `nil` if every event counts.
    ///   - day: The first day to read.
    /// - Returns: The outcomes.
    /// - Throws: An error of the engine.
    func outcomes(
        of key: Int64,
        user: Int64,
        target: Double?,
        from day: Day = .first
    ) throws -> Outcomes {
        var outcomes = Outcomes()
        let statement = try (target == nil ? days : amounts).value()
        try statement.bind([
            "habit": .integer(key),
            "user": .integer(user),
            "from_day": .day(day),
            "target": target.map { .number($0) } ?? .null,
        ])
        try statement.forEach { row in
            guard let day = row.day(0) else { return true }
            switch row.integer(1) {
            case 0: outcomes.set(day, .done)
            case 1: outcomes.set(day, .skipped)
            default: outcomes.setBelowTarget(day)
            }
            return true
        }
        return outcomes
    }
}
