import Geo
import HabitModel

/// Habit events: the history, in a scope, through any combination of filters.
///
/// The filters choose among what the viewer may see, so that none of them finds more than that.
public struct EventQuery: Sendable {
    public enum Scope: String, Sendable, CaseIterable {
        /// The viewer's own.
        case mine
        /// The newest event of each habit of each user the viewer follows.
        case friends
        /// Mine, and all that followed users grant.
        case all
    }

    public var viewer: Viewer
    public var scope = Scope.all
    /// Only the event with this id.
    public var id: String?
    /// Ids of users; empty: everybody.
    public var users: [String] = []
    /// Ids or titles of habits; empty: all.
    public var habits: [String] = []
    public var notHabits: [String] = []
    /// IDs of habits; empty: all.
    public var habitIDs: [String] = []
    /// Titles of habits, each of all visible habits with this title, folded and whole; empty: all.
    public var habitTitles: [String] = []
    /// The whole comment.
    public var exactComment: String?
    /// A text and a word that the comment holds.
    public var comment: String?
    public var commentWord: String?
    public var from: Day?
    public var to: Day?
    public var near: Near?
    public var box: BoundingBox?
    /// Only those that have a place.
    public var isLocated = false
    /// When they happened; of those of which only the day is known, the day in UTC.
    public var during: TimeSpan?
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

    public func selection(in session: any Session) throws -> Selection {
        let readsByKey = page == nil && !isPart && session.readsTextsByKey
        let (details, texts, shape) = said(
            isNear: near != nil, label: (label ?? near?.label)?.name, readsByKey: readsByKey)
        var select = SelectBuilder(
            columns: page == nil ? details : [],
            from: "event",
            order: sort.terms(
                of: "event", near: near,
                newest: [.descending("event.day", .day), .descending("event.occurred_at", .instant, isNullable: true)],
                session.dialect)
        )
        select.texts = texts
        let joins = readsByKey ? "" : joins(session.dialect)
        if page == nil { select.joins = joins }
        select.limit = limit
        select.narrow("event", near: near, box: box, dialect: session.dialect)
        let placed = select
        let newestVisible = try newestVisible(placed, session)
        try filter(&select, session, readsByKey: readsByKey, isNarrowed: newestVisible != nil)
        if let newest = try newestVisible ?? newestOfPlace(placed, chosen: select, session) {
            select.from = newest.text
            select.bind(newest.bindings)
        }
        if let label { select.label(label) }
        guard let page else { return try select.selection(shape) }
        if let standing, isStandingWanted {
            try HabitFunctions(viewer: viewer, clock: standing, in: session).offer()
        }
        return try select.selection(shape, of: "event", details: details, joins: joins, page, session.dialect)
    }

    /// What the rows of several questions look like; `label` is the name of their first column.
    public func shape(labelled label: String, near: Bool) -> ResultShape {
        said(isNear: near, label: label, readsByKey: false).shape
    }

    /// What is said of an event, in SQL, with the texts that are read by their key, and as it is shown.
    private func said(
        isNear: Bool, label: String?, readsByKey: Bool
    ) -> (sql: [String], texts: [Int: TextColumn], shape: ResultShape) {
        let parts = parts
        var sql: [String] = []
        var texts: [Int: TextColumn] = [:]
        var shape = ResultShape(columns: [])
        shape.choice = parts.flatMap(\.names)
        for part in parts where part.isIdentity || isWanted(part.names) {
            let columns = part.columns(sql.count)
            if part.isPlace { shape.geometry = .point(sql.count) }
            if part.isIdentity { shape.identity = columns }
            shape.columns += columns
            if readsByKey, let key = part.key {
                texts[sql.count] = key.text
                sql.append(key.sql)
            } else {
                sql += part.sql
            }
        }
        if isNear { shape = shape.near() }
        if let label { shape = shape.labelled(label) }
        return (sql, texts, shape)
    }

    /// What stands together in a SELECT, and the columns that are made of it.
    private struct Part {
        var names: [String]
        var sql: [String]
        var isIdentity = false
        var isPlace = false
        /// Where it is a text of a row of another table: the key of that row, in a SELECT.
        var key: (sql: String, text: TextColumn)?
        /// By where it stands in the row.
        var columns: (Int) -> [Column]

        init(_ names: String..., sql: String..., columns: @escaping (Int) -> [Column]) {
            (self.names, self.sql, self.columns) = (names, sql, columns)
        }

