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

    @Argument(help: ArgumentHelp("ID of the message.", valueName: "message"), completion: .anyText)
    var message: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try common.delete(
            [message], confirmation: confirmation, output: output,
            prompt: { record in "Delete the message \(record)?" }
        ) {
            user, _, message in
            let query = try MessageQuery.one(message, viewer: user.viewer, in: user.session)
            let text = try query.record(in: user.session)?["text"]
            try MessageActions(user).delete(message)
            return Deletion(
                id: message, subject: text.map { text in "the message \"\(text)\"" } ?? "the message \(message)",
                values: [("deleted", .text(message))])
        }
    }
}
