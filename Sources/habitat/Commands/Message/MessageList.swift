import ArgumentParser
import Base
import HabitModel
import HabitStore

struct MessageList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your messages, oldest first.",
        discussion: """
            Examples:
              habitat message list --as alice
              habitat message list item-0043 --as alice --limit 20
            """)

    @Argument(
        help: ArgumentHelp("Item whose messages are listed: ID, name or its beginning.", valueName: "item"),
        completion: .item)
    var name: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("The item, instead of the argument.", valueName: "item"),
        completion: .item)
    var item: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("ID or name of the other user of the messages.", valueName: "user"),
        completion: .user)
    var user: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Maximum number of messages; the newest are listed.", valueName: "number"),
        completion: .anyText)
    var limit: Int?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let item = try CommonOptions.value(of: name, orOption: item, named: "item")
        try output.show(
            common,
            whenEmpty:
                "No messages match: claim an item with 'habitat item claim ITEM', then send its poster a message."
        ) {
            session, viewer, clock in
            var query = MessageQuery(viewer: viewer)
            let names = common.names(for: viewer, in: session)
            query.item = try item.map { try names.itemID($0, in: .discussed, clock: clock) }
            query.user = try user.map(names.userID)
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
