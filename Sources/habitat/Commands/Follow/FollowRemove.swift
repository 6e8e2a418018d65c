import ArgumentParser

struct FollowRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Stop following somebody, or take your request back.",
        discussion: """
            Example:
              habitat follow remove bruno --as alice
            """)

    @OptionGroup var other: FollowTargetOptions

    func run() throws { try other.followed { try $0.remove($1) } }
}
