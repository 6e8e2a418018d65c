import Base
import HabitModel

/// The habits of a user that are due today, and the statuses of all habits of the user.
public struct DayPlan: Sendable {
    /// The number of habits that have a status.
    public struct StatusCount: Sendable, Equatable {
        /// The status.
        public let status: HabitStatus
        /// The number of habits, from 1.
        public let count: Int
    }

    /// The current date of the user.
    public let today: Day
    /// The habits that are due today: the open habits, then the others, each by rank and title.
    public let habits: [HabitDay]
    /// The statuses that habits of the user have; empty for a user without habits.
    public let statuses: [StatusCount]

    /// Reads the plan of a user.
    ///
    /// The cost is one row for each event of the user.
    ///
    /// - Parameter user: The user.
    /// - Throws: An error of the engine.
    public init(of user: ActingUser) throws {
        let all = try HabitDay.calendar(weeks: 2, of: user)
        let due = all.filter(\.isToDo)
        today = user.today
        habits = due.filter(\.isOpen) + due.filter { habit in !habit.isOpen }
        statuses = HabitStatus.allCases.compactMap { status in
            let count = all.count { habit in habit.status == status }
            return count == 0 ? nil : StatusCount(status: status, count: count)
        }
    }

    /// Whether the user has habits.
    public var hasHabits: Bool { !statuses.isEmpty }

    /// The number of due habits, without the skipped ones.
    public var dueCount: Int { habits.count { habit in habit.outcome != .skipped } }

    /// The number of due habits that are done.
    public var doneCount: Int { habits.count { habit in habit.outcome != .skipped && habit.isDone } }
}

extension HabitDay {
    /// The state of a habit on a day, as a to-do list shows it.
    public enum Mark: Sendable {
        /// An event of the day counts as done.
        case done
        /// The amount of the event does not reach the target amount.
        case partlyDone
        /// The day is skipped.
        case skipped
        /// The day has no event.
        case open
    }

    /// The state of the habit on the day.
    public var mark: Mark {
        if outcome == .skipped { return .skipped }
        if isDone { return .done }
        return outcome == .done ? .partlyDone : .open
    }

    /// Whether the day is neither done nor skipped.
    public var isOpen: Bool { !isDone && outcome != .skipped }

    /// The progress towards the target and the target amount, or `nil` if the habit has neither.
    public var progressText: String? {
        let parts = [periodProgress?.description, amountProgress?.description].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
