import Base
import HabitModel
import StoreEngine

/// A query for the calendar of a user: the days on which the user's habits are due, and the done events.
///
/// The calendar begins ``dayCount`` - 1 days before the current date of the user.
public struct CalendarQuery {
    /// The number of days up to the current date that the calendar contains.
    public static let dayCount = 366

    private let user: ActingUser

    /// Creates a query for the calendar of a user.
    ///
    /// - Parameters:
    ///   - viewer: The user.
    ///   - clock: The clock that defines the current date of the user.
    ///   - session: The session in which the calendar is read.
    /// - Throws: `not-signed-in` if `viewer` is the operator, who has no calendar.
    public init(_ viewer: Viewer, clock: Clock, in session: any Session) throws {
        user = try ActingUser(viewer, clock: clock, in: session)
    }

    /// The display name of the user, or the ID of the user without a name.
    ///
    /// - Throws: An error of the engine.
    public var userName: String {
        get throws {
            let sql: SQL = "SELECT name FROM account WHERE id = \(.integer(user.key), as: "viewer")"
            var name: String?
            try user.session.query(sql) { row in
                name = row.text(0)
                return false
            }
            return name ?? user.id
        }
    }

    /// The first day of the calendar.
    private var begin: Day {
        user.today.clampedAdvanced(by: 1 - Self.dayCount)
    }

    // MARK: Due habits

    /// Days on which a habit is due.
    public struct DueDays: Sendable, Equatable {
        /// The days.
        public enum Days: Sendable, Equatable {
            /// The weekdays from a first day, which is one of them, to a last day or without an end, except the skipped
            /// days in ascending order.
            case weekdays(Weekdays, from: Day, to: Day?, skipped: [Day])
            /// The current date, for a habit with a target.
            ///
            /// The progress is a text such as `1 of 3`.
            case today(Day, progress: String)
        }

        /// The ID of the habit.
        public var habit: String
        /// The title of the habit.
        public var title: String
        /// The reason for the habit, or `nil`.
        public var reason: String?
        /// The local time of a reminder, or `nil`.
        public var remindAt: TimeOfDay?
        /// The day of the change to the schedule of the days or the first day after a pause, or `nil` for the first
        /// schedule of the habit.
        public var changed: Day?
        /// The days.
        public var days: Days
    }

    /// Calls `body` with the due days of each habit of the user, in the order of the IDs.
    ///
    /// A habit with weekdays has one value for each version of its schedule, also for future versions. A pause ends a
    /// value, and another value begins after the pause. A habit with a target has no fixed days. It has one value if it
    /// is on the to-do list of the current date. A habit without a start begins on the day of its first event, or on
    /// the current date.
    ///
    /// - Throws: An error of the engine, or of `body`.
    public func forEachDueDays(_ body: (DueDays) throws -> Void) throws {
        let sql: SQL = """
            SELECT id, external_id, title, reason, remind_time
            FROM habit
            WHERE user_id = \(.integer(user.key), as: "viewer")
            ORDER BY external_id
            """
        var habits: [StoredHabit] = []
        try user.session.query(sql) { row in
            let habit = StoredHabit(
                key: row.integer(0),
                id: row.text(1) ?? "",
                title: row.text(2) ?? "",
                reason: row.text(3),
                remindAt: row.text(4).flatMap { text in TimeOfDay(text) })
            habits.append(habit)
            return true
        }
        let reader = HabitHistoryReader(user.session)
        for habit in habits {
            try forEachDueDays(of: habit, reader: reader, body)
        }
    }

    /// A habit of the user.
    private struct StoredHabit {
        var key: Int64
        var id: String
        var title: String
        var reason: String?
        var remindAt: TimeOfDay?
    }

    private func forEachDueDays(
        of habit: StoredHabit,
        reader: HabitHistoryReader,
        _ body: (DueDays) throws -> Void
    ) throws {
        guard let stored = try reader.history(of: habit.key)?.schedule else { return }
        // The periods of a target can contain any number of skipped and paused days.
        let outcomes = try reader.outcomes(
            of: habit.key,
            user: user.key,
            target: stored.targetAmount,
            from: stored.hasTarget ? .first : begin)
        let firstEvent = try reader.firstEvent(of: habit.key, user: user.key)
        let history = stored.beginning(on: firstEvent ?? user.today)
        for version in history.unpausedVersions {
            guard let days = days(of: version, of: history, outcomes) else { continue }
            let due = DueDays(
                habit: habit.id,
                title: habit.title,
                reason: habit.reason,
                remindAt: habit.remindAt,
                changed: version.changed,
                days: days)
            try body(due)
        }
    }

    /// Returns the due days of one version of a schedule, or `nil` if the calendar contains no due day of it.
    private func days(
        of version: ScheduleHistory.Version,
        of history: ScheduleHistory,
        _ outcomes: Outcomes
    ) -> DueDays.Days? {
        guard let weekdays = version.schedule.weekdays else {
            return today(of: version, of: history, outcomes)
        }
        let starts = [begin, history.start, version.first].compactMap(\.self)
        guard let start = starts.max(),
            let first = firstDay(of: weekdays, from: start),
            first <= version.last ?? first
        else { return nil }
        var skipped = history.missingDates.filter { date in
            date >= first && weekdays.includes(date)
        }
        var day = outcomes.first
        while let current = day, current <= version.last ?? current {
            let isDue = current >= first && weekdays.includes(current)
            if isDue, outcomes[current] == .skipped {
                skipped.append(current)
            }
            day = outcomes.next(after: current)
        }
        skipped.sort()
        return .weekdays(weekdays, from: first, to: version.last, skipped: skipped)
    }

    private func firstDay(of weekdays: Weekdays, from start: Day) -> Day? {
        let week = (0..<7).lazy.map { offset in
            start.clampedAdvanced(by: offset)
        }
        return week.first(where: weekdays.includes)
    }

    private func today(
        of version: ScheduleHistory.Version,
        of history: ScheduleHistory,
        _ outcomes: Outcomes
    ) -> DueDays.Days? {
        let today = user.today
        guard today >= version.first ?? today else { return nil }
        guard today <= version.last ?? today else { return nil }
        let statistics = HabitStatistics(history: history, outcomes: outcomes, on: today)
        guard statistics.isDue(today),
            statistics.isToDo(today),
            let progress = statistics.progress(on: today)
        else { return nil }
        return .today(today, progress: "\(progress.done) of \(progress.times)")
    }

    // MARK: Events

    /// The done events of the user from the first day of the calendar on, in the order of their days and IDs.
    ///
    /// An event whose amount is below the target amount of its habit is not done.
    public var events: Selection {
        var select = Select(
            [SelectColumn("id", "event.external_id"), SelectColumn("title", "habit.title")]
                + .named(["day", "occurred_at", "comment", "outcome", "geometry"], of: "event"),
            from: "event",
            joins: EventTable.habitJoin,
            order: [OrderTerm("event.day"), OrderTerm("event.external_id")])
        select.require("event.user_id = \(.integer(user.key), as: "viewer")")
        select.require("event.day >= \(.day(begin), as: "from_day")")
        select.require("event.outcome = 'done'")
        select.require("(habit.target_amount IS NULL OR event.amount >= habit.target_amount)")
        return Selection(select.sql, shape: Self.shape)
    }

    private static let shape = ResultShape(
        columns: [
            Column("id", .text, at: 0),
            Column("title", .text, at: 1),
            Column("day", .day, at: 2),
            Column("at", .instant(offset: nil), at: 3),
            Column("comment", .text, at: 4),
            Column("outcome", .text, at: 5),
        ],
        geometry: 6,
        identity: ["id"])
}
