import Base
import HabitModel
import StoreEngine

/// The table functions that count the events of a viewer and read each event only once.
///
/// - `event_cells(cell, from_day, to_day, user, habit)`: the cells of a grid with events.
/// - `habit_places(cell, from_day, to_day, user, habit)`: the cells with events of each habit.
/// - `event_hours(from_day, to_day, user, habit)`: the weekdays and local hours with events.
///
/// `cell` is the size of a cell in degrees, at least 0.00001. `from_day` and `to_day` are the first and last day. `user`
/// and `habit` are IDs. An argument that is NULL selects all events.
///
/// The memory of a function depends on the number of its rows and not on the number of events.
struct EventCountFunctions {
    var viewer: Viewer
    var session: any Session
    /// Other threads, which read a part of the events.
    var crew: ReadCrew

    /// The functions.
    var functions: [TableFunction] { [cells, places, hours] }

    /// The names of the functions.
    static let names = ["event_cells", "habit_places", "event_hours"]

    private static let filter = ["from_day", "to_day", "of_user", "of_habit"]

    private var cells: TableFunction {
        function(Self.names[0], EventCellRows.columns.map { .init($0.rawValue, $0.kind) }, hasGrid: true) {
            try EventCellRows($1, cell: $0)
        }
    }

    private var places: TableFunction {
        function(Self.names[1], HabitPlaceRows.columns.map { .init($0.rawValue, $0.kind) }, hasGrid: true) {
            try HabitPlaceRows($1, cell: $0)
        }
    }

    private var hours: TableFunction {
        function(Self.names[2], EventHourRows.columns.map { .init($0.rawValue, $0.kind) }, hasGrid: false) {
            try EventHourRows($1)
        }
    }

    private func function(
        _ name: String, _ columns: [TableFunction.Column], hasGrid: Bool,
        rows: @escaping (Double, EventScan) throws -> any TableFunctionRows
    ) -> TableFunction {
        TableFunction(name, columns: columns, parameters: (hasGrid ? ["cell_size"] : []) + Self.filter) {
            [viewer, session, crew] arguments, _ in
            let cell = hasGrid ? try Self.cell(arguments[0], of: name) : 1
            let filter = Array(arguments.suffix(Self.filter.count))
            return try rows(
                cell,
                EventScan(
                    viewer: viewer, session: session, crew: crew, from: HabitFunctions.day(filter[0], of: name),
                    to: HabitFunctions.day(filter[1], of: name), user: HabitFunctions.id(filter[2], of: name),
                    habit: HabitFunctions.id(filter[3], of: name)))
        }
    }

    private static func cell(_ value: Value, of function: String) throws -> Double {
        switch value {
        case .number(let size) where size.isFinite: return size
        case .integer(let size): return Double(size)
        default:
            throw HabitError(
                .parameterInvalid, "the first argument of \(function) is not a cell size: pass a number of degrees")
        }
    }
}

/// A query of the events that a viewer can see, limited to some days, a user and a habit.
struct EventScan {
    var viewer: Viewer
    var session: any Session
    var crew: ReadCrew
    var from: Day?
    var to: Day?
    /// The ID of a user, or `nil` for all users.
    var user: String?
    /// The ID of a habit, or `nil` for all habits.
    var habit: String?

    /// A table is read from its beginning to its end if an index would find more than one row in this number.
    ///
    /// Rows that an index finds are at many locations of the file. Each of them costs about as much as eight rows that
    /// are read in their order.
    private static let rowsPerLookup: Int64 = 8

    /// Reads the events.
    ///
    /// If the table is read from its beginning to its end, each thread reads parts of it.
    ///
    /// - Parameters:
    ///   - columns: The expressions to select.
    ///   - conditions: Further conditions on `event`.
    ///   - count: Reads the rows of a statement, which have no order. Several threads call it at the same time.
    ///   - add: Adds the result of a part to the results of the earlier parts.
    /// - Throws: An error of the engine.
    func read<Part>(
        _ columns: [String], where conditions: [String], _ count: @escaping (any Statement) throws -> Part,
        add: @escaping (Part) -> Void
    ) throws {
        let (select, isWhole) = try select(columns, where: conditions)
        let ranges = isWhole && crew.isTeam ? try KeyRange.events(2 * crew.threads, in: session) : [.all]
        try crew.run(ranges.count, in: session) { index, session in
            var select = select
            if let condition = ranges[index].condition(on: "event.id") { select.require(condition) }
            let part = try count(session.prepare(bound: select.sql))
            return { add(part) }
        }
    }

