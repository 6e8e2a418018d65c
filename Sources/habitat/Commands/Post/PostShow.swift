import ArgumentParser
import HabitStore

struct PostShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One post; 'habitat post download' has its photo.",
        discussion: """
            Examples:
              habitat post show post-0131
              habitat post show post-0131 --format geojson
            """)

    @Argument(help: ArgumentHelp("The post's id.", valueName: "post"))
    var post: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.showOne(common) { session, viewer, _ in
            try Things(viewer: viewer, in: session).require(.view, .post, post)
            return try PostQuery.one(post, viewer: viewer, in: session)
        }
    }
}
