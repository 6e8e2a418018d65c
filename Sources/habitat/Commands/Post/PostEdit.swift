import ArgumentParser
import HabitStore

struct PostEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change one of your posts and show it.",
        discussion: """
            Example:
              habitat post edit post-0001 --as alice --caption "The 28, again" \\
                --position none
            """)

    @Argument(
        help: ArgumentHelp("ID or caption of the post, or the beginning of its caption.", valueName: "post"),
        completion: .ownPost)
    var post: String
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("New caption, up to 200 characters by default; empty clears it.", valueName: "text"),
        completion: .anyText)
    var caption: String?
    @OptionGroup var photo: PostPhotoOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        var draft = try PostDraft(caption: caption, options: photo, common: common)
        try common.performAndShow(output) { change in
            change.line(.done, change.record["caption"], change.record["id"], change.photo, change.record["place"])
        } action: { user in
            let post = try user.names.postID(post, own: true)
            draft.position = try photo.options.position(draft.position, of: user)
            try PostActions(user).edit(post, draft)
            return try PostQuery.one(post, viewer: user.viewer, in: user.session)
        }
    }
}
