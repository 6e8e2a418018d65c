import HabitModel
import StoreEngine

/// The SELECT of an event query, with the choices of the queries that consist of several event queries.
struct EventSelect {
    /// The query, whose filter contains the box that its condition requires.
    let query: EventQuery
    /// The session that runs the query.
    let session: any Session
    /// The users whose events are read by the index on users, or `nil` for all users of the scope.
    var owners: ChosenOwners?
    /// The viewers of a ``FriendsQuery`` and their labels, or `nil` for only the viewer of the query.
    var viewers: [LabeledViewer]?
    /// Whether the SELECT is a part of another SELECT, and so contains all texts and not their keys.
    var isPart = false

    /// Creates the SELECT of a query.
    init(_ query: EventQuery, in session: any Session) {
        self.query = query.located
        self.session = session
    }

    private var dialect: any Dialect { session.dialect }

    private var plan: EventPlan {
        let abilities = EventPlan.Abilities(
            findsNewestInWindow: session.newestRows != nil,
            isDistributed: dialect.traits.isDistributed)
        return EventPlan(query, abilities, owners: owners)
    }

    /// Whether the session looks up texts of other tables by key, without a join.
    private var readsTextsByKey: Bool {
        guard query.page == nil, !isPart else { return false }
        return !query.showsTarget && !query.showsUserName && session.keyedTexts != nil
    }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Throws: The errors of ``EventQuery/selection(in:)``.
    func selection() throws -> Selection {
        let plan = plan
        let projection = query.projection(readsTextsByKey: readsTextsByKey)
        var shape = projection.shape
        if query.filter.near != nil { shape = shape.near() }
        if let label = query.label ?? query.filter.near?.label { shape = shape.labelled(label.name) }
        var select = try restricted(by: plan)
        guard let page = query.page else {
            select.columns.insert(contentsOf: projection.columns, at: 0)
            select.texts = projection.texts
            if !readsTextsByKey {
                // The newest events of followed users are read with their habits.
                select.joins = plan.source == .newestOfFollowed ? query.ownerJoin : query.joins(dialect)
            }
            return try select.selection(shape, page: nil)
        }
        if let standing = query.standing, query.showsStanding {
            try HabitFunctions(viewer: query.viewer, clock: standing, in: session).register()
        }
        return try select.selection(
            shape,
            page: page,
            of: "event",
            details: projection.columns,
            joins: query.joins(dialect),
            dialect: dialect)
    }

    // MARK: The source and the conditions

    /// Returns the SELECT with its source and its conditions, and with the columns for the distance and the label.
    private func restricted(by plan: EventPlan) throws -> Select {
        let spatial = SpatialSource(
            query.filter.spatial,
            of: "event",
            at: query.visibility.position(in: "event"),
            dialect: dialect)
        let order = query.sort.terms(of: "event", distance: spatial.distance, newest: EventQuery.newestFirst)
        let index = commentIndex(of: plan)
        let conditions = try spatial.conditions + ownerConditions + translated(plan, coveredBy: index)
        let scope = try plan.scopeConditions.compactMap(EventConditionSQL(query.visibility, plan, in: session).sql)
        let after = try query.page?.after.map { cursor in try order.condition(after: cursor) }
        let cursor = after.map { [$0] } ?? []
        let source: SQL
        var followed: NewestOfFollowed?
        switch plan.source {
        case .table: source = "event"
        case .window: source = spatial.source
        case .newestInWindow(let window, let newest):
            let all = (conditions + scope + cursor).joined(separator: " AND ")
            let found = try session.newestRows?.candidates(
                newest: newest.count, in: window, where: all, days: newest.days)
            source = found ?? spatial.source
        case .newestVisible(let newest):
            source = dialect.rows(of: "event", withKeys: try keys(of: newest, where: conditions + cursor))
        case .newestOfFollowed:
            let newestEvents = NewestOfFollowed(viewer: query.viewer, viewers: viewers, dialect: dialect)
            source = newestEvents.source
            followed = newestEvents
        case .commentIndex: source = index?.from ?? "event"
        case .ownedOnDays(let days): source = try owned().rows(on: days)
        case .ownedInWindow(let window): source = try owned().rows(in: window)
        case .ownedInTiles(let tiles): source = try owned().rows(in: tiles)
        case .ownedContaining(let text): source = try owned().rows(containing: text.folded)
        case .ownedContainingWord(let word):
            source = dialect.rows(of: "event", withKeys: try owned().keys(containingWord: word.folded))
        }
        var select = Select(spatial.columns + labels, from: source, order: order)
        select.limit = query.limit
        select.require(all: conditions + scope)
        if let followed {
            select.columns += followed.columns
            select.require(followed.condition)
            select.group = followed.group
        }
        return select
    }

    /// The events that the viewer, who is a user, can see in the scope.
    private func owned() throws -> OwnedSource {
        .events(
            query.scope,
            query.visibility,
            of: try owners?.users ?? named(),
            in: session)
    }

    /// The keys of the users that the filter names, or `nil` if it names no user.
    private func named() throws -> [Int64]? {
        guard !query.filter.users.isEmpty else { return nil }
        return try query.filter.users.map { user in
            try Lookup.user(user, visibleTo: query.viewer, in: session)
        }
    }

    /// The column of the label, which a circle or several viewers give instead.
    private var labels: [SelectColumn] {
        guard let label = query.label, viewers == nil else { return [] }
        return [SelectColumn(label)]
    }

    /// The condition on the users whose events are read.
    private var ownerConditions: [SQL] {
        guard let owners else { return [] }
        // In the scope `friends`, the habits find the newest events.
        let column: SQL = query.scope == .friends ? "+event.user_id" : "event.user_id"
        return [.membership(of: column, in: owners.users, as: "owner_key")]
    }

    /// Returns the rows that the search index finds, or `nil` if the plan does not use the index.
    private func commentIndex(of plan: EventPlan) -> (from: SQL, areAll: Bool)? {
        guard case .commentIndex(let text) = plan.source else { return nil }
        return dialect.candidates(holding: text.folded, of: "event")
    }

    /// Returns the conditions of the filter that the source does not ensure.
    private func translated(_ plan: EventPlan, coveredBy index: (from: SQL, areAll: Bool)?) throws -> [SQL] {
        let translation = EventConditionSQL(query.visibility, plan, in: session)
        return try plan.conditions.compactMap { condition in
            switch (condition, plan.source) {
            case (.commentContains, _) where index?.areAll == true: return nil
            case (.commentContainsWord, .ownedContainingWord): return nil
            default: return try translation.sql(condition)
            }
        }
    }

    /// Returns the keys of the newest events that the viewer can see.
    private func keys(of newest: NewestRows, where conditions: [SQL]) throws -> [RowKey] {
        let search = NewestVisibleEvents(
            session: session,
            visibility: query.visibility,
            days: newest.days,
            condition: conditions.isEmpty ? nil : conditions.joined(separator: " AND "),
            count: newest.count)
        return try search.keys()
    }
}
