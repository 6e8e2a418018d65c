import ArgumentParser
import Base
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
            id = try itemID(in: scope, of: user)
            try body(ItemActions(user), id)
            return try ItemQuery.one(id, viewer: user.viewer, clock: user.clock, in: user.session)
        }
        return id
    }

    /// Returns the ID of the item.
    ///
    /// If no claimable item has the name, the result is another visible item with the name. The error of the claim then
    /// contains the reason.
    private func itemID(in scope: NameLookup.ItemScope, of user: ActingUser) throws -> String {
        func other() -> String {
            let found = try? user.names.itemID(item, in: .all, clock: user.clock)
            return found ?? item
        }
        do {
            let id = try user.names.itemID(item, in: scope, clock: user.clock)
            return id == item && scope == .claimable ? other() : id
        } catch let error as HabitError where error.code == .notFound && scope == .claimable {
            let id = other()
            guard id != item else { throw error }
            return id
        }
    }

    /// The line that confirms the change of an item.
    static func line(_ change: Confirmation) -> String {
        change.line(.done, change.record["name"], change.record["state"])
    }
}
