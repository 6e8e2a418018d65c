import ArgumentParser
import HabitModel
import HabitStore

/// The fields of an item, except its photo and its position.
struct ItemFields: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("1 to 80 characters.", valueName: "text"))
    var name: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Up to 2,000 characters; empty for none.", valueName: "text"))
    var description: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The last day it can be claimed, or none.", valueName: "date"))
    var expires: String?

    func draft(_ photo: PhotoOptions) throws -> ItemDraft {
        var draft = ItemDraft()
        draft.name = Given(option: name)
        draft.description = Given(option: description)
        draft.expires = try Given(option: expires, named: "expires")
        do {
            (draft.photo, draft.position) = try photo.read()
        } catch let error as HabitError {
            throw error.ofItem
        }
        return draft
    }
}
