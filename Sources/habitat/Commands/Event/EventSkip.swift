import ArgumentParser
import Base
import HabitModel
import HabitStore

struct EventSkip: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip", abstract: "Mark a due day of a habit as skipped.",
        discussion: """
            A skipped day counts neither as done nor as missed. An event that you add later for the same day replaces \
            the skipped one.

            Examples:
              habitat event skip --habit alice-gym --as alice --day 2026-11-19 \\
                --comment ill
              habitat event skip gym --as alice --day 2026-11-19
            """)

    @Argument(
        help: ArgumentHelp("ID or title of the habit, or the beginning of its title.", valueName: "habit"),
        completion: .ownHabit)
    var name: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("The habit, instead of the argument.", valueName: "habit"),
        completion: .ownHabit)
    var habit: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Day to skip (default: today).", valueName: "date"),
        completion: .day)
    var day: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Comment, up to 20 characters by default.", valueName: "text"),
        completion: .anyText)
    var comment: String?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let habit = try CommonOptions.required(
            name, orOption: habit, named: "habit", example: "habitat event skip walk")
        var draft = EventDraft()
        if let day { _ = try DayExpression(day, field: "day") }
        draft.details.comment = FieldInput(option: comment)
        try common.performAndShow(output) { change in
            change.line(ofEvent: nil)
        } action: { [draft] user in
            let draft = try draft.on(day, today: user.today)
            let id = try common.keepingUndo(for: user) { actions in try actions.skip(habit: habit, draft) }
            return try EventQuery.one(id, viewer: user.viewer, in: user.session)
        }
    }
}