        init(_ name: String, _ value: Column.Value, _ sql: String, isSecondary: Bool = false) {
            self.init(name, sql: sql) { [Column(name, value, at: $0, isSecondary: isSecondary)] }
        }

        /// A text of the row whose key the event has.
        init(
            _ name: String, _ text: TextColumn, as alias: String? = nil, by key: String, isSecondary: Bool = false
        ) {
            let alias = alias ?? name
            self.init(name, .text, "\(text.table).\(text.name) AS \(alias)", isSecondary: isSecondary)
            self.key = ("\(key) AS \(alias)", text)
        }

        /// The part with a property set.
        func with(_ property: WritableKeyPath<Part, Bool>) -> Part {
            var part = self
            part[keyPath: property] = true
            return part
        }
    }

    private var parts: [Part] {
        var parts = [
            Part("id", .text, "event.external_id AS id").with(\.isIdentity),
            Part("user", TextColumn(name: "external_id", table: "account"), as: "owner", by: "event.user_id"),
            Part("habit", TextColumn(name: "external_id", table: "habit"), by: "event.habit_id", isSecondary: true),
            Part("title", TextColumn(name: "title", table: "habit"), by: "event.habit_id"),
            Part("day", .day, "event.day AS day"),
            Part("at", sql: "event.occurred_at AS at", "event.utc_offset AS at_offset") {
                [Column("at", .instant(offset: $0 + 1), at: $0)]
            },
            Part("comment", .text, "event.comment AS comment"), Part("outcome", .text, "event.outcome AS outcome"),
            Part("has_photo", .boolean, "event.photo_id IS NOT NULL AS has_photo"),
            Part("unplanned", .boolean, "event.unplanned AS unplanned"),
            Part("longitude", "latitude", sql: "event.geometry AS geometry") {
                [Column("longitude", .longitude, at: $0), Column("latitude", .latitude, at: $0)]
            }.with(\.isPlace),
        ]
        if standing != nil, page != nil {
            parts += ["status", "color"].map { Part($0, .text, "standing.\($0) AS \($0)") }
        }
        return parts
    }

    /// Behind `event` in a FROM.
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

    /// Whether a place narrows the events, through the spatial index.
    private var isPlaced: Bool { near != nil || box?.isWorld == false }

    /// Whether neither a person nor a habit narrows the events: not who asks, nor what is asked about.
    private var isOpen: Bool {
        viewer == .operator && users.isEmpty && habits.isEmpty && habitIDs.isEmpty && habitTitles.isEmpty
    }

    /// So many of the newest, a page of 1,000 and the row behind it, are found without a look at all others in the place.
    private static let fewRows = 1001

    /// The source of the few newest events, if only the location and the days choose them; else `nil`.
    ///
    /// - Parameters:
    ///   - placed: The query with the conditions of the location.
    ///   - chosen: The same query with all conditions. Any condition that the days do not account for disables this source.
    func newestOfPlace(_ placed: SelectBuilder, chosen: SelectBuilder, _ session: any Session) throws -> SQL? {
        var dated = placed
        restrictDays(&dated)
        guard chosen.selectsSameRows(as: dated), sort == .newest, isPlaced, let window = near.map(\.box) ?? box,
            let rows = page.map({ $0.limit + 1 }) ?? limit, rows <= Self.fewRows
        else { return nil }
        let first = from ?? .first
        let last = [to, page?.after?.day].compactMap(\.self).min() ?? .last
        guard first <= last else { return nil }
        var placed = placed
        if let after = page?.after { placed.require(try placed.order.condition(after)) }
        let condition = SQL(placed.conditions.joined(separator: " AND "), placed.bindings)
        return try session.candidates(newest: rows, in: window, where: condition, days: first...last)
    }

    /// The largest page of HTTP and the row after it.
    private static let visibleRowLimit = 10_001

    /// Returns a source of the newest events that a user may see, or `nil` if the query needs other rows or another order.
    ///
    /// Without it, the engine would sort all events of all followed users for each page.
    private func newestVisible(_ select: SelectBuilder, _ session: any Session) throws -> SQL? {
        guard scope == .all, case .user = viewer, id == nil, !isPlaced, sort == .newest, !session.dialect.hasShards,
            let rows = page.map({ $0.limit + 1 }) ?? limit, rows <= Self.visibleRowLimit
        else { return nil }
        let first = from ?? .first
        let last = [to, page?.after?.day].compactMap(\.self).min() ?? .last
        guard first <= last else { return nil }
        var filtered = select
        restrictDays(&filtered)
        try filterByValues(&filtered, session)
        if let after = page?.after { filtered.require(try filtered.order.condition(after)) }
        let newest = NewestVisibleEvents(
            session: session, visibility: Visibility(viewer: viewer), days: first...last,
            condition: filtered.conditions.isEmpty
                ? nil : SQL(filtered.conditions.joined(separator: " AND "), filtered.bindings), count: rows)
        return session.dialect.events(withKeys: try newest.keys())
    }

