import ArgumentParser

struct FollowRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Stop following a user or cancel a follow request.",
        discussion: """
            Example:
              habitat follow remove bruno --as alice
            """)

    @OptionGroup var other: FollowTargetOptions

    func run() throws {
        try other.followed { change in
            let user = change.record["followee"] ?? other.user
            return change.line(.done, "You no longer follow \(user).")
        } action: { follows, user in
            try follows.remove(user)
        }
    }
}
