import ArgumentParser

struct FollowDrop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "End that somebody follows you; they see nothing of yours from then on.",
        discussion: """
            Example:
              habitat follow drop bruno --as alice
            """)

    @OptionGroup var other: FollowTargetOptions

    func run() throws { try other.following { try $0.drop($1) } }
}
