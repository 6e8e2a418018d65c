import ArgumentParser
import HabitStore

/// An item to which something happens, and how what it then is is shown.
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
