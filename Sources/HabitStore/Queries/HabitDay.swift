import Base
import HabitModel
import StoreEngine

/// A habit of a user on one day, with its event of the day and its statistics.
public struct HabitDay: Sendable {
    /// The progress of a target in the period that ends with the day.
    public struct PeriodProgress: Sendable, Equatable {
        /// The number of days whose events count as done.
        public var done: Int
        /// The target.
        public var target: Target
    }

    /// The key of the habit.
    let key: Int64
    /// The ID of the habit.
    public let habit: String
    /// The title of the habit.
    public let title: String
    /// The schedule in force on the day.
    public let schedule: Schedule
    /// Whether the habit is on the to-do list of the day, on which it may be skipped.
    public let isToDo: Bool
    /// Whether the day has an event that counts as done.
    public let isDone: Bool
    /// Whether the day has an event that is unplanned.
    public let isUnplanned: Bool
    /// The outcome of the event of the day, or `nil` without an event.
    public let outcome: Outcome?
    /// The comment of the event.
    public let comment: String?
    /// The amount of the event, or `nil` without one.
    public let amount: Double?
    /// The unit of the amounts, or `nil` without a value.
    public let unit: String?
    /// The progress towards the target amount, or `nil` without a value.
    public let amountProgress: AmountProgress?
    /// The progress towards the target, or `nil` if the habit has weekdays.
    public let periodProgress: PeriodProgress?
    /// The number of consecutive due days that are done, up to the current date.
    public let streak: Int
    /// The number of days of the longest streak.
    public let longestStreak: Int
    /// The completion rate of the four weeks up to the current date, or `nil` if no day was due.
    public let rate: Double?
    /// The Monday on which ``outcomes`` begins: in the previous week, unless a calendar has more or fewer weeks.
    public let firstDay: Day
    /// The outcomes from ``firstDay`` up to the current date.
    public let outcomes: [DayOutcome]
    /// The days of ``outcomes`` with an event whose amount does not reach the target amount.
    public let daysBelowTarget: Set<Day>

    /// The status of the habit.
    public var status: HabitStatus { HabitStatus(completionRate: rate) }
}

extension HabitDay {
    /// Returns the habits of a user that are on the to-do list of the current date, by rank and title.
    ///
    /// The result contains the habits whose day is skipped. The cost is one row for each event of the user.
    ///
    /// - Parameter user: The user.
    /// - Returns: The habits.
    /// - Throws: An error of the engine.
    public static func toDo(of user: ActingUser) throws -> [HabitDay] {
        try read(of: user, on: user.today, where: "TRUE").filter(\.isToDo)
    }

    /// Returns a habit of a user on a day, or `nil` if the user has no such habit.
    ///
    /// The cost is one row for each event of the habit.
    ///
    /// - Parameters:
    ///   - habit: The ID of the habit.
    ///   - day: The day.
    ///   - user: The owner of the habit.
    /// - Returns: The habit.
    /// - Throws: An error of the engine.
    public static func of(habit: String, on day: Day, of user: ActingUser) throws -> HabitDay? {
        let condition: SQL = "habit.external_id = \(.text(habit.composed), as: "habit")"
        return try read(of: user, on: day, where: condition).first
    }

    /// Returns all habits of a user on the current date, by rank and title, with the outcomes of some weeks.
    ///
    /// The cost is one row for each event of the user.
    ///
    /// - Parameters:
    ///   - weeks: The number of weeks, which end with the current week, from 1.
    ///   - user: The user.
    /// - Returns: The habits.
    /// - Throws: An error of the engine.
    public static func calendar(weeks: Int, of user: ActingUser) throws -> [HabitDay] {
        try read(of: user, on: user.today, where: "TRUE", weeks: weeks)
    }

    /// The columns of a habit and of its event on a day.
    private struct Stored {
        var key: Int64
        var habit: String
        var title: String
        var unit: String?
        var outcome: Outcome?
        var amount: Double?
        var comment: String?
    }

    private static func read(of user: ActingUser, on day: Day, where condition: SQL, weeks: Int = 2) throws
        -> [HabitDay]
    {
        let sql: SQL = """
            SELECT habit.id, habit.external_id, habit.title, habit.unit, event.outcome, event.amount, event.comment
            FROM habit
            LEFT JOIN event ON event.habit_id = habit.id
              AND event.user_id = habit.user_id
              AND event.day = \(.day(day), as: "day")
            WHERE habit.user_id = \(.integer(user.key), as: "viewer") AND \(condition)
            ORDER BY habit.rank NULLS LAST, habit.title_folded, habit.external_id
            """
        var rows: [Stored] = []
        try user.session.query(sql) { row in
            let stored = Stored(
                key: row.integer(0),
                habit: row.text(1) ?? "",
                title: row.text(2) ?? "",
                unit: row.text(3),
                outcome: row.text(4).flatMap(Outcome.init(rawValue:)),
                amount: row.isNull(5) ? nil : row.number(5),
                comment: row.text(6))
            rows.append(stored)
            return true
        }
        let reader = HabitHistoryReader(user.session)
        return try rows.compactMap { row in
            guard let history = try reader.history(of: row.key)?.schedule else { return nil }
            let outcomes = try reader.outcomes(of: row.key, user: user.key, target: history.targetAmount)
            return HabitDay(row, history: history, outcomes: outcomes, on: day, today: user.today, weeks: weeks)
        }
    }

    private init(_ row: Stored, history: ScheduleHistory, outcomes: Outcomes, on day: Day, today: Day, weeks: Int) {
        // A traveler can record an event of the next date.
        let reportDay = max(day, today)
        let statistics = HabitStatistics(
            history: history.beginning(on: outcomes.first ?? reportDay),
            outcomes: outcomes,
            on: reportDay)
        key = row.key
        habit = row.habit
        title = row.title
        schedule = history.schedule(on: day)
        isToDo = statistics.isToDo(day)
        isDone = statistics.hasDoneEvent(day)
        isUnplanned = row.outcome == .done && !history.includes(day)
        outcome = row.outcome
        comment = row.comment
        amount = row.amount
        unit = row.unit
        amountProgress = history.targetAmount.map { target in
            AmountProgress(amount: row.amount, target: target, unit: row.unit)
        }
        if let target = schedule.target, let progress = statistics.progress(on: day) {
            periodProgress = PeriodProgress(done: progress.done, target: target)
        } else {
            periodProgress = nil
        }
        let streaks = statistics.streaks
        streak = streaks.current
        longestStreak = streaks.longest
        rate = statistics.completionRate(in: statistics.currentWeeks)
        let first = reportDay.monday.clampedAdvanced(by: -7 * (weeks - 1))
        firstDay = first
        let days = (0...first.distance(to: reportDay)).map(first.advanced)
        self.outcomes = days.map(statistics.dayOutcome)
        daysBelowTarget = Set(days.filter(outcomes.isBelowTarget))
    }
}

extension HabitDay.PeriodProgress: CustomStringConvertible {
    /// The progress in words, such as `2 of 3 in 7 days`.
    public var description: String {
        "\(done) of \(target.times) in \(target.periodDays) \(target.periodDays == 1 ? "day" : "days")"
    }
}
