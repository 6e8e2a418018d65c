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

    func run() throws {
        try other.following { change in
            let user = change.record["follower"] ?? other.user
            return change.line(.done, "\(user) no longer follows you.")
        } action: { follows, user in
            try follows.drop(user)
        }
    }
}
