import ArgumentParser
import HabitModel

struct FollowAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Accept a follow request.",
        discussion: """
            --share latest shows the follower only the newest event of each habit, with its position. It limits only \
            events: every follower sees all your posts with their exact positions, and all your habits with their \
            titles, schedules and statuses. Positions in your private places ('habitat place') are never shown. The option also changes the share of an existing follower. The change is \
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

    func run() throws {
        try other.following { change in
            let user = change.record["follower"] ?? other.user
            return change.record["share"] == Share.latest.rawValue
                ? change.line(.done, "\(user) sees the newest event of each of your habits.")
                : change.line(.done, "\(user) sees all your events ('--share latest' for the newest only).")
        } action: { follows, user in
            try follows.accept(user, share: share)
        }
    }
}
