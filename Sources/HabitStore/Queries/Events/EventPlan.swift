import Base
import Geo
import HabitModel

/// The plan of an event query: the one source of its rows, and the conditions that remain.
///
/// A plan is a pure function of the query and of the abilities of the engine. It reads no store.
///
/// | query | source |
/// |---|---|
/// | the operator, an area, newest first, no condition that few events match | ``EventSource/newestInWindow(_:_:)`` |
/// | the operator, any other area | ``EventSource/window(_:)`` |
/// | the operator, a comment, neither owners nor habits | ``EventSource/commentIndex(_:)`` |
/// | a user, scopes `mine` and `all`, chosen owners | ``EventSource/table`` |
/// | a user, scopes `mine` and `all`, chosen owners in tiles | ``EventSource/ownedInTiles(_:)`` |
/// | a user, a word of a comment | ``EventSource/ownedContainingWord(_:)`` |
/// | a user, scope `friends` | ``EventSource/newestOfFollowed`` |
/// | a user, an area, no ID | ``EventSource/ownedInWindow(_:)`` |
/// | a user, a comment, neither habits nor an ID | ``EventSource/ownedContaining(_:)`` |
/// | scope `all` of a user, newest first, a limit, neither habits nor an ID | ``EventSource/newestVisible(_:)`` |
/// | scope `all` of a user, neither habits nor an ID | ``EventSource/ownedOnDays(_:)`` |
/// | all others | ``EventSource/table`` |
///
/// The sources of a user read indexes that begin with the owner or the habit. An index that contains the events of all
/// users in the order of their position or their comment would let the time of a query depend on hidden events.
struct EventPlan: Equatable {
    /// The abilities of an engine, apart from the common SQL.
    struct Abilities: Equatable {
        /// Whether the engine finds the newest events of an area by cells and days.
        var findsNewestInWindow = false
        /// Whether the tables are distributed over several servers, which cannot look up single events in turn.
        var isDistributed = false
    }

    /// The maximum number of rows of ``EventSource/newestInWindow(_:_:)``: a page of 1,000 rows and the row after it.
    static let windowRowLimit = 1001
    /// The maximum number of rows of ``EventSource/newestVisible(_:)``: the largest HTTP page and the row after it.
    static let visibleRowLimit = 10_001

    /// The source of the rows.
    let source: EventSource
    /// The conditions of the filter, except the exact area.
    let conditions: [EventCondition]
    /// The conditions of the scope, which the source does not already meet.
    let scopeConditions: [EventCondition]
    /// Whether the conditions on users and habits may select an index.
    ///
    /// If the spatial index finds the events, the engine would search it once for each user.
    let usesOwnerIndex: Bool

    /// Plans a query.
    ///
    /// - Parameters:
    ///   - query: The query. Its filter contains the box that its condition requires: see ``EventQuery/located``.
    ///   - abilities: The abilities of the engine.
    ///   - owners: The users whose events are read, or `nil` for all users of the scope.
    init(_ query: EventQuery, _ abilities: Abilities, owners: ChosenOwners? = nil) {
        let source = Self.source(of: query, abilities, owners: owners)
        self.source = source
        usesOwnerIndex = !source.isSpatialIndex
        conditions = query.filter.conditions
        scopeConditions = Self.scope(of: query, from: source, hasOwnerKeys: owners != nil)
    }

    // MARK: The source

    private static func source(of query: EventQuery, _ abilities: Abilities, owners: ChosenOwners?) -> EventSource {
        switch query.viewer {
        case .operator:
            if let window = query.filter.spatial.window {
                return source(ofOperator: query, in: window, abilities)
            }
            return commentIndex(query.filter) ?? .table
        case .user:
            guard let owners else { return source(ofUser: query, abilities) }
            if query.scope == .friends { return .newestOfFollowed }
            return owners.tiles.isEmpty ? .table : .ownedInTiles(owners.tiles)
        }
    }

    /// Returns a source whose time does not depend on events that the user cannot see.
    private static func source(ofUser query: EventQuery, _ abilities: Abilities) -> EventSource {
        let filter = query.filter
        if let word = filter.commentWord { return .ownedContainingWord(word) }
        if query.scope == .friends { return .newestOfFollowed }
        guard filter.id == nil else { return .table }
        if let window = filter.spatial.window { return .ownedInWindow(window) }
        guard !filter.namesHabits else { return .table }
        if let text = filter.containedText { return .ownedContaining(text) }
        // A cluster reads the table on all servers at the same time.
        guard query.scope == .all, !abilities.isDistributed else { return .table }
        if let newest = newestVisible(query) { return newest }
        guard let days = query.days else { return .table }
        return .ownedOnDays(days)
    }

    private static func source(
        ofOperator query: EventQuery,
        in window: BoundingBox,
        _ abilities: Abilities
    ) -> EventSource {
        guard abilities.findsNewestInWindow, query.filter.readsOnlyByArea,
            let newest = query.newestRows(atMost: windowRowLimit)
        else { return .window(window) }
        return .newestInWindow(window, newest)
    }

    private static func newestVisible(_ query: EventQuery) -> EventSource? {
        guard let newest = query.newestRows(atMost: visibleRowLimit) else { return nil }
        return .newestVisible(newest)
    }

    /// Returns the search index if no other index selects fewer events.
    private static func commentIndex(_ filter: EventFilter) -> EventSource? {
        guard !filter.namesOwnersOrHabits, let text = filter.containedText else { return nil }
        return .commentIndex(text)
    }

    // MARK: The scope

    private static func scope(
        of query: EventQuery,
        from source: EventSource,
        hasOwnerKeys: Bool
    ) -> [EventCondition] {
        switch (query.viewer, query.scope) {
        case (.operator, _): return []
        case (.user, .mine): return [.own]
        case (.user, .friends): return source == .newestOfFollowed ? [] : [.newestOfFollowed]
        case (.user, .all):
            let readsTable = source == .table && query.filter.readsByTime && !hasOwnerKeys
            return readsTable ? [.ownedByFollowed, .visible] : [.visible]
        }
    }
}

extension EventQuery {
    /// The same query with the box that its condition requires, so that the spatial index finds the events.
    var located: EventQuery {
        guard filter.box == nil, let box = filter.condition?.requiredBox else { return self }
        var query = self
        query.filter.box = box
        return query
    }

    /// The newest rows that the query reads, or `nil` if it has another order, no limit, more rows or no possible day.
    fileprivate func newestRows(atMost limit: Int) -> NewestRows? {
        guard sort == .newest, let count = page.map({ page in page.limit + 1 }) ?? self.limit, count <= limit,
            let days
        else { return nil }
        return NewestRows(count: count, days: days)
    }

    /// The days that the filter and the page allow, or `nil` if there are no such days.
    fileprivate var days: ClosedRange<Day>? {
        let first = filter.from ?? .first
        let last = [filter.to, page?.after?.day].compactMap(\.self).min() ?? .last
        return first <= last ? first...last : nil
    }
}
