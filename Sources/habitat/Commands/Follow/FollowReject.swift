import ArgumentParser

struct FollowReject: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Reject a follow request.",
        discussion: """
            Example:
              habitat follow reject nuno --as alice
            """)

    @OptionGroup var other: FollowTargetOptions

    func run() throws { try other.following { try $0.reject($1) } }
}
