import ArgumentParser
import HabitModel

struct FollowAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Accept a follow request.",
        discussion: """
            --share latest shows the follower only the newest event of each habit, with its position. It limits only \
            events: every follower sees all your posts with their exact positions, and all your habits with their \
            titles, schedules and statuses. The option also changes the share of an existing follower. The change is \
            effective immediately.

            Examples:
              habitat follow accept nuno --as alice
              habitat follow accept bruno --as alice --share latest
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Events that the follower can see: all or latest (default: all).", valueName: "what"))
    var share: Share?
    @OptionGroup var other: FollowTargetOptions

    func run() throws { try other.following { try $0.accept($1, share: share) } }
}
