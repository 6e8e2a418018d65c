import ArgumentParser
import HabitStore

struct MessageDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a message that you sent.",
        discussion: """
            The message is deleted for the sender and the recipient.

            Example:
              habitat message delete message-0042 --as alice --yes
            """)

    @Argument(help: ArgumentHelp("ID of the message.", valueName: "message"))
    var message: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the message '\(message)'?")
        try common.performAndReport(output) { user in
            try MessageActions(user).delete(message)
            return [("deleted", .text(message))]
        }
    }
}
