import ArgumentParser
import HabitModel
import HabitStore

struct UserList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The other users, and how each stands to you.",
        discussion: """
            'following' is your request to follow them, 'follower' theirs to follow you: none, pending, accepted or rejected.

            Examples:
              habitat user list --as alice
              habitat user list --format csv
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(
            common,
            whenEmpty: "No users yet: add one with 'habitat user add ID', or load some with 'habitat ingest PATH'."
        ) {
            session, viewer, _ in
            var query = UserQuery(viewer: viewer)
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
