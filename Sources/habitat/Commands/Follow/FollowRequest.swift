import ArgumentParser

struct FollowRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Request to follow a user.",
        discussion: """
            You can repeat a request that the user has rejected.

            Example:
              habitat follow request hana --as alice
            """)

    @OptionGroup var other: FollowTargetOptions

    func run() throws { try other.followed { try $0.request($1) } }
}
