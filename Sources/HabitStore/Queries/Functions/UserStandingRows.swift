import Base
import HabitModel
import StoreEngine

/// The rows of `user_standings(day)`: each user with a visible habit, and the user's combined statistics.
///
/// The statistics include only the viewer's own habits. All columns except the ID are null for other users.
final class UserStandingRows: TableFunctionRows {
    enum Column: String, CaseIterable {
        case user, due, done, completion_rate, day_due, day_done, streak_current, streak_title

        var kind: TableFunction.Column.Kind {
            switch self {
            case .user, .streak_title: .text
            case .due, .done, .day_due, .day_done, .streak_current: .integer
            case .completion_rate: .number
            }
        }
    }

    static let columns = Column.allCases

    /// The statistics of one user, each computed on first access.
    private struct User {
        let id: String
        /// The statistics of the user's habits that are the viewer's own.
        var standings: [LazyHabitStatistics] = []
        var completion: Completion?
        var dayCompletion: Completion?
        var streak: Streak?
    }

    /// Due days, and how many of them are done.
    private struct Completion {
        var due = 0
        var done = 0

        mutating func add(_ days: (due: Int, done: Int)) {
            due += days.due
            done += days.done
        }
    }

    /// A streak and the title of its habit.
    private struct Streak {
        var count = 0
        var title: String?
    }

    private let habits: () throws -> LazyHabit?
    private let day: Day?
    private let functions: HabitFunctions
    private var current: User?
    /// The first habit of the next user.
    private var upcoming: LazyHabit?

    /// Creates the rows.
    ///
    /// `habits` must return all habits of a user consecutively.
    init(_ habits: @escaping () throws -> LazyHabit?, day: Day?, of functions: HabitFunctions) {
        self.habits = habits
        self.day = day
        self.functions = functions
    }

    func next() throws -> Bool {
        current = nil
        guard let first = try upcoming ?? habits() else { return false }
        upcoming = nil
        var user = User(id: first.owner.id)
        var habit: LazyHabit? = first
        while let next = habit, next.owner.key == first.owner.key {
            if next.isOwn {
                let standing = functions.standing(of: next, on: day)
                user.standings.append(standing)
            }
            habit = try habits()
        }
        upcoming = habit
        current = user
        return true
    }

    func value(_ column: Int) throws -> Value {
        guard let user = current else { return .null }
        switch Self.columns[column] {
        case .user: return .text(user.id)
        case _ where user.standings.isEmpty: return .null
        case .due: return .integer(Int64(try completion().due))
        case .done: return .integer(Int64(try completion().done))
        case .completion_rate:
            let days = try completion()
            guard days.due > 0 else { return .null }
            return .number(Double(days.done) / Double(days.due))
        case .day_due: return .integer(Int64(try dayCompletion().due))
        case .day_done: return .integer(Int64(try dayCompletion().done))
        case .streak_current: return .integer(Int64(try streak().count))
        case .streak_title: return .text(try streak().title)
        }
    }

    /// Returns the number of due and of done days in the current four weeks.
    private func completion() throws -> Completion {
        guard let user = current else { return Completion() }
        if let known = user.completion { return known }
        var sum = Completion()
        for standing in user.standings {
            sum.add(try standing.completion(includingToday: functions.includingToday))
        }
        current?.completion = sum
        return sum
    }

    private func dayCompletion() throws -> Completion {
        guard let user = current else { return Completion() }
        if let known = user.dayCompletion { return known }
        var sum = Completion()
        for standing in user.standings {
            let day = day ?? standing.reportDay
            // No habit is due on a future day.
            guard day == standing.reportDay else { continue }
            // Reads four weeks of events, because most callers that read this value also read the completion of the
            // four weeks.
            let first = HabitStatistics.currentWeeks(of: day).lowerBound
            let statistics = try standing.standing(from: first)
            sum.add(
                statistics.completion(
                    in: day...day,
                    includingToday: functions.includingToday))
        }
        current?.dayCompletion = sum
        return sum
    }

    /// Returns the longest current streak and the title of its habit.
    ///
    /// If several habits have the same streak, the result is the title that sorts first by its bytes.
    private func streak() throws -> Streak {
        guard let user = current else { return Streak() }
        if let known = user.streak { return known }
        var longest = Streak()
        for standing in user.standings {
            let count = try standing.streak(upTo: standing.reportDay)
            let title = standing.habit.title
            guard count > 0, count >= longest.count else { continue }
            if count == longest.count, let known = longest.title {
                guard title.utf8.lexicographicallyPrecedes(known.utf8) else { continue }
            }
            longest = Streak(count: count, title: title)
        }
        current?.streak = longest
        return longest
    }
}
