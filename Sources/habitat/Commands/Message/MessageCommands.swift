import ArgumentParser

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
