import ArgumentParser

struct FollowDrop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Remove a follower.",
        discussion: """
            The user can no longer see your habits, events and posts.

            Example:
              habitat follow drop bruno --as alice
            """)

    @OptionGroup var other: FollowTargetOptions

    func run() throws { try other.following { try $0.drop($1) } }
}
