import ArgumentParser
import HabitModel
import HabitStore

struct PostCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Photo posts: your own, and those of users you follow.",
        discussion: """
            Examples:
              habitat post list --as alice --limit 10
              habitat post download post-0131 --output river.png
            """,
        subcommands: [
            PostList.self, PostAdd.self, PostShow.self, PostEdit.self, PostDelete.self, PostDownload.self,
        ])
}

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
    @OptionGroup var place: PlaceOptions
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

struct PostAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Post a photo, and show the post.",
        discussion: """
            The photo loses its EXIF data, unless --keep-exif is given.

            Examples:
              habitat post add --as alice --photo tram.png --caption "The 28 at dawn" --position 38.7139,-9.1300
              habitat post add --as alice --photo tram.png --shrink-photo
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("Up to 200 characters.", valueName: "text"))
    var caption: String?
    @OptionGroup var photo: PhotoOptions
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "ID of the new post: a UUID, or your user ID, a colon and a name without a colon (default: generated).",
            valueName: "id"))
    var id: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let draft = try PostDraft(caption, photo)
        try common.act(output) { user in
            try PostQuery.one(try PostActions(user).add(draft, id: id), viewer: user.viewer, in: user.session)
        }
    }
}

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

struct PostEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a post of yours, and show it.",
        discussion: """
            Example:
              habitat post edit post-0001 --as alice --caption "The 28, again" --position none
            """)

    @Argument(help: ArgumentHelp("The post's id.", valueName: "post"))
    var post: String
    @Option(parsing: .unconditional, help: ArgumentHelp("Up to 200 characters; empty for none.", valueName: "text"))
    var caption: String?
    @OptionGroup var photo: PhotoOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let draft = try PostDraft(caption, photo)
        try common.act(output) { user in
            try PostActions(user).edit(post, draft)
            return try PostQuery.one(post, viewer: user.viewer, in: user.session)
        }
    }
}

struct PostDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a post of yours with its photo; who could see it learns that it is gone.",
        discussion: """
            Example:
              habitat post delete post-0001 --as alice --yes
            """)

    @Argument(help: ArgumentHelp("The post's id.", valueName: "post"))
    var post: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the post '\(post)' with its photo?")
        try common.tell(output) { user in
            try PostActions(user).delete(post)
            return [("deleted", .text(post))]
        }
    }
}

struct PostDownload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Put the photo of a post into a file: all of it, or none.",
        discussion: """
            In a folder the file is named after the post's id. A file that is there already stays, unless --force is given.

            Examples:
              habitat post download post-0131 --output .
              habitat post download post-0131 --output river.png --force --format json
            """)

    @Argument(help: ArgumentHelp("The post's id.", valueName: "post"))
    var post: String
    @OptionGroup var download: DownloadOptions
    @OptionGroup var common: CommonOptions

    func run() throws { try download.run(.post, post, common) }
}

extension PostDraft {
    fileprivate init(_ caption: String?, _ options: PhotoOptions) throws {
        self.init()
        self.caption = Given(option: caption)
        (photo, position) = try options.read()
    }
}
