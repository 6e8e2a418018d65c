import Base
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
    /// A condition on the properties of the rows, or `nil`.
    public var condition: FeatureFilter?
    /// Whether a text for people shows the newest event of each habit, which every follower may see.
    public var showsNewest = false
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
        var columns = Self.projection.columns
        var joins: SQL = "JOIN account ON account.id = habit.user_id\n\(HabitFunctions.join(session.dialect))"
        if showsNewest {
            columns += [SelectColumn("last_day", "newest.day"), SelectColumn("last_comment", "newest.comment")]
            joins += "\n\(Self.newest(session.dialect))"
        }
        var select = Select(
            columns,
            from: "habit",
            joins: joins,
            order: [
                OrderTerm("account.external_id"),
                OrderTerm("habit.title_folded"),
                OrderTerm("habit.title"),
                OrderTerm("habit.external_id"),
            ])
        select.require("habit.user_id IN (\(Visibility(viewer: user.viewer).followed))")
        if !users.isEmpty {
            let keys = try users.map { user in try Lookup.user(user, visibleTo: viewer, in: session) }
            select.require(.membership(of: "habit.user_id", in: keys, as: "user"))
        }
        if let habit {
            select.require("habit.external_id = \(.text(habit.composed), as: "id")")
        }
        if let condition {
            let translated = try FilterTranslation.condition(condition, over: Self.outputs, session.dialect)
            select.require(translated)
        }
        select.limit = limit
        var shape = Self.projection.shape
        shape.table = ["user", "title", "status"]
        if showsNewest {
            let index = Self.projection.columns.count
            shape.textColumns = [Column("last", .day, at: index), Column("comment", .text, at: index + 1)]
            shape.table += ["last", "comment"]
        }
        return try select.selection(shape, page: page)
    }

    /// Returns the join of the newest event of each habit.
    private static func newest(_ dialect: any Dialect) -> SQL {
        let ofUser = SQL(dialect.andUser("other.user_id", is: "habit.user_id"))
        return """
            LEFT JOIN event AS newest ON newest.habit_id = habit.id AND newest.user_id = habit.user_id
              AND newest.day = (SELECT max(other.day) FROM event AS other WHERE other.habit_id = habit.id\(ofUser))
            """
    }

    static let outputs: [OutputColumn] = [
        OutputColumn(
            "user",
            .expression("account.external_id"),
            in: .lists,
            as: "owner"),
        .userName,
        OutputColumn(
            "habit",
            .expression("habit.external_id"),
            in: .lists,
            as: "habit_name"),
        OutputColumn(
            "title",
            .expression("habit.title"),
            in: .lists,
            folded: .expression("habit.title_folded")),
        OutputColumn("status", .expression("standing.status"), in: .lists, measure: .status),
        OutputColumn(
            "color",
            .expression("standing.color"),
            in: .lists, measure: .color),
    ]

    private static let projection = Projection(outputs, identity: ["habit"])
}
