import Base
import HabitModel
import StoreEngine

/// A query for habits and their statistics.
///
/// By default, the result contains the viewer's own habits, or all habits for the operator. Only the title, schedule
/// and status of another user's habit are visible.
public struct HabitQuery: Sendable {
    /// The viewer of the query.
    ///
    /// The result contains only habits that the viewer can see.
    public var viewer: Viewer
    /// The clock that defines the current date of each user.
    public var clock: Clock
    /// The IDs of the users who own the habits.
    ///
    /// An empty array is not a condition.
    public var users: [String] = []
    /// The IDs or titles of the habits to find.
    ///
    /// An empty array is not a condition.
    public var habits: [String] = []
    /// The ID of the habit to find, or `nil`.
    ///
    /// The owner may be the viewer or another user.
    public var id: String?
    /// The IDs of the habits to find, or `nil` for all habits.
    ///
    /// Unknown and hidden habits are not errors.
    var ids: Set<String>?
    /// The names of the columns to read, or `nil` for all columns.
    ///
    /// The query always reads `id`. Each column of the statistics costs a read of the events that it depends on.
    var columns: Set<String>?
    /// Whether the current date counts as due before the habit is done.
    public var includingToday = false
    /// The maximum number of rows, or `nil` for all rows.
    public var limit: Int?
    /// A condition on the properties of the rows, or `nil`.
    public var condition: FeatureFilter?
    /// The page to read, or `nil` for the complete result.
    public var page: Page?
    /// Whether the result also contains the habits of the users whom the viewer follows.
    public var isOfAll = false
    /// Whether the rows have the name of the owner in addition.
    public var showsUserName = false

    /// Creates a query for the viewer's own habits, or for all habits if the viewer is the operator.
    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    /// Returns the query as SQL with the shape of its rows, and registers the table functions that it calls.
    ///
    /// The query reads the events of each habit in the result.
    ///
    /// - Throws: `not-found` if a named user does not exist, or if a named habit does not exist or is hidden from the
    ///   viewer; `parameter-invalid` if the cursor of the page does not belong to this order.
    public func selection(in session: any Session) throws -> Selection {
        let visibility = Visibility(viewer: viewer)
        var outputs = HabitTable.outputs(visibility).of(.lists)
        if showsUserName { outputs.append(.userName) }
        let projection = Projection(outputs, identity: ["id"], chosen: columns)
        // The operator's users are read in order, so that a page computes no statistics of later habits.
        let ordered: SQL = "\(raw: session.dialect.traits.orderedJoin) habit ON habit.user_id = account.id"
        let owner = isOfEveryUser ? ordered : "JOIN account ON account.id = habit.user_id"
        var select = Select(
            projection.columns,
            from: isOfEveryUser ? "account" : "habit",
            joins: "\(owner)\n\(HabitFunctions.join(session.dialect))",
            order: order(visibility))
        select.limit = limit
        let functions = try HabitFunctions(
            viewer: viewer,
            clock: clock,
            includingToday: includingToday,
            in: session)
        try functions.register()
        try applyFilters(to: &select, visibility: visibility, in: session)
        if let condition {
            let translated = try FilterTranslation.condition(condition, over: outputs, session.dialect)
            select.require(translated)
        }
        var shape = projection.shape
        if columns.includesAny(of: ["days"]) {
            shape.textColumns = [Column("days", .text, at: select.columns.count, measure: .schedule)]
            select.columns.append(SelectColumn("schedule", Self.schedule))
        }
        shape.table = textTable
        return try select.selection(shape, page: page)
    }

    /// The order of the habits: by owner, the viewer's own habits by rank, and by title.
    private func order(_ visibility: Visibility) -> [OrderTerm] {
        let byTitle = [OrderTerm("habit.title_folded"), OrderTerm("habit.external_id")]
        let byOwner = OrderTerm("account.external_id")
        guard viewer != .operator else { return [byOwner] + byTitle }
        let byRank = OrderTerm(visibility.ownHabit("habit.rank"), .integer, isNullable: true)
        return [byOwner, byRank] + byTitle
    }

    /// The columns of a text table for people.
    ///
    /// The statistics of other users' habits are hidden, so their columns are blank.
    private var textTable: [TableColumn] {
        let isOfOthers = viewer == .operator || isOfAll || !users.isEmpty
        let owner: [TableColumn] = isOfOthers ? ["user"] : []
        let statistics = ["completion_rate", "streak_current", "streak_longest", "score"].map { name in
            TableColumn(name, isOptional: isOfOthers)
        }
        return owner + ["title", "days", "status"] + statistics
    }

    /// Whether the result contains all habits of all users.
    private var isOfEveryUser: Bool {
        viewer == .operator && id == nil && ids == nil && users.isEmpty && habits.isEmpty
    }

    /// The schedule in words, as ``HabitModel/Schedule/description`` has it.
    private static let schedule: SQL = """
        CASE
            WHEN standing.times IS NULL THEN standing.days
            ELSE standing.times || CASE standing.times WHEN 1 THEN ' time in ' ELSE ' times in ' END
              || standing.period_days || CASE standing.period_days WHEN 1 THEN ' day' ELSE ' days' END
          END
        """

    private func applyFilters(
        to select: inout Select,
        visibility: Visibility,
        in session: any Session
    ) throws {
        if let id {
            select.require("habit.external_id = \(.text(id.composed), as: "id")")
            select.require(visibility.habits)
        } else if !users.isEmpty {
            let keys = try users.map { user in try Lookup.user(user, visibleTo: viewer, in: session) }
            select.require(.membership(of: "habit.user_id", in: keys, as: "user"))
            select.require(visibility.habits)
        } else if isOfAll {
            select.require(visibility.habits)
        } else if viewer != .operator {
            select.require("habit.user_id = \(visibility.key)")
        }
        if let ids {
            select.require(.membership(of: "habit.external_id", in: ids.sorted(), as: "id"))
        }
        if !habits.isEmpty {
            let keys = try habits.flatMap { name in
                try Lookup.habits(name, visibleTo: viewer, in: session)
            }
            select.require(.membership(of: "habit.id", in: keys, as: "habit"))
        }
    }
}

extension HabitQuery {
    /// Returns a query for one habit.
    ///
    /// The result is empty if the viewer cannot see a habit with the ID `id`.
    public static func one(
        _ id: String,
        viewer: Viewer,
        clock: Clock,
        in session: any Session
    ) throws -> Selection {
        var query = HabitQuery(viewer: viewer, clock: clock)
        query.id = id
        return try query.selection(in: session)
    }
}
