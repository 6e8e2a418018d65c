import Foundation
import HabitModel

/// The table functions that say how habits stand: for one viewer, at one moment.
///
/// - `habit_standings(day)`: each visible habit as of a day; of another's only schedule, status and colour.
/// - `habit_days(from_day, to_day)`: the days of each of the viewer's own habits (the operator's: all).
///
/// A day of NULL is the owner's today; no day after it is looked at. A day before it is over: what was not done on it was
/// missed.
final class HabitFunctions {
    let viewer: Viewer
    let clock: Clock
    /// Whether today counts as due before it is done.
    let includingToday: Bool
    private let reader: HabitHistoryReader
    private let session: any Session
    private var todays: [String: Day] = [:]
    private var selects: [Question: (sql: SQL, statement: any Statement)] = [:]
    /// The last habit that was asked for by its id, and by its key: the next function is nearly always asked for the same one.
    private var found: (id: Value, isOwn: Bool, habits: [Habit])?
    private var read: (key: Int64, history: ScheduleHistory, zone: String)?

    init(viewer: Viewer, clock: Clock, includingToday: Bool = false, in session: any Session) throws {
        self.viewer = viewer
        self.clock = clock
        self.includingToday = includingToday
        self.session = session
        reader = try HabitHistoryReader(session)
    }

    /// Makes them known to SQL until the session ends.
    func offer() throws { try session.offer([standings, days]) }

    /// Behind a `habit` in a FROM: how it stands today.
    static let join = "CROSS JOIN habit_standings(NULL) AS standing ON standing.habit = habit.external_id"

    private var standings: TableFunction {
        TableFunction(
            "habit_standings", columns: HabitStandingRows.Column.allCases.map(\.rawValue), parameters: ["on_day"],
            key: 0
        ) { arguments, key in
            let day = try Self.day(arguments[0], of: "habit_standings")
            return HabitStandingRows(try self.keys(key, isOwn: false), day: day, of: self)
        }
    }

    private var days: TableFunction {
        TableFunction(
            "habit_days", columns: HabitDayRows.Column.allCases.map(\.rawValue), parameters: ["from_day", "to_day"],
            key: 0
        ) { arguments, key in
            let from = try Self.day(arguments[0], of: "habit_days")
            let to = try Self.day(arguments[1], of: "habit_days")
            return HabitDayRows(try self.keys(key, isOwn: true), from: from, to: to, of: self)
        }
    }

    /// A habit among those that a function speaks of.
    struct Habit {
        var key: Int64
        var id: String
        /// Whether the viewer may see more than schedule, status and colour.
        var isOwn: Bool
    }

    /// The habits, all or the one with an id, by their keys.
    private func keys(_ id: Value?, isOwn: Bool) throws -> [Habit] {
        // The operator's own are all.
        let isOwn = isOwn || viewer == .operator
        if let id, let found, found.id == id, found.isOwn == isOwn { return found.habits }
        let (sql, statement) = try select(for: Question(isOwn: isOwn, isOfOne: id != nil))
        try statement.bind(statement.parameters.map { $0 == "habit" ? id ?? .null : sql.bindings[$0] ?? .null })
        var habits: [Habit] = []
        try statement.forEach { row in
            habits.append(Habit(key: row.integer(0), id: row.text(1) ?? "", isOwn: row.integer(2) != 0))
            return true
        }
        if let id { found = (id, isOwn, habits) }
        return habits
    }

    /// Which habits a function asks for.
    private struct Question: Hashable {
        /// Only the viewer's own.
        var isOwn: Bool
        /// One, by its id.
        var isOfOne: Bool
    }

    /// Made once: it is asked for each row of what a function is joined with.
    private func select(for question: Question) throws -> (sql: SQL, statement: any Statement) {
        if let select = selects[question] { return select }
        let visibility = Visibility(viewer: viewer)
        let own = viewer == .operator ? "1" : "habit.user_id = :viewer"
        var select = SelectBuilder(columns: ["habit.id", "habit.external_id", own], from: "habit", order: ["habit.id"])
        if viewer != .operator { select.require(question.isOwn ? own : visibility.habits, visibility.bindings) }
        if question.isOfOne { select.require("habit.external_id = :habit") }
        let new = (select.sql, try session.prepare(select.sql.text))
        selects[question] = new
        return new
    }

    /// How a habit stands on `day`, or on its owner's today where that is earlier; nil where there is no such habit.
    func standing(of habit: Habit, on day: Day?) throws -> LazyStanding? {
        if read?.key != habit.key {
            read = try reader.history(of: habit.key).map { (habit.key, $0, $1) }
        }
        guard let (_, history, zone) = read else { return nil }
        let today = todays[zone] ?? clock.today(in: TimeZone(identifier: zone) ?? .gmt)
        todays[zone] = today
        let reportDay = min(day ?? today, today)
        return LazyStanding(
            habit.key, history, on: reportDay, isOver: reportDay < today || clock.isTodayOver, reader: reader)
    }

    private static func day(_ value: Value, of function: String) throws -> Day? {
        switch value {
        case .null: return nil
        case .text(let text): if let day = Day(text) { return day }
        default: break
        }
        throw HabitError(.parameterInvalid, "\(function) takes days as text, such as '2026-11-20'")
    }
}
