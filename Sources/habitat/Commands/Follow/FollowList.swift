import ArgumentParser
import Base
import HabitModel
import HabitStore

struct FollowList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List followers, followed users and pending requests.",
        discussion: """
            Examples:
              habitat follow list --as alice
              habitat follow list --as alice --status pending --format json
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Status of the follows: pending, accepted or rejected.", valueName: "status"))
    var status: FollowStatus?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "number"),
        completion: .anyText)
    var limit: Int?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "No follows match: follow a user with 'habitat follow request USER'.") {
            session, viewer, _ in
            var query = FollowQuery(viewer: viewer)
            query.status = status
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
