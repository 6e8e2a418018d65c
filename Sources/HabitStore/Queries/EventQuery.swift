import Geo
import HabitModel
import StoreEngine

/// A query for events: the history of habits, in a scope and through a filter.
public struct EventQuery: Sendable {
    public enum Scope: String, Sendable, CaseIterable {
        /// The viewer's own events.
        case mine
        /// The newest event of each habit of each user whom the viewer follows.
        case friends
        /// The viewer's own events and all events that followed users share.
        case all
    }

    /// The user who asks. Decides which events are visible.
    public var viewer: Viewer
    public var scope = Scope.all
    public var filter = EventFilter()
    public var sort = SortOrder.newest
    public var limit: Int?
    public var page: Page?
    /// Adds status and colour of the event's habit as of this moment's date, to the events of a page: costs a walk over the
    /// events of each habit.
    public var standing: Clock?
    /// The columns that are looked at, those of the place also where a feature's geometry is; nil: all. Others are left out, but
    /// for the id.
    public var columns: Set<String>?
    /// What the first column says of this question, where several are asked.
    public var label: Label?
    /// Whether its SELECT is a part of another one, which needs all texts in it.
    var isPart = false

    public init(viewer: Viewer) { self.viewer = viewer }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Throws: `HabitError` if the filter names a user or a habit that does not exist or is hidden from the viewer.
    public func selection(in session: any Session) throws -> Selection {
        let readsByKey = page == nil && !isPart && session.keyedTexts != nil
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
        select.narrow("event", near: filter.near, box: filter.box, dialect: session.dialect)
        try select.require(filter, for: viewer, in: session)
        let newestVisible = try newestVisibleSource(select, session)
        restrictToScope(&select, session, readsByKey: readsByKey, isNarrowed: newestVisible != nil)
        if let newest = try newestVisible ?? newestNearbySource(select, session) {
            select.from = newest.text
            select.bind(newest.bindings)
        }
        if let label { select.label(label) }
        guard let page else { return try select.selection(shape) }
        if let standing, isStandingWanted {
            try HabitFunctions(viewer: viewer, clock: standing, in: session).offer()
        }
        return try select.selection(shape, of: "event", details: projection.sql, joins: joins, page, session.dialect)
    }

    /// Returns the shape of the rows of several queries whose labels have the name `label`.
    ///
    /// - Parameter near: Whether the rows have a distance.
    public func shape(labelled label: String, near: Bool) -> ResultShape {
        let shape = projection(readsByKey: false).shape
        return (near ? shape.near() : shape).labelled(label)
    }

    /// The list of the SELECT and the shape of the rows.
    private func projection(readsByKey: Bool) -> Projection {
        Projection(outputs, identity: ["id"], isWanted: isWanted, readsByKey: readsByKey)
    }

    private var outputs: [OutputColumn] {
        let columns = EventTable.outputs.of(.lists)
        guard standing != nil, page != nil else { return columns }
        return columns
            + ["status", "color"].map { OutputColumn($0, .expression("standing.\($0)"), in: .lists) }
    }

    /// The joins that follow `event` in a FROM.
    private func joins(_ dialect: any Dialect) -> String {
        var joins: [String] = []
        if isWanted(["habit", "title"]) || isStandingWanted { joins.append("JOIN habit ON habit.id = event.habit_id") }
        if isWanted(["user"]) { joins.append(Self.ownerJoin) }
        if isStandingWanted { joins.append(HabitFunctions.join(dialect)) }
        return joins.joined(separator: "\n")
    }

    private static let ownerJoin = "JOIN account ON account.id = event.user_id"

    private var isStandingWanted: Bool { standing != nil && page != nil && isWanted(["status", "color"]) }

    private func isWanted(_ names: [String]) -> Bool { columns.map { !$0.isDisjoint(with: names) } ?? true }

    /// The largest number of rows for which ``newestNearbySource(_:_:)`` is tried: a page of 1,000 and the row after it.
    private static let nearbyRowLimit = 1001

    /// The largest number of rows for which ``newestVisibleSource(_:_:)`` is tried: the largest page of HTTP and the row after it.
    private static let visibleRowLimit = 10_001

    /// The number of rows to read if the newest events come first, or `nil` for another order or any number of rows.
    private var newestCount: Int? { sort == .newest ? page.map { $0.limit + 1 } ?? limit : nil }

    /// The days of the filter and of the page, or `nil` if there are none.
    private var days: ClosedRange<Day>? {
        let first = filter.from ?? .first
        let last = [filter.to, page?.after?.day].compactMap(\.self).min() ?? .last
        return first <= last ? first...last : nil
    }

    /// Returns all conditions of `select` and the one of the page, or `nil` if there are none.
    private func condition(_ select: SelectBuilder) throws -> SQL? {
        var select = select
        if let after = page?.after { select.require(try select.order.condition(after)) }
        guard !select.conditions.isEmpty else { return nil }
        return SQL(select.conditions.joined(separator: " AND "), select.bindings)
    }

    /// Returns a source of the newest events in an area, or `nil` if the query needs other rows or another order.
    ///
    /// Without it, the engine would sort all events of the area. Few events hold a text of a comment: sorting those costs less.
    ///
    /// - Parameter select: The query with every condition. The source holds the newest events that meet all of them.
    private func newestNearbySource(_ select: SelectBuilder, _ session: any Session) throws -> SQL? {
        guard filter.hasSpatialFilter, filter.id == nil, !filter.namesComment, let rows = newestCount,
            rows <= Self.nearbyRowLimit, let days,
            let window = filter.near.map(\.box) ?? filter.box, let condition = try condition(select)
        else { return nil }
        return try session.newestRows?.candidates(newest: rows, in: window, where: condition, days: days)
    }

    /// Returns a source of the newest events that a user may see, or `nil` if the query needs other rows or another order.
    ///
    /// Without it, the engine would sort all events of all followed users for each page.
    ///
    /// - Parameter select: The query with every condition except the one of the scope.
    private func newestVisibleSource(_ select: SelectBuilder, _ session: any Session) throws -> SQL? {
        guard scope == .all, case .user = viewer, !filter.hasSpatialFilter, filter.id == nil,
            !session.dialect.hasShards,
            let rows = newestCount, rows <= Self.visibleRowLimit, let days
        else { return nil }
        let newest = NewestVisibleEvents(
            session: session, visibility: Visibility(viewer: viewer), days: days, condition: try condition(select),
            count: rows)
        return session.dialect.events(withKeys: try newest.keys())
    }

    /// Adds the conditions of the scope.
    ///
    /// - Parameter isNarrowed: Whether the source already holds few events.
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
                // From each friend's habits to the newest event of each: the cost is that of the habits, not of the events.
                select.from =
                    "follow\nJOIN habit ON habit.user_id = follow.followee_id\n\(session.dialect.newestEventJoin)"
                if page == nil, !readsByKey { select.joins = isWanted(["user"]) ? Self.ownerJoin : "" }
                select.require("follow.follower_id = :viewer AND follow.status = 'accepted'")
            } else {
                select.require(
                    """
                    event.user_id IN (
                      \(Visibility.followed)
                    )
                    """)
                select.require(Visibility.isNewestOfHabit)
            }
        case (.all, .user):
            if !filter.hasSpatialFilter, filter.id == nil, !isNarrowed {
                // Lets the index on users find the events. The next condition decides which of them are visible.
                select.require(
                    """
                    event.user_id IN (
                      SELECT :viewer UNION ALL
                      \(Visibility.followed)
                    )
                    """)
            }
            select.require(visibility.events)
        }
    }
}

extension EventQuery {
    /// The event with this id, if the viewer may see it.
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
