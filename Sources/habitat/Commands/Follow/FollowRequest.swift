import ArgumentParser
import HabitModel

struct FollowRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Request to follow a user.",
        discussion: """
            You can repeat a request that the user has rejected.

            Example:
              habitat follow request hana --as alice
            """)

    @OptionGroup var other: FollowTargetOptions

    func run() throws {
        try other.followed { change in
            let user = change.record["followee"] ?? other.user
            return change.record["status"] == FollowStatus.accepted.rawValue
                ? change.line(.done, "You follow \(user)")
                : change.line(.done, "Asked \(user): you see \(user)'s habits when \(user) accepts.")
        } action: { follows, user in
            try follows.request(user)
        }
    }
}
