import ArgumentParser

struct FollowRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Stop following a user or cancel a follow request.",
        discussion: """
            Example:
              habitat follow remove bruno --as alice
            """)

    @OptionGroup var other: FollowTargetOptions

    func run() throws { try other.followed { try $0.remove($1) } }
}
