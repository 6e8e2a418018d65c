import Base
import HabitModel
import StoreEngine

/// The table functions for the statistics of habits, for one viewer at one moment.
///
/// - `habit_standings(day)`: each visible habit on a day. Only the schedule, status and color of another user's habit
///   are visible.
/// - `user_standings(day)`: each user with a visible habit, with the combined statistics of the viewer's own habits.
///   The operator's own habits are all habits.
/// - `habit_days(from_day, to_day)`: the days of each of the viewer's own habits.
/// - `habit_completions(by, from_day, to_day, user, habit)`: the due and the done days of the viewer's own habits by
///   `day`, `week`, `month`, `habit` or `user`. `user` and `habit` are IDs, or NULL for all.
///
/// A habit without a start begins with its first event, or on the current date of its owner if it has no event.
///
/// A day that is NULL stands for the current date of the habit's owner. The functions do not read later days. On an earlier day, a
/// due habit that is not done counts as missed.
final class HabitFunctions {
    let viewer: Viewer
    let clock: Clock
    /// Whether the current date counts as due before a habit is done.
    let includingToday: Bool
    private let visibility: Visibility
    private let reader: HabitHistoryReader
    private let session: any Session
    private let crew: ReadCrew
    private let limits: QueryLimits
    /// The current date in each time zone, and whether it counts as over.
    private var todays: [String: CurrentDate] = [:]
    /// The compiled lookups of one habit by ID, keyed by whether they find only the viewer's own habits.
    ///
    /// A function in a join looks up a habit for each row of the other source.
    private var byID: [Bool: any Statement] = [:]
    /// The results of the latest lookups by ID.
    ///
    /// Lists of events repeat the same habits.
    private var found: [Lookup: LazyHabit?] = [:]
    /// The maximum number of results in memory.
    static let foundLimit = 1000

    /// A lookup of one habit by ID.
    private struct Lookup: Hashable {
        let id: String
        /// Whether the lookup finds only the viewer's own habits.
        let isOwn: Bool
    }

    init(
        viewer: Viewer,
        clock: Clock,
        includingToday: Bool = false,
        crew: ReadCrew = .alone,
        limits: QueryLimits = QueryLimits(),
        in session: any Session
    ) throws {
        self.crew = crew
        self.limits = limits
        self.viewer = viewer
        self.clock = clock
        self.includingToday = includingToday
        self.session = session
        visibility = Visibility(viewer: viewer)
        reader = HabitHistoryReader(session)
    }

    /// Registers the functions in the session until the session ends.
    func register() throws { try session.register(functions) }

    /// The functions.
    var functions: [TableFunction] { [standings, userStandings, days, completions] }

    /// The name of the function that counts due days.
    static let completionsName = "habit_completions"

    /// Returns the join of the current status and statistics to a view whose column `id` is the ID of a habit.
    static func viewJoin(_ dialect: any Dialect) -> AnalysisView.Join {
        AnalysisView.Join(
            keyword: dialect.traits.orderedJoin,
            call: "habit_standings(NULL)",
            alias: "standing",
            column: "habit",
            key: "id")
    }

    /// Returns the same join for a FROM clause that contains `habit`.
    static func join(_ dialect: any Dialect) -> SQL { SQL(viewJoin(dialect).sql(on: "habit.external_id")) }

    private var standings: TableFunction {
        TableFunction(
            "habit_standings",
            columns: HabitStandingRows.columns.map { .init($0.rawValue, $0.kind) },
            parameters: ["on_day"],
            key: 0
        ) { arguments, key in
            let day = try Self.day(arguments[0], of: "habit_standings")
            let habits = try self.habits(key, isOwn: false)
            return HabitStandingRows(habits, day: day, of: self)
        }
    }

    private var userStandings: TableFunction {
        TableFunction(
            "user_standings",
            columns: UserStandingRows.columns.map { .init($0.rawValue, $0.kind) },
            parameters: ["on_day"]
        ) { arguments, _ in
            let day = try Self.day(arguments[0], of: "user_standings")
            let byUser = [OrderTerm("habit.user_id"), OrderTerm("habit.id")]
            let habits = try self.allHabits(isOwn: false, order: byUser)
            return UserStandingRows(habits, day: day, of: self)
        }
    }

    private var days: TableFunction {
        TableFunction(
            "habit_days",
            columns: HabitDayRows.columns.map { .init($0.rawValue, $0.kind) },
            parameters: ["from_day", "to_day"],
            key: 0
        ) { arguments, key in
            let from = try Self.day(arguments[0], of: "habit_days")
            let to = try Self.day(arguments[1], of: "habit_days")
            let habits = try self.habits(key, isOwn: true)
            return HabitDayRows(habits, from: from, to: to, of: self)
        }
    }

