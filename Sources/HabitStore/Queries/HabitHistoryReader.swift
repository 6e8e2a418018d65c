import HabitModel

/// Reads what a habit's standing is made of, a habit at a time.
final class HabitHistoryReader {
    private let habit: any Statement
    private let changes: any Statement
    private let days: any Statement
    private let skippedDays: any Statement
    private let first: any Statement

    init(_ session: any Session) throws {
        habit = try session.prepare(
            """
            SELECT habit.start_day, habit.end_day, habit.weekdays, account.time_zone
            FROM habit
            JOIN account ON account.id = habit.user_id
            WHERE habit.id = :habit
            """)
        changes = try session.prepare(
            "SELECT from_day, weekdays FROM habit_schedule WHERE habit_id = :habit ORDER BY from_day")
        // Both are read from an index, without a look at the events themselves.
        let select = "SELECT day FROM event WHERE habit_id = :habit AND day >= :from_day"
        days = try session.prepare("\(select) ORDER BY day")
        skippedDays = try session.prepare("\(select) AND outcome = 'skipped' ORDER BY day")
        first = try session.prepare("SELECT min(day) FROM event WHERE habit_id = :habit")
    }

    /// The habit's schedules and its owner's time zone; nil where there is no such habit.
    func history(of key: Int64) throws -> (ScheduleHistory, zone: String)? {
        var versions: [(from: Day, schedule: Schedule)] = []
        try changes.bind([.integer(key)])
        try changes.forEach { row in
            if let from = row.text(0).flatMap({ Day($0) }), let schedule = Schedule(mask: Int(row.integer(1))) {
                versions.append((from, schedule))
            }
            return true
        }
        var result: (ScheduleHistory, zone: String)?
        try habit.bind([.integer(key)])
        try habit.forEach { row in
            guard let schedule = Schedule(mask: Int(row.integer(2))) else { return false }
            let history = ScheduleHistory(
                start: row.text(0).flatMap { Day($0) }, end: row.text(1).flatMap { Day($0) }, schedule: schedule,
                changes: versions)
            result = (history, row.text(3) ?? "UTC")
            return false
        }
        return result
    }

    /// The first day with an event.
    func firstEvent(of key: Int64) throws -> Day? {
        try first.bind([.integer(key)])
        var day: Day?
        try first.forEach { row in
            day = row.text(0).flatMap { Day($0) }
            return false
        }
        return day
    }

    /// What became of each day on which the habit has an event, from `day` on.
    func outcomes(of key: Int64, from day: Day = .first) throws -> Outcomes {
        var outcomes = Outcomes()
        for (statement, outcome) in [(days, Outcome.done), (skippedDays, .skipped)] {
            try statement.bind([.integer(key), .day(day)])
            try statement.forEach { row in
                if let day = row.withText(0, { Day(utf8: $0) }) { outcomes.set(day, outcome) }
                return true
            }
        }
        return outcomes
    }
}
