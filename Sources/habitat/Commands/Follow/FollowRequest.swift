import ArgumentParser

struct FollowRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Ask to follow somebody.",
        discussion: """
            A request that was rejected may be made again.

            Example:
              habitat follow request hana --as alice
            """)

    @OptionGroup var other: FollowTargetOptions

    func run() throws { try other.followed { try $0.request($1) } }
}
