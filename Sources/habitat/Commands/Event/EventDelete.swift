import ArgumentParser
import HabitStore

struct EventDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete one of your events permanently.",
        discussion: """
            Example:
              habitat event delete e00513 --as alice --yes
            """)

    @Argument(help: ArgumentHelp("ID of the event.", valueName: "event"))
    var event: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the event '\(event)'?")
        try common.performAndReport(output) { user in
            try EventActions(user).delete(event)
            return [("deleted", .text(event))]
        }
    }
}
