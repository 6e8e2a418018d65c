import Base
import Geo
import HabitModel
import StoreEngine

/// The records that a shared view shows to everyone who has one of its addresses.
///
/// Only this type decides what a view shows. Files, tiles, bounds and counts are made of its records. It shows only
/// records of the owner, and these columns: see ``SharedLayer``. A position in a private place is hidden, as from a
/// client without a token: the record then has no position. Items have the position that strangers see. Each position is
/// replaced by the center of its cell first, and the box of the view and all other conditions on positions apply to the
/// center.
package struct SharedView: Sendable {
    /// The definition of the view.
    package let definition: ViewDefinition
    private let owner: Viewer
    private let clock: Clock
    private let identity: SharedIdentity

    /// Creates the records of a view.
    ///
    /// - Parameters:
    ///   - definition: The definition of the view.
    ///   - owner: The user whose records the view shows.
    ///   - identity: The IDs of the records.
    ///   - clock: The clock that defines the owner's current date.
    package init(_ definition: ViewDefinition, of owner: Viewer, identity: SharedIdentity, clock: Clock) {
        self.definition = definition
        self.owner = owner
        self.identity = identity
        self.clock = clock
    }

    private var grid: PositionGrid { definition.rounding.grid }

    /// The column with the ID of an event's habit.
    static let habit = "habit"

    /// The layers of the view.
    package var layers: [SharedLayer] {
        definition.layers.map { kind in SharedLayer(kind, showsStatus: definition.showsStatus) }
    }

    /// Calls `body` with the records of a layer, newest first, until `body` returns `false`.
    ///
    /// - Parameters:
    ///   - layer: The layer. A layer that the view does not have has no records.
    ///   - box: A box that contains the rounded positions, or `nil` for all records.
    ///   - session: The session in which the records are read.
    ///   - body: Receives the records.
    /// - Throws: An error of the engine, or of `body`.
    package func forEach(
        _ layer: SharedLayer,
        within box: BoundingBox? = nil,
        in session: any Session,
        _ body: (SharedRecord) throws -> Bool
    ) throws {
        guard layers.contains(layer) else { return }
        let window = (box ?? definition.box).map(grid.box(ofPositionsWithCentersIn:))
        let selection = try selection(layer, in: window, session)
        let statuses = layer.showsStatus ? try statuses(in: session) : nil
        let reader = try SharedRecordReader(selection.shape, of: layer, identity: identity, statuses: statuses)
        try session.query(selection.sql) { row in
            let center = reader.position(of: row).flatMap(grid.center)
            guard Self.isInside(center, definition.box), Self.isInside(center, box) else { return true }
            return try body(reader.record(row, at: center))
        }
    }

    /// Returns whether a box contains a rounded position.
    ///
    /// A record without a position is only in a view without a box.
    private static func isInside(_ position: Position?, _ box: BoundingBox?) -> Bool {
        guard let box else { return true }
        guard let position else { return false }
        return box.contains(position)
    }

    // MARK: Queries

    /// Returns the query for the records of a layer with exact positions, which may contain further records.
    private func selection(
        _ layer: SharedLayer,
        in window: BoundingBox?,
        _ session: any Session
    ) throws -> Selection {
        let today = try ActingUser(owner, clock: clock, in: session).today
        switch layer.kind {
        case .events: return try events(layer, in: window, today: today).selection(in: session)
        case .posts: return try posts(in: window, today: today).selection(in: session)
        case .items: return try items(in: window).selection(in: session)
        }
    }

    private func events(_ layer: SharedLayer, in window: BoundingBox?, today: Day) -> EventQuery {
        var query = EventQuery(viewer: owner)
        query.scope = .mine
        query.isPublic = true
        let days = definition.days(today: today)
        query.filter.from = days.first
        query.filter.to = days.last
        query.filter.comment = definition.comment
        query.filter.condition = eventCondition
        query.filter.box = window
        query.columns = Set(layer.storedColumns + ["longitude", "latitude"] + (layer.showsStatus ? [Self.habit] : []))
        query.showsTarget = true
        return query
    }

    /// Reads the statuses of the owner's habits that the view shows.
    private func statuses(in session: any Session) throws -> HabitStatuses {
        var query = HabitQuery(viewer: owner, clock: clock)
        if !definition.habits.isEmpty { query.ids = Set(definition.habits) }
        return try HabitStatuses(query, in: session)
    }

    /// The condition on the habits and the outcome of events.
    ///
    /// It is a condition on the values, so that a habit which was deleted since is not an error.
    private var eventCondition: FeatureFilter? {
        var conditions = [Self.membership(of: Self.habit, in: definition.habits)].compactMap(\.self)
        if let outcome = definition.outcome {
            conditions.append(.comparison(.property(Queryable("outcome", .text)), .equal, .text(outcome.rawValue)))
        }
        return conditions.isEmpty ? nil : .all(conditions)
    }

    /// Returns the condition that a property is one of some texts, or `nil` without texts.
    private static func membership(of property: String, in texts: [String]) -> FeatureFilter? {
        guard !texts.isEmpty else { return nil }
        let values = texts.map { text in FeatureFilter.Scalar.text(text) }
        return .membership(.property(Queryable(property, .text)), values)
    }

    private func posts(in window: BoundingBox?, today: Day) -> PostQuery {
        var query = PostQuery(viewer: owner)
        query.isPublic = true
        query.users = [owner.id]
        query.box = window
        let days = definition.days(today: today)
        if days.first != nil || days.last != nil {
            var span = TimeSpan(from: nil, to: nil)
            span.firstDay = days.first
            span.lastDay = days.last
            query.during = span
            // A post without a time is in no period.
            query.condition = .not(.isNull(Queryable("posted_at", .instant)))
        }
        return query
    }

    private func items(in window: BoundingBox?) -> ItemQuery {
        var query = ItemQuery(viewer: owner, clock: clock)
        query.isPublic = true
        query.users = [owner.id]
        query.box = window
        return query
    }
}

extension Viewer {
    /// The ID of the user, or an empty text for the operator, who owns no records.
    fileprivate var id: String {
        if case .user(_, let id) = self { id } else { "" }
    }
}
