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
    /// Whether the rows have the times of reminders, from which calendars make alarms.
    public var showsReminders = false

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
        let due = try HabitDay.toDo(of: user)
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
                SelectColumn("remind_at", "habit.remind_time"),
            ],
            from: "habit",
            joins: """
                \(HabitFunctions.join(session.dialect))
                LEFT JOIN event ON event.habit_id = habit.id AND event.user_id = habit.user_id AND event.day = \(today)
                """,
            order: [
                OrderTerm(column: "is_done"),
                OrderTerm("habit.rank", isNullable: true),
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
        } else if due.contains(where: { habit in Self.progress(of: habit) != nil }) {
            shape.textColumns = [progressColumn]
        }
        if showsReminders {
            shape.columns.append(Column("remind_at", .text, at: 9))
        }
        return Selection(select.sql, shape: shape)
    }

    /// Returns an expression for the progress of a habit.
    private static func progress(of habits: [HabitDay]) -> SQL {
        let cases = habits.compactMap { habit -> SQL? in
            guard let progress = progress(of: habit) else { return nil }
            let key: SQL = "\(.integer(habit.key), as: "progress_of")"
            return "WHEN \(key) THEN CAST(\(.text(progress), as: "progress") AS TEXT)"
        }
        return cases.isEmpty ? "NULL" : "CASE habit.id \(cases.joined(separator: " ")) END"
    }

    /// Returns the progress towards the target and the target amount, such as `2 of 3`, or `nil` if the habit has neither.
    private static func progress(of habit: HabitDay) -> String? {
        let period = habit.periodProgress.map { progress in "\(progress.done) of \(progress.target.times)" }
        let parts = [period, habit.amountProgress?.description].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
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
