import ArgumentParser
import Base
import HabitModel
import HabitStore

/// The fields of an item, except its photo and its position.
struct ItemFields: ParsableArguments {
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Name, 1 to 80 characters by default.", valueName: "text"),
        completion: .anyText)
    var name: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Description, up to 2,000 characters by default; empty clears it.", valueName: "text"),
        completion: .anyText)
    var description: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Last day on which the item can be claimed, or 'none'.", valueName: "date"), completion: .day
    )
    var expires: String?

    /// Returns the values that the options set, except the expiry date.
    ///
    /// - Parameters:
    ///   - photo: The options of the photo.
    ///   - common: The options that name the store, whose settings contain the maximum size of the photo.
    /// - Returns: The values.
    /// - Throws: The errors of the values.
    func draft(_ photo: ItemPhotoOptions, _ common: CommonOptions) throws -> ItemDraft {
        try FieldInput<Day>.check(expires, named: "expires")
        var draft = ItemDraft()
        draft.name = FieldInput(option: name)
        draft.description = FieldInput(option: description)
        do {
            let values = try photo.read(common)
            draft.photo = values.photo
            draft.position = values.position
        } catch let error as HabitError {
            throw error.ofItem
        }
        return draft
    }

    /// Returns the expiry date, to which the current date of the user applies.
    func expiryDate(today: Day) throws -> FieldInput<Day> {
        try FieldInput(option: expires, named: "expires", today: today)
    }
}
