import HabitModel
import StoreEngine

/// The table functions that say how habits stand: for one viewer, at one moment.
///
/// - `habit_standings(day)`: each visible habit as of a day; of another's only schedule, status and colour.
/// - `user_standings(day)`: each user with a visible habit, and how the viewer's own habits (the operator's: all) stand together.
/// - `habit_days(from_day, to_day)`: the days of each of the viewer's own habits.
///
/// A day of NULL is the owner's today; no day after it is looked at. A day before it is over: what was not done on it was
/// missed.
final class HabitFunctions {
    let viewer: Viewer
    let clock: Clock
    /// Whether today counts as due before it is done.
    let includingToday: Bool
    private let visibility: Visibility
    private let reader: HabitHistoryReader
    private let session: any Session
    private var todays: [String: Day] = [:]
    /// For one habit by its id, made once: it is asked for each row of what a function is joined with.
    private var byID: [Bool: any Statement] = [:]
    /// The last habit that was asked for by its id: the next function is nearly always asked for the same one.
    private var found: (id: Value, isOwn: Bool, habit: HabitHistory?)?

    init(viewer: Viewer, clock: Clock, includingToday: Bool = false, in session: any Session) throws {
        self.viewer = viewer
        self.clock = clock
        self.includingToday = includingToday
        self.session = session
        visibility = Visibility(viewer: viewer)
        reader = try HabitHistoryReader(session)
    }

    /// Makes them known to SQL until the session ends.
    func offer() throws { try session.offer([standings, userStandings, days]) }

    /// Joins the status and statistics of today to a view whose column `id` is the id of a habit.
    static func viewJoin(_ dialect: any Dialect) -> AnalysisView.Join {
        AnalysisView.Join(
            keyword: dialect.orderedJoin, call: "habit_standings(NULL)", alias: "standing", column: "habit", key: "id")
    }

    /// The same after a `habit` in a FROM.
    static func join(_ dialect: any Dialect) -> String { viewJoin(dialect).sql(on: "habit.external_id") }

    private var standings: TableFunction {
        TableFunction(
            "habit_standings", columns: HabitStandingRows.columns.map { .init($0.rawValue, $0.kind) },
            parameters: ["on_day"],
            key: 0
        ) { arguments, key in
            let day = try Self.day(arguments[0], of: "habit_standings")
            return HabitStandingRows(try self.habits(key, isOwn: false), day: day, of: self)
        }
    }

    private var userStandings: TableFunction {
        TableFunction(
            "user_standings", columns: UserStandingRows.columns.map { .init($0.rawValue, $0.kind) },
            parameters: ["on_day"]
        ) { arguments, _ in
            let day = try Self.day(arguments[0], of: "user_standings")
            let habits = try self.habits(nil, isOwn: false, order: ["habit.user_id", "habit.id"])
            return UserStandingRows(habits, day: day, of: self)
        }
    }

    private var days: TableFunction {
        TableFunction(
            "habit_days", columns: HabitDayRows.columns.map { .init($0.rawValue, $0.kind) },
            parameters: ["from_day", "to_day"],
            key: 0
        ) { arguments, key in
            let from = try Self.day(arguments[0], of: "habit_days")
            let to = try Self.day(arguments[1], of: "habit_days")
            return HabitDayRows(try self.habits(key, isOwn: true), from: from, to: to, of: self)
        }
    }

    /// The habits, all or the one with an id: each call gives the next.
    private func habits(
        _ id: Value?, isOwn: Bool, order: [OrderTerm] = ["habit.id"]
    ) throws -> () throws -> HabitHistory? {
        // The operator's own are all.
        let isOwn = isOwn || viewer == .operator
        guard let id else {
            let (select, statement) = try select(isOwn: isOwn, isOfOne: false, order: order)
            try statement.bind(select.values(of: statement))
            var waiting: ArraySlice<HabitHistory> = []
            var isOver = false
            return { [self] in
                if waiting.isEmpty, !isOver {
                    let habits = try next(reader.habitsAtOnce, of: statement)
                    isOver = habits.count < reader.habitsAtOnce
                    waiting = habits[...]
                }
                return waiting.popFirst()
            }
        }
        if found?.id != id || found?.isOwn != isOwn { found = (id, isOwn, try habit(id, isOwn: isOwn)) }
        var habit = found?.habit
        return {
            defer { habit = nil }
            return habit
        }
    }

    /// The next habits, so many of them or what is left.
    private func next(_ count: Int, of statement: any Statement) throws -> [HabitHistory] {
        var habits: [HabitHistory] = []
        while habits.count < count, let row = try statement.next() {
            if let habit = try record(in: row) { habits.append(habit) }
        }
        if habits.count > 1 { HabitGroup.join(habits, reader: reader) }
        return habits
    }

    private func habit(_ id: Value, isOwn: Bool) throws -> HabitHistory? {
        let statement = try byID[isOwn] ?? select(isOwn: isOwn, isOfOne: true, order: []).statement
        byID[isOwn] = statement
        try statement.bind(statement.parameters.map { $0 == "habit" ? id : visibility.bindings[$0] ?? .null })
        return try statement.firstRow(record) ?? nil
    }

    private func record(in row: any Row) throws -> HabitHistory? {
        guard let (history, zone) = try reader.history(in: row) else { return nil }
        let index = HabitHistoryReader.columns.count
        return HabitHistory(
            row.integer(0), id: row.text(index) ?? "", isOwn: row.integer(index + 1) != 0,
            owner: (row.integer(index + 2), row.text(index + 3) ?? ""), title: row.text(index + 4) ?? "",
            history: history,
            today: today(in: zone), reader: reader)
    }

    private func select(
        isOwn: Bool, isOfOne: Bool, order: [OrderTerm]
    ) throws -> (sql: SQL, statement: any Statement) {
        let own = viewer == .operator ? "1" : "habit.user_id = :viewer"
        var select = SelectBuilder(
            columns: HabitHistoryReader.columns + [
                "habit.external_id", own, "habit.user_id", "account.external_id", "habit.title",
            ],
            from: "habit", order: order)
        select.joins = HabitHistoryReader.join
        let visible = isOfOne ? visibility.oneHabit : visibility.habits
        if viewer != .operator { select.require(isOwn ? own : visible, visibility.bindings) }
        if isOfOne { select.require("habit.external_id = :habit") }
        return (select.sql, try session.prepare(select.sql.text))
    }

    private func today(in zone: String) -> Day {
        if let today = todays[zone] { return today }
        let today = clock.today(in: TimeZoneRules(zone) ?? .utc)
        todays[zone] = today
        return today
    }

    /// How a habit stands on `day`, or on its owner's today where that is earlier.
    func standing(of habit: HabitHistory, on day: Day?) -> LazyStanding {
        let reportDay = min(day ?? habit.today, habit.today)
        return LazyStanding(
            habit: habit, reportDay: reportDay, isOver: reportDay < habit.today || clock.isTodayOver)
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
