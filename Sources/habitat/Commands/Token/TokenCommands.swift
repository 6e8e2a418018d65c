import ArgumentParser

struct TokenCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Manage bearer tokens and calendar addresses.",
        discussion: """
            A program uses a token to act for a user over HTTP: 'Authorization: Bearer TOKEN'. A calendar program reads \
            the calendar of a user at an address that contains a secret. Tokens and secrets are shown only when they are \
            created, because the store contains only their digests.

            Examples:
              habitat token create --user alice --label phone
              habitat token list
            """,
        subcommands: [TokenCreate.self, TokenList.self, TokenRevoke.self])
}
