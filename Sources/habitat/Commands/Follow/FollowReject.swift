import ArgumentParser

struct FollowReject: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Reject a follow request.",
        discussion: """
            Example:
              habitat follow reject nuno --as alice
            """)

    @OptionGroup var other: FollowTargetOptions

    func run() throws {
        try other.following { change in
            let user = change.record["follower"] ?? other.user
            return change.line(.done, "Rejected the request of \(user).")
        } action: { follows, user in
            try follows.reject(user)
        }
    }
}
