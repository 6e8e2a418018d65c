import ArgumentParser
import HabitModel
import HabitStore

struct Following: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "following", abstract: "Title and status of every habit of every user you follow.",
        discussion: """
            Examples:
              habitat following --as alice
              habitat following --as alice --user bruno --format csv
            """)

    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp("Only habits of this user; repeatable.", valueName: "id")
    )
    var user: [String] = []
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(
            common, whenEmpty: "You follow nobody who has habits: ask somebody with 'habitat follow request USER'."
        ) {
            session, viewer, clock in
            var query = FollowingQuery(viewer: viewer, clock: clock)
            query.users = user
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
