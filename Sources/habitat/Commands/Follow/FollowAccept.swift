import ArgumentParser
import HabitModel

struct FollowAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Let somebody follow you who has asked.",
        discussion: """
            --share latest grants only the newest event of each habit. Of somebody who follows you already it changes what \
            they see, at once.

            Examples:
              habitat follow accept nuno --as alice
              habitat follow accept bruno --as alice --share latest
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("all or latest (default: all).", valueName: "what"))
    var share: Share?
    @OptionGroup var other: FollowTargetOptions

    func run() throws { try other.following { try $0.accept($1, share: share) } }
}
