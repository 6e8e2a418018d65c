import ArgumentParser
import HabitStore

struct HabitDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a habit of yours with all its events, for good.",
        discussion: """
            Example:
              habitat habit delete alice-swim --as alice --yes
            """)

    @Argument(help: ArgumentHelp("The habit's id, or its title.", valueName: "habit"))
    var habit: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the habit '\(habit)' with all its events?")
        try common.tell(output) { user in
            let id = try Things(viewer: user.viewer, in: user.session).habitID(named: habit)
            let events = try HabitActions(user).delete(id)
            return [("deleted", .text(id)), ("events", .integer(Int64(events)))]
        }
    }
}