    private var completions: TableFunction {
        TableFunction(
            Self.completionsName,
            columns: HabitCompletionRows.columns.map { .init($0.rawValue, $0.kind) },
            parameters: ["grouped_by", "from_day", "to_day", "of_user", "of_habit"]
        ) { [self] arguments, _ in
            let name = Self.completionsName
            guard case .text(let text) = arguments[0],
                let grouping = CompletionCounts.Grouping(rawValue: text)
            else {
                return HabitCompletionRows(CompletionCounts(by: .day))
            }
            let from = try Self.day(arguments[1], of: name)
            let to = try Self.day(arguments[2], of: name)
            let user = try Self.id(arguments[3], of: name)
            let habit = try Self.id(arguments[4], of: name)
            var all = CompletionCounts(by: grouping)
            let isOfAll = viewer == .operator && user == nil && habit == nil
            var ranges = [KeyRange.all]
            if isOfAll, crew.isTeam {
                ranges = try KeyRange.habits(8 * crew.threads, in: session)
            }
            // The engine checks the time limit only while it runs statements, and the days of a habit can be 3.6 million.
            let end = ContinuousClock.now + limits.timeout
            try crew.run(ranges.count, in: session) {
                [viewer, clock, includingToday, limits, ranges] index, session in
                // Other threads have other sessions.
                let functions = try HabitFunctions(
                    viewer: viewer,
                    clock: clock,
                    includingToday: includingToday,
                    in: session)
                let habits = try functions.allHabits(
                    isOwn: true,
                    user: user,
                    habit: habit,
                    keys: ranges[index])
                var part = CompletionCounts(by: grouping)
                while let habit = try habits() {
                    guard ContinuousClock.now < end else { throw limits.timeoutError }
                    let statistics = functions.standing(of: habit, on: nil)
                    guard let days = try statistics.days(from: from, to: to) else { continue }
                    try part.add(statistics, in: days, includingToday: includingToday)
                }
                return { all.add(part) }
            }
            return HabitCompletionRows(all)
        }
    }

    /// Returns a closure that returns the next habit at each call, or `nil` at the end.
    ///
    /// - Parameters:
    ///   - isOwn: Whether to return only the viewer's own habits.
    ///   - user: The ID of a user, or `nil` for all users.
    ///   - habit: The ID of a habit, or `nil` for all habits.
    ///   - keys: The keys of the habits.
    ///   - order: The order of the habits.
    /// - Returns: A closure that throws if the engine cannot read the next habit.
    /// - Throws: An error of the engine.
    private func allHabits(
        isOwn: Bool,
        user: String? = nil,
        habit: String? = nil,
        keys: KeyRange = .all,
        order: [OrderTerm] = [OrderTerm("habit.id")]
    ) throws -> () throws -> LazyHabit? {
        let isOwn = isOwn || viewer == .operator
        var select = select(isOwn: isOwn, isOfOne: false, order: order)
        if let user {
            select.require("account.external_id = \(.text(user), as: "user")")
        }
        if let habit {
            select.require("habit.external_id = \(.text(habit), as: "habit")")
        }
        if let condition = keys.condition(on: "habit.id") {
            select.require(condition)
        }
        let statement = try session.prepare(bound: select.sql)
        return HabitBatches(of: statement, functions: self).next
    }

    /// The habits that a statement finds, in batches.
    ///
    /// The state is in an object: with optimization, Swift 6.3 loses the state of a closure that reads the batches, and reads
    /// the first batch again and again.
    private final class HabitBatches {
        private let statement: any Statement
        private let functions: HabitFunctions
        private let size: Int
        /// The habits of the current batch that follow the last one.
        private var waiting: ArraySlice<LazyHabit> = []
        /// Whether the current batch is the last one.
        private var isLast = false

        init(of statement: any Statement, functions: HabitFunctions) {
            self.statement = statement
            self.functions = functions
            size = functions.reader.habitsAtOnce
        }

        /// Returns the next habit, or `nil` at the end.
        func next() throws -> LazyHabit? {
            if waiting.isEmpty, !isLast {
                let batch = try functions.next(size, of: statement)
                isLast = batch.count < size
                waiting = batch[...]
            }
            return waiting.popFirst()
        }
    }

