import ArgumentParser

struct TokenCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Create, list and revoke bearer tokens.",
        discussion: """
            A program uses a token to act for a user over HTTP: 'Authorization: Bearer TOKEN'. The token is shown only \
            when it is created, because the store contains only its digest.

            Examples:
              habitat token create --user alice --label phone
              habitat token list
            """,
        subcommands: [TokenCreate.self, TokenList.self, TokenRevoke.self])
}
