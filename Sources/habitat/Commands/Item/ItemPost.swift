import ArgumentParser
import HabitStore

struct ItemPost: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Offer an item to give away and show it.",
        discussion: """
            All metadata is removed from the photo.

            Example:
              habitat item post "Desk lamp" --as alice --photo lamp.png \\
                --position 38.7223,-9.1393 --expires 2026-12-31
            """)

    @Argument(help: ArgumentHelp("Name of the item, instead of --name.", valueName: "name"), completion: .anyText)
    var newName: String?
    @OptionGroup var fields: ItemFields
    @OptionGroup var photo: ItemPhotoOptions
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "ID of the new item: a UUID, or your user ID, a colon and a name without a colon (default: generated).",
            valueName: "id"), completion: .anyText)
    var id: String?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        var fields = fields
        fields.name = try CommonOptions.value(of: newName, orOption: fields.name, named: "name")
        var draft = try fields.draft(photo, common)
        try common.performAndShow(output) { change in
            change.line(.done, change.record["name"], change.record["id"], change.photo)
        } action: { [fields] user in
            draft.position = try photo.options.position(draft.position, of: user)
            draft.expires = try fields.expiryDate(today: user.today)
            let id = try ItemActions(user).post(draft, id: id)
            return try ItemQuery.one(id, viewer: user.viewer, clock: user.clock, in: user.session)
        }
    }
}
