import ArgumentParser
import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The changes of `done` and `skip`: the same outcome and values for several habits, in one transaction.
struct DayEntries {
    let outcome: Outcome
    /// The values of every event, without the day.
    var draft: EventDraft
    /// The option for the position, or `nil` for a skipped day, which has no position.
    var photoOptions: PhotoOptions?
    /// The day of the habits that name no day, or `nil` for today.
    var day: String?
    let output: OutputOptions
    let common: CommonOptions

    /// Records the outcome of some habits and confirms each with a line.
    ///
    /// - Parameter names: The habits, such as `gym` or `gym@wed`.
    /// - Throws: The errors of the names and of ``EventActions/put(habit:_:as:)``. Then nothing is changed.
    func record(_ names: [String]) throws {
        try common.change(output) { session, viewer, clock in
            let user = try common.actingUser(viewer, clock, in: session)
            var draft = try draft.on(day, today: user.today)
            if let photoOptions {
                draft.details.position = try photoOptions.position(draft.details.position, of: user)
            }
            let style = try output.renderOptions(single: false).style
            var events: [String] = []
            let lines = try common.keepingUndo(for: user) { actions in
                try names.map { name in
                    let named = try EventReference(name).namedDay(of: user)
                    var draft = draft
                    draft.day = named.day ?? draft.day
                    let entry = try DayEntry(habit: named.habit, draft, outcome, by: actions, of: user)
                    events.append(entry.event)
                    return entry.line(style)
                }
            }
            try show(events, lines, for: user)
        }
    }

    /// Shows the events if an option requests them, otherwise the lines.
    private func show(_ events: [String], _ lines: [String], for user: ActingUser) throws {
        guard output.showsRecord else {
            for line in lines { try common.confirm(line) }
            return
        }
        let selections = try events.map { id in try EventQuery.one(id, viewer: user.viewer, in: user.session) }
        guard let first = selections.first else { return }
        try output.show(common, whenEmpty: "", single: events.count == 1) { begin in
            let receiver = try begin(first.shape)
            for selection in selections { try receiver.append(selection.sql, in: user.session) }
        }
    }
}

/// The outcome of one habit on one day, which `done` or `skip` has recorded.
struct DayEntry {
    /// The ID of the event.
    let event: String
    private let outcome: Outcome
    private let day: Day
    private let today: Day
    private let isChanged: Bool
    private let before: HabitDay
    private let after: HabitDay

    /// Records the outcome of a day.
    ///
    /// - Parameters:
    ///   - habit: The ID of the habit.
    ///   - draft: The values of the event.
    ///   - outcome: The outcome.
    ///   - actions: The actions of the user.
    ///   - user: The user.
    /// - Throws: The errors of ``EventActions/put(habit:_:as:)``, in the words of these commands.
    init(habit: String, _ draft: EventDraft, _ outcome: Outcome, by actions: EventActions, of user: ActingUser) throws {
        self.outcome = outcome
        day = actions.day(of: draft)
        today = user.today
        let earlier = try HabitDay.of(habit: habit, on: day, of: user)
        let known = actions.journal?.changes
        do {
            event = try actions.put(habit: habit, draft, as: outcome)
        } catch let error as HabitError {
            guard let earlier else { throw error }
            throw UnrecordedDay(habit: earlier, outcome: outcome, day: day, today: today).worded(error)
        }
        isChanged = actions.journal?.changes != known
        guard let earlier, let later = try HabitDay.of(habit: habit, on: day, of: user) else {
            throw HabitError(.internal, "the habit '\(habit)' does not exist")
        }
        before = earlier
        after = later
    }

    /// Returns the line that confirms the entry.
    func line(_ style: TerminalStyle) -> String {
        let title = after.title
        let date = day.inSentence(today: today)
        let comment = after.comment.map { comment in "\"\(comment)\"" }
        guard outcome == .done else {
            return style.line(.skipped, [title, date, isChanged ? "skipped" : "was already skipped", comment])
        }
        let isReached = after.amountProgress?.isReached ?? true
        guard isChanged || !isReached else { return style.line(.done, [title, date, "was already done"]) }
        let parts = [
            title, date, amount, earlierAmount, isReached ? achievement : nil, after.isUnplanned ? "unplanned" : nil,
            comment, missingAmount,
        ]
        return style.line(isReached ? .done : .partlyDone, parts)
    }

    /// The amount with the target amount or the unit.
    private var amount: String? {
        if let progress = after.amountProgress { return progress.description }
        return after.amount.map { amount in
            AmountProgress.text(of: amount, unit: after.unit)
        }
    }

    /// The option for the amount of a habit with a target amount, if the event has no amount.
    private var missingAmount: String? {
        after.amountProgress != nil && after.amount == nil ? "-a adds the amount" : nil
    }

    private var earlierAmount: String? {
        guard before.outcome == .done, let amount = before.amount, amount != after.amount else { return nil }
        return "was \(AmountProgress.text(of: amount))"
    }

    /// The progress towards the target, otherwise the streak.
    private var achievement: String? {
        if let progress = after.periodProgress { return progress.description }
        return after.streak > 0 && !after.isUnplanned ? "streak \(after.streak)" : nil
    }
}

/// A day of a habit that the store does not record.
private struct UnrecordedDay {
    let habit: HabitDay
    let outcome: Outcome
    let day: Day
    let today: Day

    /// Returns an error with the title of the habit and what the user can do.
    func worded(_ error: HabitError) -> HabitError {
        var worded = error
        let date = day.inSentence(today: today)
        switch error.code {
        case .eventExists:
            let name = day == today ? habit.title : "\(habit.title)@\(day)"
            worded.message = "\(habit.title) is done on \(date)"
            worded.remedies = [.advice("run 'habitat event delete \(name.shellWord)'")]
        case .eventNotDue where error.remedies.isEmpty:
            let schedule = ScheduleText.forPeople(habit.schedule.description)
            worded.message = "\(habit.title) is not due on \(date) (\(schedule))"
            worded.remedies = [.advice(outcome == .done ? "pass --unplanned" : "choose a due day")]
        case .eventNotDue:
            worded.message = "\(habit.title) is not due on \(date)"
            let unplanned: [Remedy] = outcome == .done ? [.advice("pass --unplanned")] : []
            worded.remedies = unplanned + error.remedies
        default:
            break
        }
        return worded
    }
}
