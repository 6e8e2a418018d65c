import HabitModel
import StoreEngine

/// Title and status of every habit of every user the viewer follows, by user, then title.
public struct FollowingQuery: Sendable {
    public var viewer: Viewer
    public var clock: Clock
    public var users: [String] = []
    public var limit: Int?

    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    /// Throws `not-signed-in` for the operator. Costs a walk over the events of the habits.
    public func selection(in session: any Session) throws -> Selection {
        let user = try ActingUser(viewer, clock: clock, in: session)
        try HabitFunctions(viewer: viewer, clock: clock, in: session).offer()
        var select = SelectBuilder(
            columns: [
                "account.external_id", "account.name", "habit.external_id", "habit.title", "standing.status",
                "standing.color",
            ],
            from: "habit",
            order: ["account.external_id", "habit.title_folded", "habit.title", "habit.external_id"])
        select.joins = "JOIN account ON account.id = habit.user_id\n\(HabitFunctions.join(session.dialect))"
        select.require("habit.user_id IN (\n  \(Visibility.followed)\n)", ["viewer": .integer(user.key)])
        if !users.isEmpty {
            select.require("habit.user_id", in: try users.map { try Lookup.user($0, in: session) }, as: "user")
        }
        select.limit = limit
        return Selection(select.sql, shape: Self.shape)
    }

    private static let shape = ResultShape(
        columns: [
            Column("user", .text, at: 0), Column("user_name", .text, at: 1),
            Column("habit", .text, at: 2, isSecondary: true), Column("title", .text, at: 3),
            Column("status", .text, at: 4), Column("color", .text, at: 5, isSecondary: true),
        ],
        identity: ["habit"])
}
