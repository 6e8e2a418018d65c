import ArgumentParser
import HabitStore

struct ItemShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one item.",
        discussion: """
            Examples:
              habitat item show item-0003 --as alice
              habitat item show item-0003 --format geojson
            """)

    @Argument(
        help: ArgumentHelp("ID or name of the item, or the beginning of its name.", valueName: "item"),
        completion: .item)
    var item: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try output.showOne(common) { session, viewer, clock in
            let item = try common.names(for: viewer, in: session).itemID(item, clock: clock)
            try AccessChecker(viewer: viewer, in: session).require(.view, on: .item, id: item)
            return try ItemQuery.one(item, viewer: viewer, clock: clock, in: session)
        }
    }
}
