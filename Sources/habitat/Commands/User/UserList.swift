import ArgumentParser
import HabitModel
import HabitStore

struct UserList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List users and your follows with them.",
        discussion: """
            The column following contains the status of your follow of the user. The column follower contains the \
            status of the user's follow of you. The status is none, pending, accepted or rejected.

            Examples:
              habitat user list --as alice
              habitat user list --format csv
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(
            common,
            whenEmpty: "No users found: create one with 'habitat user add ID', or load data with 'habitat ingest PATH'."
        ) {
            session, viewer, _ in
            var query = UserQuery(viewer: viewer)
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
