import ArgumentParser
import Base
import HabitModel
import HabitStore

struct UserList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List users and your follows with them.",
        discussion: """
            The column following contains the status of your follow of the user. The column follower contains the \
            status of the user's follow of you. The status is pending, accepted, rejected or none. For the operator, \
            --columns also accepts email, time_zone, share_location and private_places.

            Examples:
              habitat user list --as alice
              habitat user list --as alice --search mor
              habitat user list --format csv
              habitat user list --columns id,email
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Text that the name or the ID must contain; case is ignored.", valueName: "text"),
        completion: .anyText)
    var search: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "number"),
        completion: .anyText)
    var limit: Int?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let search = try search.map { try Parse.searchText($0, field: "search", in: "name or the id") }
        try output.show(common, whenEmpty: emptyNotice) { session, viewer, _ in
            var query = UserQuery(viewer: viewer)
            query.search = search
            query.showsAccount = viewer == .operator && Self.namesAccount(output.columnNames)
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }

    /// Whether the names of the selected columns contain a private column of accounts.
    private static func namesAccount(_ columns: [String]?) -> Bool {
        let fields = [Field.email, .timeZone, .shareLocation, .privatePlaces].map(\.name)
        return columns?.contains { fields.contains($0) } ?? false
    }

    private var emptyNotice: String {
        if search != nil { return "No users match: search for a shorter part of the name or the id." }
        return common.isForActingUser
            ? "The store has no other users."
            : "No users found: create one with 'habitat user add ID', or load data with 'habitat ingest PATH'."
    }
}
