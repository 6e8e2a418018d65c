import HabitModel
import StoreEngine

/// A query for the title and status of each habit of the users whom the viewer follows, by user and title.
public struct FollowingQuery: Sendable {
    /// The viewer of the query, who must be a user.
    public var viewer: Viewer
    /// The clock that defines the current date of each user.
    public var clock: Clock
    /// The IDs of followed users.
    ///
    /// An empty array selects all followed users.
    public var users: [String] = []
    /// The ID of the habit to find, or `nil` for all habits.
    public var habit: String?
    /// The maximum number of rows, or `nil` for all rows.
    public var limit: Int?
    /// The page to read, or `nil` for the complete result.
    public var page: Page?

    /// Creates a query for the habits of all followed users.
    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    /// Returns the query as SQL with the shape of its rows, and registers the table functions that it calls.
    ///
    /// The query reads events of each habit.
    ///
    /// - Throws: `not-signed-in` if the viewer is the operator; `not-found` if a user does not exist;
    ///   `parameter-invalid` if the cursor of the page does not belong to this order.
    public func selection(in session: any Session) throws -> Selection {
        let user = try ActingUser(viewer, clock: clock, in: session)
        try HabitFunctions(viewer: viewer, clock: clock, in: session).register()
        var select = SelectBuilder(
            columns: [
                "account.external_id", "account.name", "habit.external_id", "habit.title", "standing.status",
                "standing.color",
            ],
            from: "habit",
            order: ["account.external_id", "habit.title_folded", "habit.title", "habit.external_id"])
        select.joins = "JOIN account ON account.id = habit.user_id\n\(HabitFunctions.join(session.dialect))"
        select.require("habit.user_id IN (\n  \(Visibility.followed)\n)", ["viewer": .integer(user.key)])
        if !users.isEmpty {
            select.require("habit.user_id", in: try users.map { try Lookup.user($0, in: session) }, as: "user")
        }
        if let habit { select.require("habit.external_id = :id", ["id": .text(habit.composed)]) }
        (select.limit, select.page) = (limit, page)
        return try select.selection(Self.shape)
    }

    private static let shape = ResultShape(
        columns: [
            Column("user", .text, at: 0), Column("user_name", .text, at: 1),
            Column("habit", .text, at: 2, isSecondary: true), Column("title", .text, at: 3),
            Column("status", .text, at: 4), Column("color", .text, at: 5, isSecondary: true),
        ],
        identity: ["habit"])
}
