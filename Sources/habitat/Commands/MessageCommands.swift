import ArgumentParser
import HabitModel
import HabitStore

struct MessageCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message", abstract: "Messages about an item, between its poster and who claims it.",
        discussion: """
            Examples:
              habitat message list --as alice
              habitat message send --item item-0043 --as alice --text "Can I come by at six?"
            """,
        subcommands: [MessageList.self, MessageSend.self, MessageDelete.self])
}

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

struct MessageSend: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Write to the other side of an item, and show the message.",
        discussion: """
            It goes to the item's poster; from the poster to who has claimed it, unless --to names another who has written. \
            Messages with words that are not allowed are not sent: --word-list takes a file with a word or phrase a line, + \
            before those that are allowed all the same.

            Example:
              habitat message send --item item-0043 --as alice --text "Can I come by at six?"
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("What the message is about.", valueName: "item"))
    var item: String
    @Option(parsing: .unconditional, help: ArgumentHelp("To whom (default: the other side).", valueName: "user"))
    var to: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("1 to 2,000 characters.", valueName: "text"))
    var text: String
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The words that are not allowed (default: a short list).", valueName: "file"))
    var wordList: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let words = try wordList.map(Self.words) ?? .standard
        try common.act(output) { user in
            let id = try MessageActions(user).send(item: item, to: to, text: text, words: words)
            return try MessageQuery.one(id, viewer: user.viewer, in: user.session)
        }
    }

    private static func words(_ path: String) throws -> WordList {
        try WordList(bytes: try Parse.file(path, option: "word-list", limit: 16 << 20), name: path)
    }
}

struct MessageDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a message that you have sent, for both sides.",
        discussion: """
            Example:
              habitat message delete message-0042 --as alice --yes
            """)

    @Argument(help: ArgumentHelp("The message's id.", valueName: "message"))
    var message: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the message '\(message)'?")
        try common.tell(output) { user in
            try MessageActions(user).delete(message)
            return [("deleted", .text(message))]
        }
    }
}
