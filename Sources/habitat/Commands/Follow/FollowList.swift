import ArgumentParser
import HabitModel
import HabitStore

struct FollowList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Whom you follow and who follows you, with what is pending or was rejected.",
        discussion: """
            Examples:
              habitat follow list --as alice
              habitat follow list --as alice --status pending --format json
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("pending, accepted or rejected.", valueName: "status"))
    var status: FollowStatus?
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "Nobody: ask somebody with 'habitat follow request USER'.") {
            session, viewer, _ in
            var query = FollowQuery(viewer: viewer)
            query.status = status
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
