import ArgumentParser

struct ViewCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Share a view of your records at a secret address.",
        discussion: """
            Everyone who has the address can read the view, without a token. A view shows only your own records, with \
            rounded positions, and without positions in your private places. The store contains only the digest of the secret.

            Examples:
              habitat view create --layers events --habit alice-run --as alice
              habitat view list --as alice
            """,
        subcommands: [ViewCreate.self, ViewList.self, ViewRevoke.self])
}
