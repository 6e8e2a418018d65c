import ArgumentParser
import HabitStore

/// The item that a command changes, and the options for showing the changed item.
struct ItemTarget: ParsableArguments {
    @Argument(help: ArgumentHelp("The item's id.", valueName: "item"))
    var item: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func move(_ body: (ItemActions, String) throws -> Void) throws {
        try common.act(output) { user in
            try body(ItemActions(user), item)
            return try ItemQuery.one(item, viewer: user.viewer, clock: user.clock, in: user.session)
        }
    }
}
