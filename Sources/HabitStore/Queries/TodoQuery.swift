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
        let today: SQL = "\(.day(user.today), as: "today")"
        let doneHabits = due.filter(\.isDone).map(\.key)
        let done = SQL.membership(of: "habit.id", in: doneHabits, as: "done")
        var select = Select(
            [
                SelectColumn("habit", "habit.external_id"),
                SelectColumn("title", "habit.title"),
                SelectColumn("day", today),
                SelectColumn("status", "standing.status"),
                SelectColumn("color", "standing.color"),
                SelectColumn("is_done", done),
                SelectColumn("event", "event.external_id"),
                SelectColumn("outcome", "event.outcome"),
                SelectColumn("progress", Self.progress(of: due)),
            ],
            from: "habit",
            joins: """
                \(HabitFunctions.join(session.dialect))
                LEFT JOIN event ON event.habit_id = habit.id AND event.user_id = habit.user_id AND event.day = \(today)
                """,
            order: [
                OrderTerm(column: "is_done"),
                OrderTerm("habit.title_folded"),
                OrderTerm("habit.external_id"),
            ])
        let dueHabits = due.map(\.key)
        select.require(.membership(of: "habit.id", in: dueHabits, as: "due"))
        var shape = Self.shape
        shape.table = ["title", "status", "done", .ifUsed("outcome"), .ifUsed("progress")]
        let progressColumn = Column("progress", .text, at: 8)
        if showsProgress {
            shape.columns.append(progressColumn)
        } else if due.contains(where: { habit in habit.progress != nil }) {
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
        let reader = HabitHistoryReader(user.session)
        return try amounts(of: user).compactMap { key, amount in
            guard let history = try reader.history(of: key)?.schedule else {
                return nil
            }
            let outcomes = try reader.outcomes(
                of: key,
                user: user.key,
                target: history.targetAmount)
            let statistics = HabitStatistics(
                history: history.beginning(on: outcomes.first ?? user.today),
                outcomes: outcomes,
                on: user.today)
            guard statistics.isToDo(user.today) else { return nil }
            let progress = statistics.progress(on: user.today).map { progress in
                "\(progress.done) of \(progress.times)"
            }
            let parts = [progress, amount?.description].compactMap(\.self)
            return DueHabit(
                key: key,
                isDone: statistics.hasDoneEvent(user.today),
                progress: parts.isEmpty ? nil : parts.joined(separator: ", "))
        }
    }

    /// Returns the keys of the user's habits, and today's amount of each habit with a target amount.
    private func amounts(of user: ActingUser) throws -> [(key: Int64, amount: AmountProgress?)] {
        let sql: SQL = """
            SELECT habit.id, habit.target_amount, habit.unit, event.amount
            FROM habit
            LEFT JOIN event ON event.habit_id = habit.id
              AND event.user_id = habit.user_id
              AND event.day = \(.day(user.today), as: "today")
            WHERE habit.user_id = \(.integer(user.key), as: "viewer")
            ORDER BY habit.id
            """
        var habits: [(key: Int64, amount: AmountProgress?)] = []
        try user.session.query(sql) { row in
            let amount =
                row.isNull(1)
                ? nil
                : AmountProgress(
                    amount: row.isNull(3) ? nil : row.number(3),
                    target: row.number(1),
                    unit: row.text(2))
            habits.append((row.integer(0), amount))
            return true
        }
        return habits
    }

    /// Returns an expression for the progress of a habit.
    private static func progress(of habits: [DueHabit]) -> SQL {
        let cases = habits.compactMap { habit -> SQL? in
            guard let progress = habit.progress else { return nil }
            let key: SQL = "\(.integer(habit.key), as: "progress_of")"
            return "WHEN \(key) THEN CAST(\(.text(progress), as: "progress") AS TEXT)"
        }
        return cases.isEmpty ? "NULL" : "CASE habit.id \(cases.joined(separator: " ")) END"
    }

    private static let shape = ResultShape(
        columns: [
            Column("habit", .text, at: 0),
            Column("title", .text, at: 1),
            Column("day", .day, at: 2),
            Column("status", .text, at: 3, measure: .status),
            Column("color", .text, at: 4, measure: .color),
            Column("done", .boolean, at: 5),
            Column("event", .text, at: 6),
            Column("outcome", .text, at: 7, measure: .outcome),
        ],
        identity: ["habit"])
}
