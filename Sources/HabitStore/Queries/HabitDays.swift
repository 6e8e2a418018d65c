import Base
import HabitModel
import StoreEngine

/// The habits of a user on the days of a range, with the statistics on the current date.
///
/// The days agree with the to-do list, with `habit_days` and with the events of the user.
public struct HabitDays: Sendable {
    /// A habit of the user.
    public struct Habit: Sendable {
        /// The ID of the habit.
        public let id: String
        /// The title of the habit.
        public let title: String
        /// The unit of the amounts, or `nil` without a value.
        public let unit: String?
        /// The amount that an event needs so that its day is done, or `nil` if every event counts.
        public let targetAmount: Double?
        /// The number of consecutive due days that are done, up to the current date.
        public let streak: Int
        /// The completion rate of the four weeks up to the current date, or `nil` if no day was due.
        public let rate: Double?
        /// The days on which the habit is due or paused, has an event or has a target, in ascending order.
        public let days: [Entry]

        /// The status of the habit.
        public var status: HabitStatus { HabitStatus(completionRate: rate) }
    }

    /// One day of a habit.
    public struct Entry: Sendable, Equatable {
        /// The day.
        public let day: Day
        /// Whether the habit is on the to-do list of the day, on which it may be skipped.
        public let isDue: Bool
        /// Whether the habit is paused on the day, on which it is not due.
        public let isPaused: Bool
        /// The outcome of the day, or `none` for a day after the current date that is neither done nor skipped.
        public let outcome: DayOutcome
        /// The event of the day, or `nil` without an event.
        public let event: Event?
        /// The progress of a target in the period that ends with the day, or `nil` without a target.
        ///
        /// It is `nil` on days after the current date.
        public let progress: HabitDay.PeriodProgress?
    }

    /// The event of a habit on a day.
    public struct Event: Sendable, Equatable {
        /// The ID of the event.
        public let id: String
        /// The amount, or `nil` without a value.
        public let amount: Double?
    }

    /// The maximum number of days of a range.
    public static let dayLimit = 400

    /// The current date of the user.
    public let today: Day
    /// The days of the range.
    public let days: ClosedRange<Day>
    /// The habits of the user, by title.
    public let habits: [Habit]

    /// Reads the habits of a user.
    ///
    /// The cost is one row for each event of the user, and a few instructions for each habit and day.
    ///
    /// - Parameters:
    ///   - days: The days of the range.
    ///   - user: The user.
    /// - Throws: An error of the engine.
    public init(_ days: ClosedRange<Day>, of user: ActingUser) throws {
        self.days = days
        today = user.today
        let rows = try Self.storedHabits(of: user)
        let events = try Self.events(on: days, of: user)
        let reader = HabitHistoryReader(user.session)
        try reader.prefetch(rows.map(\.key))
        var habits: [Habit] = []
        for row in rows {
            guard let stored = try reader.history(of: row.key)?.schedule else { continue }
            let outcomes = try reader.outcomes(
                of: row.key,
                user: user.key,
                target: stored.targetAmount)
            let history = stored.beginning(on: outcomes.first ?? user.today)
            let calendar = HabitCalendar(history, outcomes, days: days, today: user.today)
            let habit = Habit(row, on: calendar, events: events[row.key] ?? [:])
            habits.append(habit)
        }
        self.habits = habits
    }

    // MARK: Rows

    /// The columns of a habit.
    fileprivate struct StoredHabit {
        var key: Int64
        var id: String
        var title: String
        var unit: String?
    }

    private static func storedHabits(of user: ActingUser) throws -> [StoredHabit] {
        let sql: SQL = """
            SELECT id, external_id, title, unit
            FROM habit
            WHERE user_id = \(.integer(user.key), as: "viewer")
            ORDER BY title_folded, external_id
            """
        var rows: [StoredHabit] = []
        try user.session.query(sql) { row in
            let habit = StoredHabit(
                key: row.integer(0),
                id: row.text(1) ?? "",
                title: row.text(2) ?? "",
                unit: row.text(3))
            rows.append(habit)
            return true
        }
        return rows
    }

    /// Returns the events of the range by the key of the habit and the day.
    private static func events(
        on days: ClosedRange<Day>,
        of user: ActingUser
    ) throws -> [Int64: [Day: Event]] {
        let sql: SQL = """
            SELECT habit_id, day, external_id, amount
            FROM event
            WHERE user_id = \(.integer(user.key), as: "viewer")
              AND day >= \(.day(days.lowerBound), as: "first_day")
              AND day <= \(.day(days.upperBound), as: "last_day")
            ORDER BY day, external_id
            """
        var events: [Int64: [Day: Event]] = [:]
        try user.session.query(sql) { row in
            guard let day = row.day(1) else { return true }
            let event = Event(
                id: row.text(2) ?? "",
                amount: row.isNull(3) ? nil : row.number(3))
            events[row.integer(0), default: [:]][day] = event
            return true
        }
        return events
    }
}

/// The statistics of one habit for the days of a range.
private struct HabitCalendar {
    let history: ScheduleHistory
    let days: ClosedRange<Day>
    let today: Day
    /// The statistics on the current date.
    let current: HabitStatistics
    /// The statistics on the last day of the range, if it is after the current date, which know the days that will be
    /// due.
    private let ahead: HabitStatistics

    init(_ history: ScheduleHistory, _ outcomes: Outcomes, days: ClosedRange<Day>, today: Day) {
        self.history = history
        self.days = days
        self.today = today
        current = HabitStatistics(history: history, outcomes: outcomes, on: today)
        ahead =
            days.upperBound > today
            ? HabitStatistics(history: history, outcomes: outcomes, on: days.upperBound)
            : current
    }

    /// Returns whether the habit is on the to-do list of a day.
    func isDue(_ day: Day) -> Bool { ahead.isToDo(day) }

    func isPaused(_ day: Day) -> Bool {
        history.exists(on: day) && history.pauses.contains(day)
    }

    func outcome(of day: Day) -> DayOutcome {
        guard day > today else { return current.dayOutcome(day) }
        switch ahead.dayOutcome(day) {
        case .missed, .open, .none: return .none
        // A traveler can record an event of the next date.
        case .done: return .done
        case .skipped: return .skipped
        case .unplanned: return .unplanned
        }
    }

    func progress(on day: Day) -> HabitDay.PeriodProgress? {
        guard day <= today, history.includes(day), !isPaused(day) else { return nil }
        guard let target = history.schedule(on: day).target else { return nil }
        guard let progress = current.progress(on: day) else { return nil }
        return HabitDay.PeriodProgress(done: progress.done, target: target)
    }
}

extension HabitDays.Habit {
    fileprivate init(
        _ row: HabitDays.StoredHabit,
        on calendar: HabitCalendar,
        events: [Day: HabitDays.Event]
    ) {
        id = row.id
        title = row.title
        unit = row.unit
        targetAmount = calendar.history.targetAmount
        let statistics = calendar.current
        streak = statistics.streaks.current
        rate = statistics.completionRate(in: statistics.currentWeeks)
        var entries: [HabitDays.Entry] = []
        for day in calendar.days {
            let entry = HabitDays.Entry(
                day: day,
                isDue: calendar.isDue(day),
                isPaused: calendar.isPaused(day),
                outcome: calendar.outcome(of: day),
                event: events[day],
                progress: calendar.progress(on: day))
            if entry.hasContent {
                entries.append(entry)
            }
        }
        days = entries
    }
}

extension HabitDays.Entry {
    /// Whether the habit is due or paused on the day, or has an event or a target.
    fileprivate var hasContent: Bool { isDue || isPaused || event != nil || progress != nil }
}
