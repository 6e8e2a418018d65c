import ArgumentParser
import HabitModel
import HabitStore

struct MessageList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Your messages, in the order in which they were sent.",
        discussion: """
            Examples:
              habitat message list --as alice
              habitat message list --as alice --item item-0043 --limit 20
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("Only messages about this item.", valueName: "item"))
    var item: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Only messages from or to this user.", valueName: "user"))
    var user: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Only the latest ones, this many.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(
            common, whenEmpty: "No messages: claim an item with 'habitat item claim ITEM' and write to its poster."
        ) {
            session, viewer, _ in
            var query = MessageQuery(viewer: viewer)
            query.item = item
            query.user = user
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
