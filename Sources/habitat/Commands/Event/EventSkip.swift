import ArgumentParser
import HabitModel
import HabitStore

struct EventSkip: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip", abstract: "Take a due day out of the count: neither done nor missed.",
        discussion: """
            An event that is added later takes its place.

            Example:
              habitat event skip --habit alice-gym --as alice --day 2026-11-19 --comment ill
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("The habit's id, or its title.", valueName: "habit"))
    var habit: String
    @Option(parsing: .unconditional, help: ArgumentHelp("The day (default: today).", valueName: "date"))
    var day: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Up to 20 characters.", valueName: "text"))
    var comment: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let day = try day.map { try Parse.day($0, option: "day") }
        try common.act(output) { user in
            let id = try EventActions(user).skip(habit: habit, day: day, comment: Given(option: comment))
            return try EventQuery.one(id, viewer: user.viewer, in: user.session)
        }
    }
}
