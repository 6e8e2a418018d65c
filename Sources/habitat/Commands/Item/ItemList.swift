import ArgumentParser
import HabitStore

struct ItemList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List items, newest first.",
        discussion: """
            The command lists available items unless you pass --state. Only the poster and the claimant can see who \
            has claimed an item.

            Examples:
              habitat item list --limit 10
              habitat item list --state all --user alice
              habitat item list --near 35.0116,135.7681 --within 2km --sort distance
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Item states: available, claimed, given, withdrawn, expired, several separated by commas, or 'all'.",
            valueName: "state"), completion: .itemState)
    var state = "available"
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("ID of a user whose items are listed; repeatable.", valueName: "id"), completion: .user)
    var user: [String] = []
    @OptionGroup var location: LocationOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    private var emptyNotice: String {
        let notice = "No items match: pass --state all to include items in other states."
        return location.selectsArea && common.isForActingUser ? "\(notice) \(ItemList.positionNotice)" : notice
    }

    /// The notice about the positions of items that a user sees.
    static let positionNotice =
        "Positions of the items of other users are on a grid of about 400 m: search a larger area."

    func run() throws {
        let area = try location.area.area(common, output)
        try output.show(common, whenEmpty: emptyNotice) { session, viewer, clock in
            var query = ItemQuery(viewer: viewer, clock: clock)
            query.states = try ItemQuery.State.list(state)
            query.users = try user.map(common.names(for: viewer, in: session).userID)
            query.near = try location.near(for: viewer, in: session)
            query.box = try location.box()
            query.area = area
            query.sort = location.sort ?? .newest
            query.limit = try location.rowLimit()
            return try query.selection(in: session)
        }
    }
}
