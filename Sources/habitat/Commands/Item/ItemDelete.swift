import ArgumentParser
import HabitStore

struct ItemDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete one of your items permanently.",
        discussion: """
            The command also deletes the claims and messages of the item. To end the offer without deleting them, use \
            'habitat item withdraw'.

            Example:
              habitat item delete item-0051 --as alice --yes
            """)

    @Argument(help: ArgumentHelp("ID of the item.", valueName: "item"))
    var item: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the item '\(item)' with its claims and messages?")
        try common.performAndReport(output) { user in
            let (claims, messages) = try ItemActions(user).delete(item)
            return [
                ("deleted", .text(item)), ("claims", .integer(Int64(claims))), ("messages", .integer(Int64(messages))),
            ]
        }
    }
}
