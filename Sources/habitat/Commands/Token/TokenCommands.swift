import ArgumentParser

struct TokenCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Tokens, with which programs act for a user over HTTP.",
        discussion: """
            A token is shown once, when it is made: the store keeps only what tells it again. 'habitat serve' takes it as \
            'Authorization: Bearer TOKEN'.

            Examples:
              habitat token create --user alice --label phone
              habitat token list
            """,
        subcommands: [TokenCreate.self, TokenList.self, TokenRevoke.self])
}
