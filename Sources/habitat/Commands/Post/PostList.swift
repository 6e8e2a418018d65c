import ArgumentParser
import HabitModel
import HabitStore

struct PostList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List photo posts, newest first.",
        discussion: """
            The list contains your own posts and the posts of users you follow.

            Examples:
              habitat post list --as alice --limit 10
              habitat post list --near -41.2924,174.7787 --format geojson
            """)

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("ID of a user whose posts are listed; repeatable.", valueName: "id"), completion: .user)
    var user: [String] = []
    @OptionGroup var location: LocationOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let area = try location.area.area(common, output)
        try output.show(
            common, whenEmpty: "No posts match: publish one with 'habitat post add --photo FILE', or follow a user."
        ) {
            session, viewer, _ in
            var query = PostQuery(viewer: viewer)
            query.users = try user.map(common.names(for: viewer, in: session).userID)
            query.near = try location.near(for: viewer, in: session)
            query.box = try location.box()
            query.area = area
            query.sort = location.sort ?? .newest
            query.limit = try location.rowLimit()
            return try query.selection(in: session)
        }
    }
}
