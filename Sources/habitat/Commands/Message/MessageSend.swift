import ArgumentParser
import HabitModel
import HabitStore

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