    /// In front of a column that names a user or a habit. Where a place narrows the events, a plus keeps the planner from
    /// starting with a list of those: it would go through the spatial index once for each.
    private var eventColumn: String { isPlaced ? "+event." : "event." }

    /// `isNarrowed`: whether the source already holds few events.
    private func restrictToScope(
        _ select: inout SelectBuilder, _ session: any Session, readsByKey: Bool, isNarrowed: Bool
    ) {
        let visibility = Visibility(viewer: viewer)
        select.bind(visibility.bindings)
        switch (scope, viewer) {
        case (_, .operator): break
        case (.mine, .user): select.require("\(eventColumn)user_id = :viewer")
        case (.friends, .user):
            if !isPlaced {
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
            if !isPlaced, id == nil, !isNarrowed {
                // Only narrows where to look, through the index on users; what may be seen, the next condition says.
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

    private func restrictDays(_ select: inout SelectBuilder) {
        if let from { select.require("event.day >= :from_day", ["from_day": .day(from)]) }
        if let to { select.require("event.day <= :to_day", ["to_day": .day(to)]) }
    }

    /// Adds the conditions of all filters except the location.
    private func filter(
        _ select: inout SelectBuilder, _ session: any Session, readsByKey: Bool, isNarrowed: Bool
    ) throws {
        restrictDays(&select)
        restrictToScope(&select, session, readsByKey: readsByKey, isNarrowed: isNarrowed)
        try filterByValues(&select, session)
    }

    /// Adds the conditions of the filters that hold for any viewer, except the location and the days.
    private func filterByValues(_ select: inout SelectBuilder, _ session: any Session) throws {
        if let id { select.require("event.external_id = :id", ["id": .text(id.composed)]) }
        if !users.isEmpty {
            let keys = try users.map { try Lookup.user($0, in: session) }
            select.require("\(eventColumn)user_id", in: keys, as: "user")
        }
        if !habits.isEmpty {
            let keys = try habits.flatMap { try Lookup.habits($0, visibleTo: viewer, in: session) }
            select.require("\(eventColumn)habit_id", in: keys, as: "habit")
        }
        if !habitIDs.isEmpty {
            let keys = try habitIDs.flatMap { try Lookup.habits(id: $0, visibleTo: viewer, in: session) }
            select.require("\(eventColumn)habit_id", in: keys, as: "habit_with_id")
        }
        if !habitTitles.isEmpty {
            let keys = try habitTitles.flatMap { try Lookup.habits(titled: $0, visibleTo: viewer, in: session) }
            select.require("\(eventColumn)habit_id", in: keys, as: "titled_habit")
        }
        if !notHabits.isEmpty {
            let keys = try notHabits.flatMap { try Lookup.habits($0, visibleTo: viewer, in: session) }
            select.require("\(eventColumn)habit_id", in: keys, as: "not_habit", negated: true)
        }
        // A location filter implies a geometry.
        if isLocated, near == nil, box == nil { select.require("event.geometry IS NOT NULL") }
        if let during { select.require(during.condition("event.occurred_at", day: "event.day")) }
        if let exactComment {
            select.require("event.comment = :exact_comment", ["exact_comment": .text(exactComment.composed)])
        }
        // An equal comment contains the text too, and the search index finds it.
        if let text = comment ?? commentWord ?? exactComment {
            // The search index serves where neither a place nor a person narrows the events already.
            let candidates = isOpen && !isPlaced ? session.dialect.candidates(holding: text.folded, of: "event") : nil
            if let candidates {
                select.from = candidates.from.text
                select.bind(candidates.from.bindings)
            }
            if candidates?.areAll != true {
                select.require(session.dialect.contains(text.folded, in: "comment_folded", of: "event"))
            }
        }
        if let commentWord {
            select.require(session.dialect.containsWord(commentWord.folded, in: "event"))
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
        query.id = id
        return try query.selection(in: session)
    }
}
