import ArgumentParser
import Base
import HabitModel
import HabitStore

struct MessageList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your messages, oldest first.",
        discussion: """
            All messages about one item, also those that --limit omits, are then marked as read, only for you. \
            'habitat inbox' counts unread messages. --keep-unread, --user and the operator mark nothing.

            Examples:
              habitat message list --as alice
              habitat message list item-0043 --as alice --limit 20
              habitat message list item-0043 --as alice --keep-unread
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
    @Flag(help: "Do not mark the messages as read.")
    var keepUnread = false
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let item = try CommonOptions.value(of: name, orOption: item, named: "item")
        var unreadItem: String?
        // A message that arrives after the list was read stays unread.
        let clock = try common.clock()
        try output.show(
            common,
            whenEmpty:
                "No messages match: claim an item with 'habitat item claim ITEM', then send its poster a message."
        ) {
            session, viewer, _ in
            var query = MessageQuery(viewer: viewer)
            let names = common.names(for: viewer, in: session)
            query.item = try item.map { try names.itemID($0, in: .discussed, clock: clock) }
            query.user = try user.map(names.userID)
            query.limit = try Parse.count(limit, option: "limit")
            if let item = query.item, user == nil, !keepUnread {
                let threads = try UnreadQuery(viewer: viewer).threads(in: session)
                unreadItem = threads.contains { thread in thread.item == item } ? item : nil
            }
            return try query.selection(in: session)
        }
        if let unreadItem {
            try markRead(unreadItem, at: clock)
        }
    }

    /// Opens the store for writing only if the user has unread messages about the item.
    private func markRead(_ item: String, at clock: Clock) throws {
        try common.open(.write).write { session in
            let viewer = try common.viewer(in: session)
            let user = try common.actingUser(viewer, clock, in: session)
            try MessageActions(user).markRead(item: item)
        }
    }
}
