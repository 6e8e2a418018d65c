import ArgumentParser
import HabitStore

/// The item that a command changes, and the options for showing the changed item.
struct ItemTarget: ParsableArguments {
    @Argument(
        help: ArgumentHelp("ID or name of the item, or the beginning of its name.", valueName: "item"),
        completion: .item)
    var item: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    /// Changes the item and shows it.
    ///
    /// - Parameters:
    ///   - scope: The items that the command can change.
    ///   - line: Composes the line that confirms the change.
    ///   - body: Changes the item with an ID.
    /// - Returns: The ID of the item.
    /// - Throws: The errors of the lookup, of `body` and of the output.
    @discardableResult
    func move(
        in scope: NameLookup.ItemScope, as line: Confirmation.Line = ItemTarget.line,
        action body: (ItemActions, String) throws -> Void
    ) throws -> String {
        var id = item
        try common.performAndShow(output, as: line) { user in
            id = try user.names.itemID(item, in: scope, clock: user.clock)
            try body(ItemActions(user), id)
            return try ItemQuery.one(id, viewer: user.viewer, clock: user.clock, in: user.session)
        }
        return id
    }

    /// The line that confirms the change of an item.
    static func line(_ change: Confirmation) -> String {
        change.line(.done, change.record["name"], change.record["state"])
    }
}
