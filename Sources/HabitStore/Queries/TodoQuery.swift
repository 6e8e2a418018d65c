import Base
import Foundation
import HabitModel
import StoreEngine

/// A query for the viewer's habits that are due today, with columns that show whether they are done or skipped.
public struct TodoQuery: Sendable {
    /// The viewer of the query, who must be a user.
    public var viewer: Viewer
    /// The clock that defines the current date of the viewer.
    public var clock: Clock
    /// Whether the rows have the column `progress` in every format, which calendars show.
    public var showsProgress = false

    /// Creates a query for the habits that are due on the current date of `viewer`.
    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    /// Returns the query as SQL with the shape of its rows, and registers the table functions that it calls.
    ///
    /// The result contains the habits whose day is skipped. A habit is done if the event of the day counts as done. The
    /// method reads all events of the viewer's habits.
    ///
    /// - Throws: `not-signed-in` if the viewer is the operator.
    public func selection(in session: any Session) throws -> Selection {
        let user = try ActingUser(viewer, clock: clock, in: session)
        try HabitFunctions(viewer: viewer, clock: clock, in: session).register()
        let due = try dueHabits(of: user)
        var select = SelectBuilder(
            columns: ["habit.external_id", "habit.title", ":today", "standing.status", "standing.color"],
            from: "habit", order: ["is_done", "habit.title_folded", "habit.external_id"])
        let done = select.membership(of: "habit.id", in: due.filter(\.isDone).map(\.key), as: "done")
        let progress = Self.progress(of: due, in: &select)
        select.columns += ["\(done) AS is_done", "event.external_id", "event.outcome", progress]
        select.joins = """
            \(HabitFunctions.join(session.dialect))
            LEFT JOIN event ON event.habit_id = habit.id AND event.user_id = habit.user_id AND event.day = :today
            """
        select.bind(["today": .day(user.today)])
        select.require("habit.id", in: due.map(\.key), as: "due")
        var shape = Self.shape
        let progressColumn = Column("progress", .text, at: 8)
        if showsProgress {
            shape.columns.append(progressColumn)
        } else if due.contains(where: { $0.progress != nil }) {
            shape.textColumns = [progressColumn]
        }
        return Selection(select.sql, shape: shape)
    }

    /// A habit that is due today.
    private struct DueHabit {
        var key: Int64
        /// Whether the event of the day counts as done.
        var isDone: Bool
        /// The progress towards the target and the target amount, such as `2 of 3`, or `nil` if the habit has neither.
        var progress: String?
    }

    private func dueHabits(of user: ActingUser) throws -> [DueHabit] {
        let reader = try HabitHistoryReader(user.session)
        return try amounts(of: user).compactMap { key, amount in
            guard let (history, _, _) = try reader.history(of: key) else { return nil }
            let outcomes = try reader.outcomes(of: key, user: user.key, target: history.targetAmount)
            let statistics = HabitStatistics(
                history: history.beginning(on: outcomes.first ?? user.today), outcomes: outcomes, on: user.today)
            guard statistics.isToDo(user.today) else { return nil }
            let parts = [statistics.progress(on: user.today).map { "\($0.done) of \($0.times)" }, amount?.description]
            let progress = parts.compactMap(\.self).joined(separator: ", ")
            return DueHabit(
                key: key, isDone: statistics.hasDoneEvent(user.today), progress: progress.isEmpty ? nil : progress)
        }
    }

    /// Returns the keys of the user's habits, and today's amount of each habit with a target amount.
    private func amounts(of user: ActingUser) throws -> [(key: Int64, amount: AmountProgress?)] {
        let sql = SQL(
            """
            SELECT habit.id, habit.target_amount, habit.unit, event.amount
            FROM habit
            LEFT JOIN event ON event.habit_id = habit.id AND event.user_id = habit.user_id AND event.day = :today
            WHERE habit.user_id = :viewer
            ORDER BY habit.id
            """, ["viewer": .integer(user.key), "today": .day(user.today)])
        var habits: [(key: Int64, amount: AmountProgress?)] = []
        try user.session.query(sql) { row in
            let amount =
                row.isNull(1)
                ? nil
                : AmountProgress(
                    amount: row.isNull(3) ? nil : row.number(3), target: row.number(1), unit: row.text(2))
            habits.append((row.integer(0), amount))
            return true
        }
        return habits
    }

    /// Returns an expression for the progress of a habit, and binds its values.
    private static func progress(of habits: [DueHabit], in select: inout SelectBuilder) -> String {
        var cases = ""
        for (index, habit) in habits.enumerated() {
            guard let progress = habit.progress else { continue }
            cases += " WHEN :progress_of_\(index) THEN CAST(:progress_\(index) AS TEXT)"
            select.bind(["progress_of_\(index)": .integer(habit.key), "progress_\(index)": .text(progress)])
        }
        return cases.isEmpty ? "NULL" : "CASE habit.id\(cases) END"
    }

    private static let shape = ResultShape(
        columns: [
            Column("habit", .text, at: 0), Column("title", .text, at: 1), Column("day", .day, at: 2),
            Column("status", .text, at: 3), Column("color", .text, at: 4, isSecondary: true),
            Column("done", .boolean, at: 5, isEssential: true), Column("event", .text, at: 6),
            Column("outcome", .text, at: 7),
        ],
        identity: ["habit"])
}
