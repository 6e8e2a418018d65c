import ArgumentParser
import HabitStore

struct ItemDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an item of yours with its claims and messages, for good.",
        discussion: """
            'habitat item withdraw' ends the offer and keeps them.

            Example:
              habitat item delete item-0051 --as alice --yes
            """)

    @Argument(help: ArgumentHelp("The item's id.", valueName: "item"))
    var item: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the item '\(item)' with its claims and messages?")
        try common.tell(output) { user in
            let (claims, messages) = try ItemActions(user).delete(item)
            return [
                ("deleted", .text(item)), ("claims", .integer(Int64(claims))), ("messages", .integer(Int64(messages))),
            ]
        }
    }
}
