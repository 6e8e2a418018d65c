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

    @Argument(help: ArgumentHelp("ID or name of the item.", valueName: "item"), completion: .item)
    var item: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try common.delete(
            [item], confirmation: confirmation, output: output,
            prompt: { record in "Delete the item \(record) with its claims and messages?" }
        ) { user, names, name in
            let id = try names.itemID(name, in: .own, clock: user.clock)
            let title = try names.title(of: .item, id: id)
            let deleted = try ItemActions(user).delete(id)
            let subject = title.map { title in "\(title) (\(id))" }
            return Deletion(
                id: id,
                subject: subject ?? id,
                others: [(deleted.claims, "claims"), (deleted.messages, "messages")],
                values: [
                    ("deleted", .text(id)),
                    ("claims", .integer(Int64(deleted.claims))),
                    ("messages", .integer(Int64(deleted.messages))),
                ])
        }
    }
}
