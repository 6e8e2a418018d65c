import Base
import Foundation
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The prompts of `habitat done` without a habit: one for each open habit of today.
struct DayQuestions {
    /// The reply to the prompt of a habit.
    private enum Reply {
        case done(amount: Double?)
        case skip
        case later
        case quit
    }

    /// The maximum width of a title in a prompt, in terminal columns.
    private static let titleWidth = 40

    private let entries: DayEntries

    init(_ entries: DayEntries) { self.entries = entries }

    /// Prompts for each open habit, and records each reply in a transaction of its own.
    ///
    /// The end of the input has the effect of `q`.
    ///
    /// - Throws: `usage` if the options name another day, and the errors of the store.
    func ask() throws {
        guard entries.day == nil else {
            throw HabitError(.usage, "the questions are about today: name a habit, such as 'habitat done walk'")
        }
        let plan = try DayPlan.read(entries.common)
        let style = try entries.output.renderOptions(single: false).style
        let keys = style.line(["y done", "s skip", "Enter later", "q quit"])
        ErrorReport.line("\(plan.heading(style))   (\(keys))")
        let open = plan.habits.filter(\.isOpen)
        let titles = String.aligned(open.map(\.title), limit: Self.titleWidth)
        for (habit, title) in zip(open, titles) {
            let progress = habit.progressText.map { progress in "  \(progress)" } ?? ""
            guard try record(habit, question: "  \(title)\(progress)") else { return }
        }
    }

    /// Prompts for one habit and records the reply.
    ///
    /// - Returns: Whether the prompts continue.
    private func record(_ habit: HabitDay, question: String) throws -> Bool {
        switch reply(habit, question) {
        case .done(let amount):
            var done = entries
            if let amount { done.draft.details.amount = .value(amount) }
            try done.record([habit.habit])
        case .skip:
            var draft = EventDraft()
            draft.details.comment = entries.draft.details.comment
            let skipped = DayEntries(
                outcome: .skipped, draft: draft, day: nil, output: entries.output, common: entries.common)
            try skipped.record([habit.habit])
        case .later: break
        case .quit: return false
        }
        return true
    }

    /// Returns the line that explains why the prompt is repeated.
    private static func hint(takesAmount: Bool, unit: String?) -> String {
        guard takesAmount else { return "Type y, s or q, or press Enter for later." }
        let amount = unit.map { unit in "the number of \(unit)" } ?? "the amount"
        return "Type \(amount), such as 12 or 2.5, s to skip, or press Enter for later."
    }

    /// Repeats the prompt until the reply is valid, and explains each repetition.
    private func reply(_ habit: HabitDay, _ question: String) -> Reply {
        let takesAmount = habit.amountProgress != nil && entries.draft.details.amount.value == nil
        let choices = takesAmount ? "\(habit.unit ?? "amount"), s or Enter: " : "[y/s/q] "
        while true {
            ErrorReport.write(ErrorReport.clean("\(question)  \(choices)"))
            guard let line = readLine() else {
                ErrorReport.line("")
                return .quit
            }
            let text = line.trimmingCharacters(in: .whitespaces).lowercased()
            switch text {
            case "": return .later
            case "s", "skip": return .skip
            case "q", "quit": return .quit
            case "y", "yes", "done":
                if !takesAmount { return .done(amount: nil) }
            default:
                if takesAmount, let amount = Double(text), amount.isFinite, amount >= 0 { return .done(amount: amount) }
            }
            ErrorReport.line("  \(Self.hint(takesAmount: takesAmount, unit: habit.unit))")
        }
    }
}
