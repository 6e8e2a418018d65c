import ArgumentParser
import HabitStore

struct ItemList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Items, newest first: those that are available, unless --state says otherwise.",
        discussion: """
            Who has claimed an item is shown to its poster and to who claimed it.

            Examples:
              habitat item list --limit 10
              habitat item list --state all --user alice
              habitat item list --near 35.0116,135.7681 --within 2km --sort distance
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "available, claimed, given, withdrawn, expired, several of them, or all.", valueName: "state"))
    var state = "available"
    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp("Only items of this user; repeatable.", valueName: "id"))
    var user: [String] = []
    @OptionGroup var place: LocationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "No items match: look at all with --state all.") { session, viewer, clock in
            var query = ItemQuery(viewer: viewer, clock: clock)
            query.states = try ItemStates.parse(state)
            query.users = user
            query.near = try place.near(for: viewer, in: session)
            query.box = try place.box()
            query.sort = place.sort ?? .newest
            query.limit = try place.rowLimit()
            return try query.selection(in: session)
        }
    }
}
