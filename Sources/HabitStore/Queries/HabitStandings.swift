import Foundation
import HabitModel

/// Fills the session's table `habit_standing` with how habits stand, for queries to join.
struct HabitStandings {
    var clock: Clock
    var includingToday = false

    static let table = """
        CREATE TEMP TABLE IF NOT EXISTS habit_standing (
          habit_id INTEGER PRIMARY KEY,
          days TEXT NOT NULL,
          status TEXT NOT NULL,
          color TEXT NOT NULL,
          completion_rate REAL,
          streak_current INTEGER NOT NULL,
          streak_longest INTEGER NOT NULL,
          score REAL NOT NULL
        )
        """

    /// Costs one walk over the events of `habits`, in the order of their keys.
    func fill(habits keys: [Int64], in session: any Session) throws {
        try session.run(SQL(Self.table))
        try session.run("DELETE FROM habit_standing")
        let reader = try HabitHistoryReader(session)
        let insert = try session.prepare(
            """
            INSERT INTO habit_standing (habit_id, days, status, color, completion_rate, streak_current, streak_longest, score)
            VALUES (:habit, :days, :status, :color, :rate, :current, :longest, :score)
            """)
        for key in keys {
            guard let (history, zone) = try reader.history(of: key) else { continue }
            let today = clock.today(in: TimeZone(identifier: zone) ?? .gmt)
            let standing = HabitStanding(history: history, outcomes: try reader.outcomes(of: key), on: today)
            let rate = standing.completionRate(in: standing.currentWeeks, includingToday: includingToday)
            let status = HabitStatus(completionRate: rate)
            let streaks = standing.streaks
            try insert.bind([
                .integer(key), .text(history.schedule(on: today).description), .text(status.rawValue),
                .text(status.color), rate.map { .number($0) } ?? .null, .integer(Int64(streaks.current)),
                .integer(Int64(streaks.longest)), .number(standing.score),
            ])
            try insert.run()
        }
    }
}

/// Reads what a habit's standing is made of, a habit at a time.
final class HabitHistoryReader {
    private let habit: any Statement
    private let changes: any Statement
    private let events: any Statement

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
        events = try session.prepare("SELECT day, outcome FROM event WHERE habit_id = :habit ORDER BY day")
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

    /// What became of each day on which the habit has an event.
    func outcomes(of key: Int64) throws -> [Day: Outcome] {
        var outcomes: [Day: Outcome] = [:]
        try events.bind([.integer(key)])
        try events.forEach { row in
            if let day = row.withText(0, { Day(utf8: $0) }) {
                outcomes[day] = row.text(1).flatMap(Outcome.init(rawValue:)) ?? .done
            }
            return true
        }
        return outcomes
    }
}
