import ArgumentParser
import HabitModel
import HabitStore

struct MessageSend: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send a message about an item and show it.",
        discussion: """
            A message of another user goes to the poster of the item. A message of the poster goes to the user who has \
            claimed the item. With --to, the poster can answer another user who has sent a message.

            The command rejects messages with blocked words. The operator sets the list of blocked words with \
            'habitat setting set word-list FILE'.

            Examples:
              habitat message send --item item-0043 --as alice \\
                --text "Can I come by at six?"
              habitat message send item-0043 "Can I come by at six?" --as alice
            """)

    @Argument(
        help: ArgumentHelp("Item: ID, name or its beginning. Omit it with --item.", valueName: "item"),
        completion: .item)
    var first: String?
    @Argument(help: ArgumentHelp("Message. Omit it with --text.", valueName: "text"), completion: .anyText)
    var second: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("The item, instead of the argument.", valueName: "item"),
        completion: .item)
    var item: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "ID or name of the recipient (default: the poster, or the claimant if you are the poster).",
            valueName: "user"), completion: .user)
    var to: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Message, 1 to 2,000 characters by default.", valueName: "text"),
        completion: .anyText)
    var text: String?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    /// Returns the item and the text, each an argument or the value of an option.
    private func values() throws -> (item: String, text: String) {
        // With --item, the only argument is the text.
        let isTextFirst = item != nil && second == nil
        let example = "habitat message send 'Old lamp' 'See you at six'"
        let item = try CommonOptions.required(
            isTextFirst ? nil : first, orOption: item, named: "item", example: example)
        let text = try CommonOptions.required(
            isTextFirst ? first : second, orOption: text, named: "text", example: example)
        return (item, text)
    }

    func run() throws {
        let values = try values()
        try common.performAndShow(output) { change in
            let item = change.record["item_name"] ?? values.item
            return change.line(.done, "Sent to \(change.record["recipient"] ?? "") about \(item).")
        } action: { user in
            let item = try user.names.itemID(values.item, in: .discussed, clock: user.clock)
            let recipient = try to.map(user.names.userID)
            let id = try MessageActions(user).send(item: item, to: recipient, text: values.text)
            return try MessageQuery.one(id, viewer: user.viewer, in: user.session)
        }
    }
}
