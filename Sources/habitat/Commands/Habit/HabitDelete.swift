import ArgumentParser
import HabitStore

struct HabitDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete one of your habits and its events permanently.",
        discussion: """
            Example:
              habitat habit delete alice-swim --as alice --yes
            """)

    @Argument(help: ArgumentHelp("ID or title of the habit.", valueName: "habit"))
    var habit: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the habit '\(habit)' with all its events?")
        try common.performAndReport(output) { user in
            let id = try AccessChecker(viewer: user.viewer, in: user.session).habitID(named: habit)
            let events = try HabitActions(user).delete(id)
            return [("deleted", .text(id)), ("events", .integer(Int64(events)))]
        }
    }
}
