import ArgumentParser
import HabitStore

struct ItemEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change one of your items and show it.",
        discussion: """
            Example:
              habitat item edit item-0051 --as alice --description "With a new bulb" \\
                --expires none
            """)

    @Argument(
        help: ArgumentHelp("ID or name of the item, or the beginning of its name.", valueName: "item"),
        completion: .item)
    var item: String
    @OptionGroup var fields: ItemFields
    @OptionGroup var photo: ItemPhotoOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        var draft = try fields.draft(photo, common)
        try common.performAndShow(output) { change in
            change.line(.done, change.record["name"], change.record["id"], change.photo)
        } action: { user in
            draft.position = try photo.options.position(draft.position, of: user)
            draft.expires = try fields.expiryDate(today: user.today)
            let item = try user.names.itemID(item, in: .own, clock: user.clock)
            try ItemActions(user).edit(item, draft)
            return try ItemQuery.one(item, viewer: user.viewer, clock: user.clock, in: user.session)
        }
    }
}
