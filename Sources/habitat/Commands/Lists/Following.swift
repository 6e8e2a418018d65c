import ArgumentParser
import Base
import HabitModel
import HabitStore

struct Following: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "following", abstract: "List the habits of the users you follow.",
        discussion: """
            Each row shows the title and the current status of a habit. Text output also
            shows the day and the comment of the newest event.

            Examples:
              habitat following --as alice
              habitat following --as alice --user bruno --format csv
            """)

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("ID of a user whose habits are listed; repeatable.", valueName: "id"), completion: .user)
    var user: [String] = []
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "number"),
        completion: .anyText)
    var limit: Int?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try output.show(
            common, whenEmpty: "No followed user has habits: follow a user with 'habitat follow request USER'."
        ) {
            session, viewer, clock in
            var query = FollowingQuery(viewer: viewer, clock: clock)
            query.users = try user.map(common.names(for: viewer, in: session).userID)
            query.showsNewest = try output.chosenFormat() == .text && !output.plain
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
