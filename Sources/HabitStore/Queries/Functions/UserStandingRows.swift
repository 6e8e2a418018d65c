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
        var completion: (due: Int, done: Int)?
        var dayCompletion: (due: Int, done: Int)?
        var streak: (count: Int, title: String?)?

        func sum(_ completion: (LazyHabitStatistics) throws -> (due: Int, done: Int)) rethrows -> (due: Int, done: Int)
        {
            try standings.reduce(into: (due: 0, done: 0)) { sum, standing in
                let (due, done) = try completion(standing)
                sum = (sum.due + due, sum.done + done)
            }
        }
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
            if next.isOwn { user.standings.append(functions.standing(of: next, on: day)) }
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
            let (due, done) = try completion()
            return due == 0 ? .null : .number(Double(done) / Double(due))
        case .day_due: return .integer(Int64(try dayCompletion().due))
        case .day_done: return .integer(Int64(try dayCompletion().done))
        case .streak_current: return .integer(Int64(try streak().count))
        case .streak_title: return try streak().title.map { .text($0) } ?? .null
        }
    }

    /// Returns the number of due and of done days in the current four weeks.
    private func completion() throws -> (due: Int, done: Int) {
        guard let user = current else { return (0, 0) }
        if let known = user.completion { return known }
        let completion = try user.sum { try $0.completion(includingToday: functions.includingToday) }
        current?.completion = completion
        return completion
    }

    private func dayCompletion() throws -> (due: Int, done: Int) {
        guard let user = current else { return (0, 0) }
        if let known = user.dayCompletion { return known }
        let completion = try user.sum { standing in
            let day = day ?? standing.reportDay
            // No habit is due on a future day.
            guard day == standing.reportDay else { return (0, 0) }
            // Reads four weeks of events, because most callers that read this value also read the completion of the
            // four weeks.
            let first = HabitStatistics.currentWeeks(of: day).lowerBound
            return try standing.standing(from: first).completion(
                in: day...day, includingToday: functions.includingToday)
        }
        current?.dayCompletion = completion
        return completion
    }

    /// Returns the longest current streak and the title of its habit.
    ///
    /// If several habits have the same streak, the result is the title that sorts first by its bytes.
    private func streak() throws -> (count: Int, title: String?) {
        guard let user = current else { return (0, nil) }
        if let known = user.streak { return known }
        var longest: (count: Int, title: String?) = (0, nil)
        for standing in user.standings {
            let (count, title) = (try standing.streak(upTo: standing.reportDay), standing.habit.title)
            let isFirst = longest.title.map { title.utf8.lexicographicallyPrecedes($0.utf8) } ?? true
            if count > longest.count || count == longest.count && count > 0 && isFirst { longest = (count, title) }
        }
        current?.streak = longest
        return longest
    }
}
