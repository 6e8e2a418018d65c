import ArgumentParser
import HabitStore

struct PostShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one post.",
        discussion: """
            Use 'habitat post download' to save its photo.

            Examples:
              habitat post show post-0131
              habitat post show post-0131 --format geojson
            """)

    @Argument(
        help: ArgumentHelp("ID or caption of the post, or the beginning of its caption.", valueName: "post"),
        completion: .visiblePost)
    var post: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try output.showOne(common) { session, viewer, _ in
            let post = try common.names(for: viewer, in: session).postID(post)
            try AccessChecker(viewer: viewer, in: session).require(.view, on: .post, id: post)
            return try PostQuery.one(post, viewer: viewer, in: session)
        }
    }
}
