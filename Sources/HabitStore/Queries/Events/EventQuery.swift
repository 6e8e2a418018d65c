import Base
import Geo
import HabitModel
import StoreEngine

/// A query for events in a scope, restricted by a filter.
public struct EventQuery: Sendable {
    /// The users whose events a query selects.
    public enum Scope: String, Sendable, CaseIterable {
        /// The viewer's own events.
        case mine
        /// The newest event of each habit of each user whom the viewer follows.
        case friends
        /// The viewer's own events and all events that followed users share with the viewer.
        case all
    }

    /// The viewer of the query.
    ///
    /// The result contains only events that the viewer can see.
    public var viewer: Viewer
    /// Whether the rows go to a client without a token, which sees no positions in private places.
    public var isPublic = false
    /// The scope of the query.
    ///
    /// The operator sees all events in every scope.
    public var scope = Scope.all
    /// The conditions on the events.
    public var filter = EventFilter()
    /// The order of the rows.
    public var sort = SortOrder.newest
    /// The maximum number of rows, or `nil` for all rows.
    public var limit: Int?
    /// The page to read, or `nil` for the complete result.
    public var page: Page?
    /// The clock for the columns `status` and `color` of the event's habit, or `nil` for rows without these columns.
    ///
    /// Only a page has these columns. They cost a read of the events of each habit on the page.
    public var standing: Clock?
    /// The names of the columns to read, or `nil` for all columns.
    ///
    /// The query always reads `id`.
    ///
    /// If the output needs the geometry of a feature, include `longitude` or `latitude`.
    public var columns: Set<String>?
    /// Whether the rows have the target amount and the unit of the habit in addition.
    ///
    /// An output needs them to show whether the amount of an event suffices for its day to count as done.
    public var showsTarget = false
    /// Whether the rows have the name of the owner in addition.
    public var showsUserName = false
    /// The label of the rows if the caller runs several queries, or `nil` for rows without a label column.
    public var label: Label?

    /// Creates a query for all events that `viewer` can see.
    public init(viewer: Viewer) { self.viewer = viewer }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Throws: `not-found` if the filter names a user that does not exist, or a habit that does not exist or is
    ///   hidden from the viewer; `parameter-invalid` if the cursor of the page does not belong to this order.
    public func selection(in session: any Session) throws -> Selection {
        try EventSelect(self, in: session).selection()
    }

    /// Returns the shape of the rows of several queries that have a label column.
    ///
    /// - Parameters:
    ///   - label: The name of the label column.
    ///   - near: Whether the rows have a distance.
    /// - Returns: The shape, with the label column and, if `near` is true, a distance column.
    public func shape(labelled label: String, near: Bool) -> ResultShape {
        let shape = projection(readsTextsByKey: false).shape
        return (near ? shape.near() : shape).labelled(label)
    }
}

extension EventQuery {
    /// The visibility rules of the viewer.
    var visibility: Visibility { Visibility(viewer: viewer, isPublic: isPublic) }

    /// The order by time, latest first, without the ID.
    static let newestFirst: [OrderTerm] = [
        .descending("event.day", .day),
        .descending("event.occurred_at", .instant, isNullable: true),
    ]

    /// Returns the select list and the shape of the rows.
    ///
    /// - Parameter readsTextsByKey: Whether the session looks up texts of other tables by key, without a join.
    /// - Returns: The select list.
    func projection(readsTextsByKey: Bool) -> Projection {
        var projection = Projection(outputs, identity: ["id"], chosen: columns, readsByKey: readsTextsByKey)
        projection.shape.table = textTable
        return projection
    }

    /// The columns of a text table for people.
    private var textTable: [TableColumn] {
        let owner: [TableColumn] = viewer == .operator || scope != .mine ? ["user"] : []
        return owner + [
            "day", "title", "outcome", .ifUsed("amount"), "comment", .ifUsed("has_photo"), .ifUsed(ColumnLabel.place),
        ]
    }

    private var outputs: [OutputColumn] {
        var outputs = EventTable.outputs(visibility).of(.lists)
        if showsTarget { outputs += EventTable.targetOutputs }
        if showsUserName { outputs.append(.userName) }
        if standing != nil, page != nil {
            outputs.append(OutputColumn("status", .expression("standing.status"), in: .lists, measure: .status))
            outputs.append(OutputColumn("color", .expression("standing.color"), in: .lists, measure: .color))
        }
        return outputs
    }

    /// Returns the joins that follow `event` in a FROM clause.
    func joins(_ dialect: any Dialect) -> SQL {
        var joins: [SQL] = []
        let readsHabit = columns.includesAny(of: ["habit", "title"])
        if readsHabit || showsStanding || showsTarget { joins.append(EventTable.habitJoin) }
        if readsOwner { joins.append(Self.owner) }
        if showsStanding { joins.append(HabitFunctions.join(dialect)) }
        return joins.joined(separator: "\n")
    }

    /// The join of the owner, or empty SQL if no column needs it.
    var ownerJoin: SQL { readsOwner ? Self.owner : "" }

    private var readsOwner: Bool { showsUserName || columns.includesAny(of: ["user"]) }

    private static let owner: SQL = "JOIN account ON account.id = event.user_id"

    /// Whether the rows have the status or the color of the habit.
    var showsStanding: Bool {
        standing != nil && page != nil && columns.includesAny(of: ["status", "color"])
    }
}

extension EventQuery {
    /// Returns a query for one event.
    ///
    /// The result is empty if the event does not exist or the viewer cannot see it.
    ///
    /// - Parameters:
    ///   - id: The ID of the event.
    ///   - viewer: The viewer of the query.
    ///   - isPublic: Whether the row goes to a client without a token.
    ///   - isLocated: Whether an event without a position, or with a hidden one, is not found.
    ///   - standing: The clock for the status and color of the event's habit, or `nil` for a row without them.
    ///   - session: The session that runs the query.
    /// - Returns: The query, with at most one row.
    /// - Throws: An error of the engine.
    public static func one(
        _ id: String,
        viewer: Viewer,
        isPublic: Bool = false,
        isLocated: Bool = false,
        standing: Clock? = nil,
        in session: any Session
    ) throws -> Selection {
        var query = EventQuery(viewer: viewer)
        query.isPublic = isPublic
        query.filter.isLocated = isLocated
        query.standing = standing
        query.page = Page(limit: 1)
        query.filter.id = id
        return try query.selection(in: session)
    }
}
