import ArgumentParser
import HabitStore

struct PostAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Publish a photo post and show it.",
        discussion: """
            EXIF data is removed from the photo unless you pass --keep-exif.

            Examples:
              habitat post add --as alice --photo tram.png --caption "The 28 at dawn" \\
                --position 38.7139,-9.1300
              habitat post add tram.png --as alice --shrink-photo
            """)

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Caption, up to 200 characters by default.", valueName: "text"),
        completion: .anyText)
    var caption: String?
    @Argument(help: ArgumentHelp("File of the photo, instead of --photo.", valueName: "photo"), completion: .photo)
    var file: String?
    @OptionGroup var photo: PostPhotoOptions
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "ID of the new post: a UUID, or your user ID, a colon and a name without a colon (default: generated).",
            valueName: "id"), completion: .anyText)
    var id: String?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        var photo = photo
        photo.photo = try CommonOptions.value(of: file, orOption: photo.photo, named: "photo")
        var draft = try PostDraft(caption: caption, options: photo, common: common)
        try common.performAndShow(output) { change in
            change.line(.done, change.record["caption"], change.record["id"], change.photo, change.record["place"])
        } action: { [photo] user in
            draft.position = try photo.options.position(draft.position, of: user)
            let id = try PostActions(user).add(draft, id: id)
            return try PostQuery.one(id, viewer: user.viewer, in: user.session)
        }
    }
}
