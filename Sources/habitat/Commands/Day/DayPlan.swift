import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The habits of a user that are due today.
struct DayPlan {
    let today: Day
    /// The open habits, then the others, each by title.
    let habits: [HabitDay]

    init(of user: ActingUser) throws {
        today = user.today
        let due = try HabitDay.toDo(of: user)
        habits = due.filter(\.isOpen) + due.filter { habit in !habit.isOpen }
    }

    /// Reads the plan of the acting user.
    static func read(_ common: CommonOptions) throws -> DayPlan {
        let clock = try common.clock()
        return try common.open(.read).read { session in
            try DayPlan(of: common.actingUser(common.viewer(in: session), clock, in: session))
        }
    }

    /// Returns the date and the number of habits that are done.
    func heading(_ style: TerminalStyle) -> String {
        let due = habits.filter { habit in habit.outcome != .skipped }
        let done = due.filter(\.isDone).count
        return style.line([today.inHeading, "\(done) of \(due.count) done"])
    }
}

extension HabitDay {
    /// Whether the day is neither done nor skipped.
    var isOpen: Bool { !isDone && outcome != .skipped }

    /// The symbol before the title.
    var mark: TerminalSymbol {
        if outcome == .skipped { return .skipped }
        if isDone { return .done }
        return outcome == .done ? .partlyDone : .open
    }

    /// The progress towards the target and the target amount, or `nil` if the habit has neither.
    var progressText: String? {
        let parts = [periodProgress?.description, amountProgress?.description].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
