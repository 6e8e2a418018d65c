import HabitModel
import StoreEngine

/// Habits and how they stand.
///
/// An actor's are the actor's own, unless users are named; of another's habit only title, schedule and status are shown.
public struct HabitQuery: Sendable {
    public var viewer: Viewer
    public var clock: Clock
    public var users: [String] = []
    public var habits: [String] = []
    /// Only the habit with this id, the viewer's or another's that they may see.
    public var id: String?
    public var includingToday = false
    public var limit: Int?
    public var page: Page?
    /// Those of the users whom the viewer follows too.
    public var isOfAll = false

    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    /// Costs a walk over the events of the habits asked about.
    public func selection(in session: any Session) throws -> Selection {
        let visibility = Visibility(viewer: viewer)
        let projection = Projection(HabitTable.outputs(visibility).of(.lists), identity: ["id"])
        var select = SelectBuilder(
            columns: projection.sql, from: "habit",
            order: ["account.external_id", "habit.title_folded", "habit.external_id"])
        select.joins = """
            JOIN account ON account.id = habit.user_id
            \(HabitFunctions.join(session.dialect))
            """
        select.limit = limit
        select.page = page
        select.bind(visibility.bindings)
        try HabitFunctions(viewer: viewer, clock: clock, includingToday: includingToday, in: session).offer()
        try narrow(&select, visibility, session)
        return try select.selection(projection.shape)
    }

    private func narrow(_ select: inout SelectBuilder, _ visibility: Visibility, _ session: any Session) throws {
        if let id {
            select.require("habit.external_id = :id", ["id": .text(id.composed)])
            select.require(visibility.habits, visibility.bindings)
        } else if !users.isEmpty {
            select.require("habit.user_id", in: try users.map { try Lookup.user($0, in: session) }, as: "user")
            select.require(visibility.habits, visibility.bindings)
        } else if isOfAll {
            select.require(visibility.habits, visibility.bindings)
        } else if viewer != .operator {
            select.require("habit.user_id = :viewer", visibility.bindings)
        }
        if !habits.isEmpty {
            let keys = try habits.flatMap { try Lookup.habits($0, visibleTo: viewer, in: session) }
            select.require("habit.id", in: keys, as: "habit")
        }
    }
}

extension HabitQuery {
    /// The habit with this id, if the viewer may see it.
    public static func one(
        _ id: String, viewer: Viewer, clock: Clock, in session: any Session
    ) throws -> Selection {
        var query = HabitQuery(viewer: viewer, clock: clock)
        query.id = id
        return try query.selection(in: session)
    }
}
