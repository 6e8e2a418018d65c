import ArgumentParser
import HabitModel
import HabitStore

/// The fields of a habit, for commands that create or change one.
struct HabitFields: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("1 to 20 characters.", valueName: "text"))
    var title: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Names (mon,wed), numbers from Monday (1,3) or a mask (1010000).", valueName: "weekdays"))
    var days: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Up to 30 characters; empty for none.", valueName: "text"))
    var reason: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The first day.", valueName: "date"))
    var start: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The last day, or none.", valueName: "date"))
    var end: String?

    func draft() throws -> HabitDraft {
        var draft = HabitDraft()
        draft.title = Given(option: title)
        draft.schedule = try days.map { .value(try Schedule($0)) } ?? .absent
        draft.reason = Given(option: reason)
        draft.start = try start.map { .value(try Parse.day($0, option: "start")) } ?? .absent
        draft.end = try Given(option: end, named: "end")
        return draft
    }
}
