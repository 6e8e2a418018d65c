import Foundation
import HabitModel
import StoreEngine

/// A query for the viewer's habits that are due today, with a column that shows whether they are done.
public struct TodoQuery: Sendable {
    /// The viewer of the query, who must be a user.
    public var viewer: Viewer
    /// The clock that defines the current date of the viewer.
    public var clock: Clock

    /// Creates a query for the habits that are due on the current date of `viewer`.
    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    /// Returns the query as SQL with the shape of its rows, and registers the table functions that it calls.
    ///
    /// A habit is not due on a skipped day. The method reads all events of the viewer's habits.
    ///
    /// - Throws: `not-signed-in` if the viewer is the operator.
    public func selection(in session: any Session) throws -> Selection {
        let user = try ActingUser(viewer, clock: clock, in: session)
        try HabitFunctions(viewer: viewer, clock: clock, in: session).register()
        var select = SelectBuilder(
            columns: [
                "habit.external_id", "habit.title", ":today", "standing.status", "standing.color",
                "event.id IS NOT NULL", "event.external_id",
            ],
            from: "habit", order: ["event.id IS NOT NULL", "habit.title_folded", "habit.external_id"])
        select.joins = """
            \(HabitFunctions.join(session.dialect))
            LEFT JOIN event ON event.habit_id = habit.id AND event.user_id = habit.user_id AND event.day = :today
            """
        select.bind(["today": .day(user.today)])
        select.require("habit.id", in: try dueHabits(of: user), as: "due")
        return Selection(select.sql, shape: Self.shape)
    }

    private func dueHabits(of user: ActingUser) throws -> [Int64] {
        let reader = try HabitHistoryReader(user.session)
        var keys: [Int64] = []
        try user.session.query(
            SQL("SELECT id FROM habit WHERE user_id = :viewer ORDER BY id", ["viewer": .integer(user.key)])
        ) {
            keys.append($0.integer(0))
            return true
        }
        return try keys.filter { key in
            guard let (history, _) = try reader.history(of: key) else { return false }
            let outcomes = try reader.outcomes(of: key, target: history.targetAmount)
            return HabitStatistics(history: history, outcomes: outcomes, on: user.today).isToDo(user.today)
        }
    }

    private static let shape = ResultShape(
        columns: [
            Column("habit", .text, at: 0), Column("title", .text, at: 1), Column("day", .day, at: 2),
            Column("status", .text, at: 3), Column("color", .text, at: 4, isSecondary: true),
            Column("done", .boolean, at: 5), Column("event", .text, at: 6),
        ],
        identity: ["habit"])
}
