import ArgumentParser
import Base
import HabitModel
import HabitStore

struct Inbox: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox",
        abstract: "List requests, claims and messages that need your response.",
        discussion: """
            The column unread is the number of unread messages about the item. 'habitat message list ITEM' marks them as \
            read; this command marks nothing.

            The rows are pending follow requests, claims on your items and unanswered messages. Respond with 'habitat \
            follow accept USER', 'habitat item give ITEM' or 'habitat message send --item ITEM --text TEXT'.

            Examples:
              habitat inbox --as alice
              habitat inbox --as alice --format json
            """)

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "number"),
        completion: .anyText)
    var limit: Int?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    private static let answers =
        "Answer: habitat message send ITEM TEXT, item give ITEM, follow accept USER"

    /// The commands for responses, after the total number of unread messages.
    private var footer: String {
        get throws {
            let total = try common.open(.read).read { session in
                let viewer = try common.viewer(in: session)
                let threads = try UnreadQuery(viewer: viewer).threads(in: session)
                return threads.reduce(0) { sum, thread in sum + thread.unread }
            }
            guard total > 0 else { return Self.answers }
            return "\(total) unread. \(Self.answers)"
        }
    }

    func run() throws {
        let footer = try output.isForPeople ? self.footer : nil
        try output.show(common, whenEmpty: "The inbox is empty.", footer: footer) { session, viewer, _ in
            var query = InboxQuery(viewer: viewer)
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
