import ArgumentParser
import Base
import HabitModel
import HabitStore

/// The fields of a habit, for commands that create or change one.
struct HabitFields: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("Title, up to 20 characters by default.", valueName: "text"))
    var title: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Weekdays: names (mon,wed), numbers from Monday (1,3) or a mask (1010000).", valueName: "weekdays"))
    var days: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Target instead of weekdays: the number of completions in a period; requires --period-days.",
            valueName: "number"))
    var times: Int?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Length of the period of --times, in days.", valueName: "days"))
    var periodDays: Int?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Amount that an event needs so that its day is done, or 'none'.", valueName: "number"))
    var targetAmount: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Unit of the amounts, up to 20 characters; empty clears it.", valueName: "text"))
    var unit: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Reason, up to 30 characters by default; empty clears it.", valueName: "text"))
    var reason: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("First day of the habit.", valueName: "date"))
    var start: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Last day of the habit, or 'none'.", valueName: "date"))
    var end: String?

    /// Whether the options specify weekdays or a target.
    var hasSchedule: Bool { days != nil || times != nil || periodDays != nil }

    /// Returns the values that the options set.
    ///
    /// The values need the current date of the user. Call ``check()`` before the store is opened.
    func draft(today: Day) throws -> HabitDraft {
        var draft = try draftWithoutDays()
        draft.start = try start.map { .value(try Parse.day($0, field: "start", today: today)) } ?? .absent
        draft.end = try FieldInput(option: end, named: "end", today: today)
        return draft
    }

    /// Checks all values as far as they do not depend on the store.
    func check() throws {
        _ = try draftWithoutDays()
        if let start { try Parse.checkDay(start, field: "start") }
        try FieldInput<Day>.check(end, named: "end")
    }

    private func draftWithoutDays() throws -> HabitDraft {
        var draft = HabitDraft()
        draft.title = FieldInput(option: title)
        if hasSchedule {
            draft.schedule = .value(try Schedule(days: days, times: times, periodDays: periodDays))
        }
        draft.targetAmount = try FieldInput(amount: targetAmount, named: "target-amount")
        if draft.targetAmount.value == 0 {
            throw HabitError(.fieldInvalid, "the target amount must be more than 0", field: "target-amount")
        }
        draft.unit = FieldInput(option: unit)
        draft.reason = FieldInput(option: reason)
        return draft
    }
}