    /// Returns the same closure for all habits, or for one habit.
    ///
    /// - Parameters:
    ///   - id: The ID of one habit, or `nil` for all habits.
    ///   - isOwn: Whether to return only the viewer's own habits.
    /// - Returns: A closure that throws if the engine cannot read the next habit.
    /// - Throws: An error of the engine.
    private func habits(_ id: Value?, isOwn: Bool) throws -> () throws -> LazyHabit? {
        guard let id else { return try allHabits(isOwn: isOwn) }
        // An ID is a text.
        guard case .text(let text) = id else { return { nil } }
        // All habits are the operator's own habits.
        var habit = try find(Lookup(id: text, isOwn: isOwn || viewer == .operator))
        return {
            defer { habit = nil }
            return habit
        }
    }

    /// Returns the habit of a lookup, or `nil` if the viewer does not see one.
    private func find(_ lookup: Lookup) throws -> LazyHabit? {
        if let habit = found[lookup] { return habit }
        if found.count == Self.foundLimit { found.removeAll(keepingCapacity: true) }
        let habit = try read(lookup)
        found[lookup] = .some(habit)
        return habit
    }

    /// Returns the next `count` habits, or the remaining habits if there are fewer.
    private func next(_ count: Int, of statement: any Statement) throws -> [LazyHabit] {
        var habits: [LazyHabit] = []
        while habits.count < count, let row = try statement.next() {
            guard let habit = try record(in: row) else { continue }
            habits.append(habit)
        }
        if habits.count > 1 {
            HabitGroup.join(habits, reader: reader)
        }
        return habits
    }

    private func read(_ lookup: Lookup) throws -> LazyHabit? {
        var sql = select(isOwn: lookup.isOwn, isOfOne: true, order: []).sql
        let statement = try byID[lookup.isOwn] ?? session.prepare(sql.text)
        byID[lookup.isOwn] = statement
        sql["habit"] = .text(lookup.id)
        try statement.bind(sql.values(of: statement))
        return try statement.firstRow(record) ?? nil
    }

    private func record(in row: any Row) throws -> LazyHabit? {
        guard let stored = try reader.history(in: row) else { return nil }
        let index = HabitHistoryReader.columns.count
        let owner = LazyHabit.Owner(
            key: row.integer(index + 2),
            id: row.text(index + 3) ?? "")
        return LazyHabit(
            row.integer(0),
            id: row.text(index) ?? "",
            isOwn: row.integer(index + 1) != 0,
            owner: owner,
            title: row.text(index + 4) ?? "",
            history: stored.schedule,
            today: today(in: stored.zone),
            reader: reader)
    }

    private func select(isOwn: Bool, isOfOne: Bool, order: [OrderTerm]) -> Select {
        let own: SQL = viewer == .operator ? "1" : "habit.user_id = \(visibility.key)"
        let columns = [
            SelectColumn("habit", "habit.external_id"),
            SelectColumn("is_own", own),
            SelectColumn("owner_key", "habit.user_id"),
            SelectColumn("owner", "account.external_id"),
            SelectColumn("title", "habit.title"),
        ]
        var select = Select(
            HabitHistoryReader.columns + columns,
            from: "habit",
            joins: HabitHistoryReader.join,
            order: order)
        let visible = isOfOne ? visibility.oneHabit : visibility.habits
        if viewer != .operator {
            select.require(isOwn ? own : visible)
        }
        if isOfOne {
            select.require("habit.external_id = \(parameter: "habit")")
        }
        return select
    }

    private func today(in zone: String) -> CurrentDate {
        if let today = todays[zone] { return today }
        let rules = TimeZoneRules(zone) ?? .utc
        let today = CurrentDate(
            day: clock.today(in: rules),
            isOver: clock.countsTodayAsOver(rules))
        todays[zone] = today
        return today
    }

    /// Returns the statistics of a habit on `day`, or on the current date of its owner if that is earlier.
    func standing(of habit: LazyHabit, on day: Day?) -> LazyHabitStatistics {
        let today = habit.today
        let reportDay = min(day ?? today.day, today.day)
        return LazyHabitStatistics(
            habit: habit,
            reportDay: reportDay,
            isOver: reportDay < today.day || today.isOver)
    }

    /// Returns the ID that an argument of a function contains, or `nil` if the argument is NULL.
    static func id(_ value: Value, of function: String) throws -> String? {
        switch value {
        case .null: return nil
        case .text(let text): return text
        default:
            throw HabitError(
                .parameterInvalid,
                "an argument of \(function) is not an ID: pass the ID of a user or habit as text")
        }
    }

    /// Returns the day that an argument of a function contains, or `nil` if the argument is NULL.
    static func day(_ value: Value, of function: String) throws -> Day? {
        switch value {
        case .null: return nil
        case .text(let text): if let day = Day(text) { return day }
        default: break
        }
        throw HabitError(.parameterInvalid, "an argument of \(function) is not a day: pass text such as '2026-11-20'")
    }
}
