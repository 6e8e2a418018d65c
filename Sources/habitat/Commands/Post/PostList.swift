import ArgumentParser
import HabitModel
import HabitStore

struct PostList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Photo posts, newest first: your own and those of users you follow.",
        discussion: """
            Examples:
              habitat post list --as alice --limit 10
              habitat post list --near -41.2924,174.7787 --format geojson
            """)

    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp("Only posts of this user; repeatable.", valueName: "id"))
    var user: [String] = []
    @OptionGroup var place: LocationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(
            common, whenEmpty: "No posts match: add one with 'habitat post add --photo FILE', or follow somebody."
        ) {
            session, viewer, _ in
            var query = PostQuery(viewer: viewer)
            query.users = user
            query.near = try place.near(for: viewer, in: session)
            query.box = try place.box()
            query.sort = place.sort ?? .newest
            query.limit = try place.rowLimit()
            return try query.selection(in: session)
        }
    }
}
