import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

extension DayPlan {
    /// Reads the plan of the acting user.
    static func read(_ common: CommonOptions) throws -> DayPlan {
        let clock = try common.clock()
        return try common.open(.read).read { session in
            try DayPlan(of: common.actingUser(common.viewer(in: session), clock, in: session))
        }
    }

    /// Returns the date and the number of habits that are done.
    func heading(_ style: TerminalStyle) -> String {
        style.line([today.inHeading, "\(doneCount) of \(dueCount) done"])
    }
}

extension HabitDay {
    /// The symbol before the title.
    var symbol: TerminalSymbol {
        switch mark {
        case .done: .done
        case .partlyDone: .partlyDone
        case .skipped: .skipped
        case .open: .open
        }
    }

    /// The outcomes of the days in the words of calendars in text.
    var dayWords: [String] {
        outcomes.enumerated().map { offset, outcome in
            let day = firstDay.advanced(by: offset)
            return daysBelowTarget.contains(day) ? CalendarRow.partlyDone : outcome.rawValue
        }
    }
}
