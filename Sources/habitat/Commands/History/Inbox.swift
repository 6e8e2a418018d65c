import ArgumentParser
import HabitModel
import HabitStore

struct Inbox: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox",
        abstract: "What waits for you: requests to follow you, claims on your items, messages not yet answered.",
        discussion: """
            Answer with 'habitat follow accept USER', 'habitat item give ITEM' or 'habitat message send --item ITEM --text TEXT'.

            Examples:
              habitat inbox --as alice
              habitat inbox --as alice --format json
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "Nothing waits for you.") { session, viewer, _ in
            var query = InboxQuery(viewer: viewer)
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
