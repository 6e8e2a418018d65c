import ArgumentParser

struct MessageCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message", abstract: "List, send and delete messages about items.",
        discussion: """
            Messages about an item are exchanged between its poster and the users who claim it.

            Examples:
              habitat message list --as alice
              habitat message send --item item-0043 --as alice \\
                --text "Can I come by at six?"
            """,
        subcommands: [MessageList.self, MessageSend.self, MessageDelete.self])
}
