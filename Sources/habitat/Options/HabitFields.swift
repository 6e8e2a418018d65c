import ArgumentParser
import Base
import HabitModel
import HabitStore

/// The fields of a habit, for commands that create or change one.
struct HabitFields: ParsableArguments {
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Title, up to 20 characters by default.", valueName: "text"),
        completion: .anyText)
    var title: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Weekdays: names and ranges (mon-wed,sat), daily, weekdays, weekends, numbers from Monday (1,3) or a mask (1010000).",
            valueName: "weekdays"), completion: .list(["daily", "weekdays", "weekends"] + Weekdays.names))
    var days: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Target instead of weekdays: the number of completions in a period (default: 7 days).",
            valueName: "number"), completion: .anyText)
    var times: Int?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Period of --times: week, month or a number of days.", valueName: "period"),
        completion: .list(["week", "month"]))
    var per: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Length of the period of --times, in days; the same as --per.", valueName: "days"),
        completion: .anyText)
    var periodDays: Int?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Amount that an event needs so that its day is done, or 'none'.", valueName: "number"), completion: .anyText
    )
    var targetAmount: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Unit of the amounts, up to 20 characters; empty clears it.", valueName: "text"),
        completion: .anyText)
    var unit: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of the color of the habit on pages, from 1 to 6, or 'none'. Others see it.", valueName: "number"),
        completion: .list(HabitRecord.tints.map(\.description)))
    var tint: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Symbol, one character such as an emoji; empty clears it. Others see it.", valueName: "text"),
        completion: .anyText)
    var symbol: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Place among your habits in lists, from 0, smaller first, or 'none'.", valueName: "number"),
        completion: .anyText)
    var rank: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Local time of the alarm in your calendar (07:30), or 'none'.", valueName: "time"),
        completion: .anyText)
    var remindAt: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Reason, up to 30 characters by default; empty clears it.", valueName: "text"),
        completion: .anyText)
    var reason: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("First day of the habit.", valueName: "date"), completion: .day)
    var start: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Last day of the habit, or 'none'.", valueName: "date"),
        completion: .day)
    var end: String?

    /// Whether the options specify weekdays or a target.
    var hasSchedule: Bool { days != nil || times != nil || periodDays != nil || per != nil }

    /// Returns the values that the options set.
    ///
    /// The values need the current date of the user. Call ``check()`` before the store is opened.
    func draft(today: Day) throws -> HabitDraft {
        var draft = try draftWithoutDays()
        draft.start = try start.map { .value(try DayExpression($0, field: "start").day(today: today)) } ?? .absent
        draft.end = try FieldInput(option: end, named: "end", today: today)
        return draft
    }

    /// Checks all values as far as they do not depend on the store.
    func check() throws {
        _ = try draftWithoutDays()
        if let start { _ = try DayExpression(start, field: "start") }
        try FieldInput<Day>.check(end, named: "end")
    }

    private func draftWithoutDays() throws -> HabitDraft {
        var draft = HabitDraft()
        draft.title = FieldInput(option: title)
        if hasSchedule {
            draft.schedule = .value(try Schedule(days: days, times: times, periodDays: try period()))
        }
        draft.targetAmount = try FieldInput(amount: targetAmount, named: "target-amount")
        if draft.targetAmount.value == 0 {
            throw HabitError(.fieldInvalid, "the target amount must be more than 0", field: "target-amount")
        }
        draft.unit = FieldInput(option: unit)
        draft.tint = try FieldInput(option: tint, of: .tint)
        draft.symbol = try FieldInput(option: symbol).map(HabitSymbol.check)
        draft.rank = try FieldInput(option: rank, of: .rank)
        draft.remindAt = try FieldInput(option: remindAt, named: "remind-at")
        draft.reason = FieldInput(option: reason)
        return draft
    }

    /// Returns the days of the period of a target, or `nil` without a target.
    private func period() throws -> Int? {
        guard let per else {
            return periodDays ?? (times == nil ? nil : 7)
        }
        guard periodDays == nil else {
            throw HabitError(
                .usage, "--per and --period-days are mutually exclusive: omit one of them", field: "per")
        }
        switch per.lowercased() {
        case "week": return 7
        case "month": return 30
        case let text:
            guard let days = Int(text) else {
                throw HabitError(
                    .parameterInvalid, "'\(per)' is not a period: write week, month or a number of days", field: "per")
            }
            return days
        }
    }
}
