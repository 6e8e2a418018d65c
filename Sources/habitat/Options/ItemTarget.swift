import ArgumentParser
import HabitStore

/// The item that a command changes, and the options for showing the changed item.
struct ItemTarget: ParsableArguments {
    @Argument(help: ArgumentHelp("ID of the item.", valueName: "item"))
    var item: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func move(_ body: (ItemActions, String) throws -> Void) throws {
        try common.performAndShow(output) { user in
            try body(ItemActions(user), item)
            return try ItemQuery.one(item, viewer: user.viewer, clock: user.clock, in: user.session)
        }
    }
}
