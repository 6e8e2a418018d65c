import ArgumentParser
import HabitModel
import HabitStore

struct EventAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Record that a habit of yours was done on a due day, and show the event.",
        discussion: """
            The day is today unless --day or --at says otherwise; it must be due, and not in the future. There is one event for \
            each habit and day; it takes the place of a skipped day.

            Examples:
              habitat event add --habit alice-gym --as alice --day 2026-11-19 --comment "leg day"
              habitat event add --habit Gym --as alice --position 38.7223,-9.1393
              habitat event add --habit alice-gym --as alice --photo gym.jpg --shrink-photo --position photo
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("The habit's id, or its title.", valueName: "habit"))
    var habit: String
    @Option(parsing: .unconditional, help: ArgumentHelp("The day it was done (default: today).", valueName: "date"))
    var day: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("When it was done, in RFC 3339 (default: now).", valueName: "instant"))
    var at: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Up to 20 characters.", valueName: "text"))
    var comment: String?
    @OptionGroup var photo: PhotoOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let draft = try EventDraft(day: day, at: at, comment: comment, photo)
        try common.act(output) { user in
            try EventQuery.one(try EventActions(user).add(habit: habit, draft), viewer: user.viewer, in: user.session)
        }
    }
}
