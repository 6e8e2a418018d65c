import Base
import HabitModel
import StoreEngine

/// The rows of `habit_standings(day)`: the statistics of each visible habit on a day.
final class HabitStandingRows: TableFunctionRows {
    enum Column: String, CaseIterable {
        case habit, days, due, done, completion_rate, status, color, streak_current, streak_longest, score
        case times, period_days

        var kind: TableFunction.Column.Kind {
            switch self {
            case .habit, .days, .status, .color: .text
            case .due, .done, .streak_current, .streak_longest, .times, .period_days: .integer
            case .completion_rate, .score: .number
            }
        }
    }

    static let columns = Column.allCases

    private let habits: () throws -> LazyHabit?
    private let day: Day?
    private let functions: HabitFunctions
    private var current: LazyHabitStatistics?

    init(_ habits: @escaping () throws -> LazyHabit?, day: Day?, of functions: HabitFunctions) {
        self.habits = habits
        self.day = day
        self.functions = functions
    }

    func next() throws -> Bool {
        guard let habit = try habits() else {
            current = nil
            return false
        }
        current = functions.standing(of: habit, on: day)
        return true
    }

    func value(_ column: Int) throws -> Value {
        guard let standing = current else { return .null }
        let habit = standing.habit
        switch Self.columns[column] {
        case .habit: return .text(habit.id)
        case .days:
            guard let weekdays = schedule(standing).weekdays else { return .null }
            return .text(weekdays.description)
        case .times:
            guard let target = schedule(standing).target else { return .null }
            return .integer(Int64(target.times))
        case .period_days:
            guard let target = schedule(standing).target else { return .null }
            return .integer(Int64(target.periodDays))
        case .status:
            return .text(try status(standing).rawValue)
        case .color:
            return .text(try status(standing).color)
        case _ where !habit.isOwn:
            return .null
        case .due:
            let days = try standing.completion(includingToday: functions.includingToday)
            return .integer(Int64(days.due))
        case .done:
            let days = try standing.completion(includingToday: functions.includingToday)
            return .integer(Int64(days.done))
        case .completion_rate:
            guard let rate = try rate(standing) else { return .null }
            return .number(rate)
        case .streak_current:
            let streak = try standing.streak(upTo: standing.reportDay)
            return .integer(Int64(streak))
        case .streak_longest:
            return .integer(Int64(try standing.longestStreak))
        case .score:
            return .number(try standing.score)
        }
    }

    private func schedule(_ standing: LazyHabitStatistics) -> Schedule {
        standing.history.schedule(on: standing.reportDay)
    }

    private func rate(_ standing: LazyHabitStatistics) throws -> Double? {
        try standing.rate(includingToday: functions.includingToday)
    }

    private func status(_ standing: LazyHabitStatistics) throws -> HabitStatus {
        HabitStatus(completionRate: try rate(standing))
    }
}
