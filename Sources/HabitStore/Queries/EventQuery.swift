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
    /// The label of the rows if the caller runs several queries, or `nil` for rows without a label column.
    public var label: Label?
    /// Whether the query is a subquery of another query.
    ///
    /// The SELECT of a subquery contains all texts, not their keys.
    var isPart = false
    /// The viewers of a ``FriendsQuery`` and their labels, or `nil` for only ``viewer``.
    var viewers: [(viewer: Viewer, label: Label)]?
    /// The keys of the users whose events a map reads by the index on users, or `nil` for all users of the scope.
    var ownerKeys: [Int64]?

    /// Creates a query for all events that `viewer` can see.
    public init(viewer: Viewer) { self.viewer = viewer }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Throws: `not-found` if the filter names a user that does not exist, or a habit that does not exist or is
    ///   hidden from the viewer; `parameter-invalid` if the cursor of the page does not belong to this order.
    public func selection(in session: any Session) throws -> Selection {
        if filter.box == nil, let box = filter.condition?.requiredBox {
            // The spatial index finds the events of the box.
            var query = self
            query.filter.box = box
            return try query.selection(in: session)
        }
        let readsByKey = page == nil && !isPart && !showsTarget && session.keyedTexts != nil
        let projection = projection(readsByKey: readsByKey)
        var shape = projection.shape
        if filter.near != nil { shape = shape.near() }
        if let label = label ?? filter.near?.label { shape = shape.labelled(label.name) }
        var select = SelectBuilder(
            columns: page == nil ? projection.sql : [],
            from: "event",
            order: sort.terms(
                of: "event", near: filter.near,
                newest: [.descending("event.day", .day), .descending("event.occurred_at", .instant, isNullable: true)],
                session.dialect)
        )
        select.texts = projection.texts
        let joins = readsByKey ? "" : joins(session.dialect)
        if page == nil { select.joins = joins }
        select.limit = limit
        select.filterSpatially("event", filter.spatial, session.dialect)
        try select.require(filter, for: viewer, in: session)
        let newestVisible = try newestVisibleSource(select, session)
        // In the scope `friends`, the habits find the newest events.
        if let ownerKeys {
            select.require("\(scope == .friends ? "+" : "")event.user_id", in: ownerKeys, as: "owner_key")
        }
        let isNarrowed = newestVisible != nil || ownerKeys != nil
        restrictToScope(&select, session, readsByKey: readsByKey, isNarrowed: isNarrowed)
        if let newest = try newestVisible ?? newestNearbySource(select, session) {
            select.from = newest.text
            select.bind(newest.bindings)
        }
        if let label, viewers == nil { select.label(label) }
        guard let page else { return try select.selection(shape) }
        if let standing, isStandingWanted {
            try HabitFunctions(viewer: viewer, clock: standing, in: session).register()
        }
        return try select.selection(shape, of: "event", details: projection.sql, joins: joins, page, session.dialect)
    }

    /// Returns the shape of the rows of several queries that have a label column.
    ///
    /// - Parameters:
    ///   - label: The name of the label column.
    ///   - near: Whether the rows have a distance.
    /// - Returns: The shape, with the label column and, if `near` is true, a distance column.
    public func shape(labelled label: String, near: Bool) -> ResultShape {
        let shape = projection(readsByKey: false).shape
        return (near ? shape.near() : shape).labelled(label)
    }

    /// Returns the select list and the shape of the rows.
    private func projection(readsByKey: Bool) -> Projection {
        Projection(outputs, identity: ["id"], isWanted: isWanted, readsByKey: readsByKey)
    }

    private var outputs: [OutputColumn] {
        let columns = EventTable.outputs.of(.lists) + (showsTarget ? EventTable.targetOutputs : [])
        guard standing != nil, page != nil else { return columns }
        return columns
            + ["status", "color"].map { OutputColumn($0, .expression("standing.\($0)"), in: .lists) }
    }

    /// Returns the joins that follow `event` in a FROM clause.
    private func joins(_ dialect: any Dialect) -> String {
        var joins: [String] = []
        if isWanted(["habit", "title"]) || isStandingWanted || showsTarget { joins.append(EventTable.habitJoin) }
        if isWanted(["user"]) { joins.append(Self.ownerJoin) }
        if isStandingWanted { joins.append(HabitFunctions.join(dialect)) }
        return joins.joined(separator: "\n")
    }

    private static let ownerJoin = "JOIN account ON account.id = event.user_id"

    private var isStandingWanted: Bool { standing != nil && page != nil && isWanted(["status", "color"]) }

    private func isWanted(_ names: [String]) -> Bool { columns.map { !$0.isDisjoint(with: names) } ?? true }

    /// The maximum number of rows of ``newestNearbySource(_:_:)``: a page of 1,000 rows and the row after it.
    private static let nearbyRowLimit = 1001

    /// The maximum number of rows of ``newestVisibleSource(_:_:)``: the largest HTTP page and the row after it.
    private static let visibleRowLimit = 10_001

    /// The number of rows to read if the query sorts by time and has a limit, otherwise `nil`.
    private var newestCount: Int? { sort == .newest ? page.map { $0.limit + 1 } ?? limit : nil }

    /// The days that the filter and the page allow, or `nil` if there are no such days.
    private var days: ClosedRange<Day>? {
        let first = filter.from ?? .first
        let last = [filter.to, page?.after?.day].compactMap(\.self).min() ?? .last
        return first <= last ? first...last : nil
    }

    /// Returns all conditions of `select` and of the page, or `nil` if there are no conditions.
    private func condition(_ select: SelectBuilder) throws -> SQL? {
        var select = select
        if let after = page?.after { select.require(try select.order.condition(after)) }
        guard !select.conditions.isEmpty else { return nil }
        return SQL(select.conditions.joined(separator: " AND "), select.bindings)
    }

    /// Returns a source of the newest events in an area, or `nil` if the query needs other rows or another order.
    ///
    /// Without this source, the engine sorts all events of the area. A filter on the comment does not use it, because
    /// few events match such a filter and sorting them costs less.
    ///
    /// - Parameters:
    ///   - select: The query with every condition. The source contains the newest events that meet all of them.
    ///   - session: The session that runs the query.
    /// - Returns: The source with its bindings, or `nil`.
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to this order; an error of the engine.
    private func newestNearbySource(_ select: SelectBuilder, _ session: any Session) throws -> SQL? {
        guard filter.readsOnlyByArea, let rows = newestCount, rows <= Self.nearbyRowLimit, let days,
            let window = filter.spatial.window, let condition = try condition(select)
        else { return nil }
        return try session.newestRows?.candidates(newest: rows, in: window, where: condition, days: days)
    }

    /// Returns a source of the newest visible events, or `nil` if the query needs other rows or another order.
    ///
    /// Without this source, the engine sorts all events of all followed users for each page.
    ///
    /// - Parameters:
    ///   - select: The query with every condition except the condition of the scope.
    ///   - session: The session that runs the query.
    /// - Returns: The source with its bindings, or `nil`.
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to this order; an error of the engine.
    private func newestVisibleSource(_ select: SelectBuilder, _ session: any Session) throws -> SQL? {
        guard scope == .all, case .user = viewer, filter.readsByTime, !session.dialect.isDistributed,
            let rows = newestCount, rows <= Self.visibleRowLimit, let days
        else { return nil }
        let newest = NewestVisibleEvents(
            session: session, visibility: Visibility(viewer: viewer), days: days, condition: try condition(select),
            count: rows)
        return session.dialect.events(withKeys: try newest.keys())
    }

    /// Adds the conditions of the scope.
    ///
    /// - Parameters:
    ///   - select: The query to restrict.
    ///   - session: The session that runs the query.
    ///   - readsByKey: Whether the session looks up texts of other tables by key, without a join.
    ///   - isNarrowed: Whether the source of the query already contains few events.
    private func restrictToScope(
        _ select: inout SelectBuilder, _ session: any Session, readsByKey: Bool, isNarrowed: Bool
    ) {
        let visibility = Visibility(viewer: viewer)
        select.bind(visibility.bindings)
        switch (scope, viewer) {
        case (_, .operator): break
        case (.mine, .user): select.require("\(filter.hasSpatialFilter ? "+event." : "event.")user_id = :viewer")
        case (.friends, .user):
            if !filter.hasSpatialFilter {
                // Starts at the habits of each friend and reads the newest event of each habit. The cost depends on the
                // number of habits, not on the number of events.
                if page == nil, !readsByKey { select.joins = isWanted(["user"]) ? Self.ownerJoin : "" }
                if let viewers { return select.readFriends(of: viewers, session.dialect) }
                select.from =
                    "follow\nJOIN habit ON habit.user_id = follow.followee_id\n\(session.dialect.newestEventJoin)"
                select.require("follow.follower_id = :viewer AND follow.status = 'accepted'")
            } else {
                select.require(
                    """
                    event.user_id IN (
                      \(Visibility.followed)
                    )
                    """)
                select.require(Visibility.isNewestOfHabit(session.dialect))
            }
        case (.all, .user):
            if filter.readsByTime, !isNarrowed {
                // This condition lets the engine use the index on users. The next condition selects the visible events.
                select.require(
                    """
                    event.user_id IN (
                      SELECT :viewer UNION ALL
                      \(Visibility.followed)
                    )
                    """)
            }
            select.require(visibility.events(session.dialect))
        }
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
    ///   - standing: The clock for the status and color of the event's habit, or `nil` for a row without them.
    ///   - session: The session that runs the query.
    /// - Returns: The query, with at most one row.
    /// - Throws: An error of the engine.
    public static func one(
        _ id: String, viewer: Viewer, standing: Clock? = nil, in session: any Session
    ) throws -> Selection {
        var query = EventQuery(viewer: viewer)
        query.standing = standing
        query.page = Page(limit: 1)
        query.filter.id = id
        return try query.selection(in: session)
    }
}
