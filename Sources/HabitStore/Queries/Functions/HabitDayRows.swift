import Base
import HabitModel
import StoreEngine

/// The rows of `habit_days(from_day, to_day)`: the days on which a habit existed or has an event.
final class HabitDayRows: TableFunctionRows {
    enum Column: String, CaseIterable {
        case habit, day, scheduled, due, done, outcome, streak, score

        var kind: TableFunction.Column.Kind {
            switch self {
            case .habit, .day, .outcome: .text
            case .scheduled, .due, .done, .streak: .integer
            case .score: .number
            }
        }
    }

    static let columns = Column.allCases

    /// The days of one habit.
    ///
    /// Scores and streaks are computed on first access.
    private struct Habit {
        var lazy: LazyHabitStatistics
        var standing: HabitStatistics
        var outcomes: Outcomes
        var days: ClosedRange<Day>
        var scores: [Double] = []
        /// The last streak that was computed, or `nil` before the first access.
        var streak: Streak?
    }

    /// A streak on the day before ``nextDay``.
    private struct Streak {
        var nextDay: Day
        var count: Int
    }

    private let habits: () throws -> LazyHabit?
    private let from: Day?
    private let to: Day?
    private let functions: HabitFunctions
    private var current: Habit?
    private var day = Day.first

    init(
        _ habits: @escaping () throws -> LazyHabit?,
        from: Day?,
        to: Day?,
        of functions: HabitFunctions
    ) {
        self.habits = habits
        self.from = from
        self.to = to
        self.functions = functions
    }

    func next() throws -> Bool {
        while true {
            if let current, day < current.days.upperBound {
                day = day.advanced(by: 1)
                if isShown(day, of: current) {
                    return true
                }
                continue
            }
            guard let habit = try habits() else { return false }
            current = try open(habit)
            guard let current else { continue }
            day = current.days.lowerBound
            if isShown(day, of: current) {
                return true
            }
        }
    }

    /// Returns the days of a habit to examine, or `nil` if the habit has no day in the range.
    private func open(_ habit: LazyHabit) throws -> Habit? {
        let lazy = functions.standing(of: habit, on: nil)
        guard let days = try lazy.days(from: from, to: to) else { return nil }
        return Habit(
            lazy: lazy,
            standing: try lazy.standing(from: days.lowerBound),
            outcomes: try habit.outcomes(from: days.lowerBound),
            days: days)
    }

    private func isShown(_ day: Day, of habit: Habit) -> Bool {
        if habit.outcomes.hasEvent(on: day) { return true }
        let history = habit.lazy.history
        return history.exists(on: day) && !history.missingDates.contains(day)
    }

    func value(_ column: Int) throws -> Value {
        guard let habit = current else { return .null }
        let standing = habit.standing
        switch Self.columns[column] {
        case .habit:
            return .text(habit.lazy.habit.id)
        case .day:
            return .day(day)
        case .scheduled:
            let history = habit.lazy.history
            return .boolean(history.includes(day) && !history.pauses.contains(day))
        case .due:
            return .boolean(standing.isDue(day) && !isOpen(habit))
        case .done:
            return .boolean(standing.isDone(day))
        case .outcome:
            return .text(standing.dayOutcome(day).rawValue)
        case .streak:
            return .integer(Int64(try streak()))
        case .score:
            return .number(try score())
        }
    }

    private func isOpen(_ habit: Habit) -> Bool {
        habit.standing.isOpen(day) && !functions.includingToday
    }

    /// Returns the streak on ``day``, computed from the streak on the previous day.
    private func streak() throws -> Int {
        guard var habit = current else { return 0 }
        let standing = habit.standing
        var streak = try habit.streak ?? firstStreak(of: habit)
        while streak.nextDay <= day {
            if standing.isDone(streak.nextDay) {
                streak.count += 1
            } else if standing.isDue(streak.nextDay), !standing.isOpen(streak.nextDay) {
                streak.count = 0
            }
            streak.nextDay = streak.nextDay.advanced(by: 1)
        }
        habit.streak = streak
        current = habit
        return streak.count
    }

    private func firstStreak(of habit: Habit) throws -> Streak {
        let yesterday = day.clampedAdvanced(by: -1)
        let count = try habit.lazy.streak(upTo: yesterday)
        return Streak(nextDay: day, count: count)
    }

    private func score() throws -> Double {
        guard var habit = current else { return 0 }
        if habit.scores.isEmpty {
            habit.scores = try habit.lazy.scores(in: habit.days)
            current = habit
        }
        return habit.scores[habit.days.lowerBound.distance(to: day)]
    }
}
