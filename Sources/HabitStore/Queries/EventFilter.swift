import Base
import Geo
import HabitModel
import StoreEngine

/// The conditions that select events.
///
/// A row must meet all of them. An empty filter selects every event.
///
/// The filter applies to the events that the viewer can see. It never finds other events.
///
/// A `nil` value or an empty array adds no condition.
public struct EventFilter: Sendable, Equatable {
    /// The ID of the event.
    public var id: String?
    /// The IDs of the users who own the events.
    public var users: [String] = []
    /// The IDs or titles of habits whose events are selected.
    public var habits: [String] = []
    /// The IDs or titles of habits whose events are not selected.
    public var notHabits: [String] = []
    /// The IDs of habits whose events are selected.
    public var habitIDs: [String] = []
    /// The titles of habits.
    ///
    /// Each title selects all visible habits with this title, compared without case.
    public var habitTitles: [String] = []
    /// The complete comment, compared with case.
    public var exactComment: String?
    /// A text that the comment contains, compared without case.
    public var comment: String?
    /// A word that the comment contains, compared without case.
    public var commentWord: String?
    /// The first calendar day.
    public var from: Day?
    /// The last calendar day.
    public var to: Day?
    /// The time span of the events.
    ///
    /// An event without a time is compared by its day in UTC.
    public var during: TimeSpan?
    /// A circle.
    ///
    /// Only events inside the circle are selected.
    public var near: Near?
    /// A bounding box.
    ///
    /// Only events inside the box are selected.
    public var box: BoundingBox?
    /// A bounding box.
    ///
    /// Only events inside the box and events without a position are selected (OGC API - Features, Part 1,
    /// `/req/core/fc-bbox-response`). The spatial index does not find them.
    public var boxOrUnlocated: BoundingBox?
    /// An area.
    ///
    /// Only events inside the area or on its border are selected.
    public var area: Area?
    /// A condition on the columns of the list, except the status and the color of the habit.
    public var condition: FeatureFilter?
    /// Whether events without a position are excluded.
    public var isLocated = false

    /// Creates an empty filter.
    public init() {}

    /// Whether the filter has no conditions and selects every event.
    public var isEmpty: Bool { self == EventFilter() }

    /// Whether the spatial index can find the events.
    var hasSpatialFilter: Bool { spatial.window != nil }

    /// The spatial conditions.
    var spatial: SpatialFilter { SpatialFilter(near: near, box: box, area: area) }

    /// Whether the events are read in the order of time: neither the spatial index nor the ID finds them.
    var readsByTime: Bool { !hasSpatialFilter && id == nil }

    /// Whether the spatial index is the only index that finds few events.
    var readsOnlyByArea: Bool { hasSpatialFilter && id == nil && !isSelective }

    /// Whether the filter has a condition that few events match, apart from the area, the owners and the habits.
    ///
    /// A query for the newest events of an area then does not walk back through the days.
    var isSelective: Bool { exactComment != nil || comment != nil || commentWord != nil || condition != nil }

    /// Whether the filter has a condition on the owners or the habits of the events.
    var namesOwnersOrHabits: Bool {
        !(users.isEmpty && habits.isEmpty && habitIDs.isEmpty && habitTitles.isEmpty)
    }
}

extension SelectBuilder {
    /// Adds all conditions of `filter`.
    ///
    /// - Parameters:
    ///   - filter: The conditions on the rows of `event`.
    ///   - viewer: The viewer of the query. The filter can name only habits that the viewer can see.
    ///   - session: The session that looks up users and habits.
    /// - Throws: `not-found` if the filter names a user that does not exist, or a habit that does not exist or is
    ///   hidden from the viewer.
    mutating func require(_ filter: EventFilter, for viewer: Viewer, in session: any Session) throws {
        requireDays(of: filter)
        try requireOwners(of: filter, for: viewer, in: session)
        if let id = filter.id { require("event.external_id = :id", ["id": .text(id.composed)]) }
        // A spatial condition implies a geometry.
        if filter.isLocated, filter.spatial.isEmpty {
            require("event.geometry IS NOT NULL")
        }
        require("event", insideOrUnlocated: filter.boxOrUnlocated, dialect: session.dialect)
        if let during = filter.during { require(during.condition("event.occurred_at", day: "event.day")) }
        requireComment(of: filter, for: viewer, session.dialect)
        try require(filter.condition, over: EventTable.outputs.of(.lists), session.dialect)
    }

    private mutating func requireDays(of filter: EventFilter) {
        if let from = filter.from { require("event.day >= :from_day", ["from_day": .day(from)]) }
        if let to = filter.to { require("event.day <= :to_day", ["to_day": .day(to)]) }
    }

    private mutating func requireOwners(
        of filter: EventFilter, for viewer: Viewer, in session: any Session
    ) throws {
        // If the spatial index finds the events, the plus keeps the planner from an index on users or habits. With such
        // an index, the engine would search the spatial index once for each user.
        let event = filter.hasSpatialFilter ? "+event." : "event."
        if !filter.users.isEmpty {
            let keys = try filter.users.map { try Lookup.user($0, in: session) }
            require("\(event)user_id", in: keys, as: "user")
        }
        if !filter.habits.isEmpty {
            let keys = try filter.habits.flatMap { try Lookup.habits($0, visibleTo: viewer, in: session) }
            require("\(event)habit_id", in: keys, as: "habit")
        }
        if !filter.habitIDs.isEmpty {
            let keys = try filter.habitIDs.flatMap { try Lookup.habits(id: $0, visibleTo: viewer, in: session) }
            require("\(event)habit_id", in: keys, as: "habit_with_id")
        }
        if !filter.habitTitles.isEmpty {
            let keys = try filter.habitTitles.flatMap { try Lookup.habits(titled: $0, visibleTo: viewer, in: session) }
            require("\(event)habit_id", in: keys, as: "titled_habit")
        }
        if !filter.notHabits.isEmpty {
            let keys = try filter.notHabits.flatMap { try Lookup.habits($0, visibleTo: viewer, in: session) }
            require("\(event)habit_id", in: keys, as: "not_habit", negated: true)
        }
    }

    private mutating func requireComment(of filter: EventFilter, for viewer: Viewer, _ dialect: any Dialect) {
        if let comment = filter.exactComment {
            require("event.comment = :exact_comment", ["exact_comment": .text(comment.composed)])
        }
        // An equal comment also contains the text, and the search index finds it.
        if let text = filter.comment ?? filter.commentWord ?? filter.exactComment {
            // The search index is the source only if no other index selects fewer events.
            let isSource = viewer == .operator && !filter.namesOwnersOrHabits && !filter.hasSpatialFilter
            let candidates = isSource ? dialect.candidates(holding: text.folded, of: "event") : nil
            if let candidates {
                from = candidates.from.text
                bind(candidates.from.bindings)
            }
            if candidates?.areAll != true {
                require(dialect.contains(text.folded, in: "comment_folded", of: "event"))
            }
        }
        if let word = filter.commentWord { require(dialect.containsWord(word.folded, in: "event")) }
    }
}
