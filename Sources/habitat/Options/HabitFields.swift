import ArgumentParser
import HabitModel
import HabitStore

/// The fields of a habit, for commands that create or change one.
struct HabitFields: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("Title, 1 to 20 characters.", valueName: "text"))
    var title: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Weekdays: names (mon,wed), numbers from Monday (1,3) or a mask (1010000).", valueName: "weekdays"))
    var days: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Reason, up to 30 characters; empty clears it.", valueName: "text"))
    var reason: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("First day of the habit.", valueName: "date"))
    var start: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Last day of the habit, or 'none'.", valueName: "date"))
    var end: String?

    func draft() throws -> HabitDraft {
        var draft = HabitDraft()
        draft.title = FieldInput(option: title)
        draft.schedule = try days.map { .value(try Schedule($0)) } ?? .absent
        draft.reason = FieldInput(option: reason)
        draft.start = try start.map { .value(try Parse.day($0, option: "start")) } ?? .absent
        draft.end = try FieldInput(option: end, named: "end")
        return draft
    }
}