    /// Returns a SELECT of the events, and whether it reads the whole table.
    private func select(
        _ columns: [String], where conditions: [String]
    ) throws -> (SelectBuilder, isWhole: Bool) {
        var select = SelectBuilder(columns: columns, from: "event", order: [])
        for condition in conditions { select.require(condition) }
        var isNarrow = false
        if let user {
            isNarrow = try isFew(1, of: "account")
            select.require(
                "\(isNarrow ? "event.user_id" : Self.userScanned) = "
                    + "(SELECT account.id FROM account WHERE account.external_id = :user)",
                ["user": .text(user)])
        }
        if let habit {
            let isLookup = try !isNarrow && isFew(1, of: "habit")
            isNarrow = isNarrow || isLookup
            select.require(
                "\(isLookup ? "event.habit_id" : "(event.habit_id + 0)") = "
                    + "(SELECT habit.id FROM habit WHERE habit.external_id = :habit)",
                ["habit": .text(habit)])
        }
        let visibility = Visibility(viewer: viewer)
        if viewer != .operator {
            let isLookup = try !isNarrow && isFew(visibleUsers(visibility), of: "account")
            isNarrow = isNarrow || isLookup
            select.require(
                visibility.manyEvents(
                    session.dialect, includingNewestOnly: try visibility.includesNewestOnly(in: session),
                    user: isLookup ? "event.user_id" : Self.userScanned),
                visibility.bindings)
        }
        let isWhole = try !isNarrow && !isFewDays
        let day = isWhole ? "(event.day || '')" : "event.day"
        if let from { select.require("\(day) >= :from_day", ["from_day": .day(from)]) }
        if let to { select.require("\(day) <= :to_day", ["to_day": .day(to)]) }
        return (select, isWhole)
    }

    /// Returns the time zones of the users whose events the viewer can see, by key.
    ///
    /// Users in UTC are omitted.
    func zones() throws -> [Int64: TimeZoneRules] {
        var select = SelectBuilder(columns: ["account.id", "account.time_zone"], from: "account", order: [])
        if let user { select.require("account.external_id = :user", ["user": .text(user)]) }
        if viewer != .operator {
            select.require(
                "account.id IN (\n  SELECT :viewer AS user_id\n  UNION ALL\n  \(Visibility.followed)\n)",
                Visibility(viewer: viewer).bindings)
        }
        var names = ZoneNames()
        var zones: [Int64: TimeZoneRules] = [:]
        try session.query(select.sql) { row in
            let rules = names.rules(row.text(1))
            if rules.id != TimeZoneRules.utc.id { zones[row.integer(0)] = rules }
            return true
        }
        return zones
    }

    /// An expression for the user of an event that no index contains.
    private static let userScanned = "(event.user_id + 0)"

    private func visibleUsers(_ visibility: Visibility) throws -> Int64 {
        let sql = SQL("SELECT count(*) FROM (\n\(Visibility.fullySharing)\n) AS sharing", visibility.bindings)
        return try session.prepare(bound: sql).firstRow { $0.integer(0) } ?? 0
    }

    private func isFew(_ count: Int64, of table: String) throws -> Bool {
        let all = try session.prepare("SELECT count(*) FROM \(table)").firstRow { $0.integer(0) } ?? 0
        return count * Self.rowsPerLookup < all
    }

    /// Whether the days of the query are few of the days with events.
    private var isFewDays: Bool {
        get throws {
            guard from != nil || to != nil else { return false }
            let sql = "SELECT (SELECT min(day) FROM event), (SELECT max(day) FROM event)"
            let days = try session.prepare(sql).firstRow { ($0.day(0), $0.day(1)) }
            guard let first = days?.0, let last = days?.1 else { return true }
            let count = max(first, from ?? first).distance(to: min(last, to ?? last)) + 1
            return Int64(count) * Self.rowsPerLookup < Int64(first.distance(to: last) + 1)
        }
    }
}
