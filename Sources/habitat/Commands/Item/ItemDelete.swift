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

    @Argument(help: ArgumentHelp("ID or name of the item.", valueName: "item"))
    var item: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let confirmed = try common.confirm(
            [item], by: confirmation, question: { record in "Delete the item \(record) with its claims and messages?" }
        ) { names, clock, name in
            let id = try names.itemID(name, in: .own, clock: clock)
            return (id, try names.title(of: .item, id: id))
        }
        try common.performAndReport(output, of: confirmed) { user, name in
            let item = try user.wholeNames.itemID(name, in: .own, clock: user.clock)
            let (claims, messages) = try ItemActions(user).delete(item)
            return [
                ("deleted", .text(item)), ("claims", .integer(Int64(claims))), ("messages", .integer(Int64(messages))),
            ]
        }
    }
}
