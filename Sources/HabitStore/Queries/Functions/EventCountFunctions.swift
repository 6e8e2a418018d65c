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
        let name = Self.names[0]
        return TableFunction(
            name,
            columns: EventCellRows.columns.map { .init($0.rawValue, $0.kind) },
            parameters: ["cell_size"] + Self.filter
        ) { [self] arguments, _ in
            let cell = try Self.cell(arguments[0], of: name)
            let scan = try scan(arguments.dropFirst(), of: name)
            return try EventCellRows(scan, cell: cell)
        }
    }

    private var places: TableFunction {
        let name = Self.names[1]
        return TableFunction(
            name,
            columns: HabitPlaceRows.columns.map { .init($0.rawValue, $0.kind) },
            parameters: ["cell_size"] + Self.filter
        ) { [self] arguments, _ in
            let cell = try Self.cell(arguments[0], of: name)
            let scan = try scan(arguments.dropFirst(), of: name)
            return try HabitPlaceRows(scan, cell: cell)
        }
    }

    private var hours: TableFunction {
        let name = Self.names[2]
        return TableFunction(
            name,
            columns: EventHourRows.columns.map { .init($0.rawValue, $0.kind) },
            parameters: Self.filter
        ) { [self] arguments, _ in
            let scan = try scan(arguments[...], of: name)
            return try EventHourRows(scan)
        }
    }

    /// Returns the query of the events that the arguments for ``filter`` select.
    private func scan(_ arguments: ArraySlice<Value>, of name: String) throws -> EventScan {
        let filter = Array(arguments)
        return EventScan(
            viewer: viewer,
            session: session,
            crew: crew,
            from: try HabitFunctions.day(filter[0], of: name),
            to: try HabitFunctions.day(filter[1], of: name),
            user: try HabitFunctions.id(filter[2], of: name),
            habit: try HabitFunctions.id(filter[3], of: name))
    }

    private static func cell(_ value: Value, of function: String) throws -> Double {
        switch value {
        case .number(let size) where size.isFinite: return size
        case .integer(let size): return Double(size)
        default:
            throw HabitError(
                .parameterInvalid,
                "the first argument of \(function) is not a cell size: pass a number of degrees")
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

    /// The position of an event that the viewer sees.
    var position: SelectColumn {
        SelectColumn("geometry", Visibility(viewer: viewer).position(in: "event").expression)
    }

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
        _ columns: [SelectColumn],
        where conditions: [SQL],
        count: @escaping (any Statement) throws -> Part,
        add: @escaping (Part) -> Void
    ) throws {
        let selection = try select(columns, where: conditions)
        var ranges = [KeyRange.all]
        if selection.isWhole, crew.isTeam {
            ranges = try KeyRange.events(2 * crew.threads, in: session)
        }
        try crew.run(ranges.count, in: session) { [ranges] index, session in
            var select = selection.select
            if let condition = ranges[index].condition(on: "event.id") {
                select.require(condition)
            }
            let statement = try session.prepare(bound: select.sql)
            let part = try count(statement)
            return { add(part) }
        }
    }

    /// A SELECT of the events.
    private struct Selection {
        var select: Select
        /// Whether the engine reads the whole table.
        var isWhole: Bool
    }

    private func select(_ columns: [SelectColumn], where conditions: [SQL]) throws -> Selection {
        guard viewer == .operator else {
            return Selection(select: try visibleSelect(columns, where: conditions), isWhole: false)
        }
        var select = Select(columns, from: "event")
        select.require(all: conditions)
        // An index finds the events of a user or of a habit.
        var isNarrow = false
        if let user {
            isNarrow = try isFew(1, of: "account")
            let key: SQL = "(SELECT account.id FROM account WHERE account.external_id = \(.text(user), as: "user"))"
            let column: SQL = isNarrow ? "event.user_id" : Self.userScanned
            select.require("\(column) = \(key)")
        }
        if let habit {
            let isLookup = try !isNarrow && isFew(1, of: "habit")
            isNarrow = isNarrow || isLookup
            let key: SQL = "(SELECT habit.id FROM habit WHERE habit.external_id = \(.text(habit), as: "habit"))"
            let column: SQL = isLookup ? "event.habit_id" : Self.habitScanned
            select.require("\(column) = \(key)")
        }
        let isWhole = try !isNarrow && !isFewDays
        let day: SQL = isWhole ? "(event.day || '')" : "event.day"
        if let from {
            select.require("\(day) >= \(.day(from), as: "from_day")")
        }
        if let to {
            select.require("\(day) <= \(.day(to), as: "to_day")")
        }
        return Selection(select: select, isWhole: isWhole)
    }

    /// Returns a SELECT of the events that a user can see.
    ///
    /// It reads the events of the visible users or of one visible habit, so that its time does not depend on hidden events.
    private func visibleSelect(_ columns: [SelectColumn], where conditions: [SQL]) throws -> Select {
        let visibility = Visibility(viewer: viewer)
        let days = days
        var source: SQL = "event"
        if habit == nil, let days {
            let users = try user.map { user in try keys(ofUser: user) }
            source = OwnedSource.events(.all, visibility, of: users, in: session).rows(on: days)
        }
        var select = Select(columns, from: source)
        select.require(all: conditions)
        if let user {
            let key: SQL = "(SELECT account.id FROM account WHERE account.external_id = \(.text(user), as: "user"))"
            select.require("\(Self.userScanned) = \(key)")
        }
        if let habit {
            let key: SQL = """
                (SELECT habit.id FROM habit WHERE habit.external_id = \(.text(habit), as: "habit") AND \(visibility.oneHabit ?? "TRUE"))
                """
            select.require("event.habit_id = \(key)")
            select.require(
                visibility.manyEvents(
                    session.dialect,
                    includingNewestOnly: try visibility.includesNewestOnly(in: session),
                    user: Self.userScanned))
        }
        select.require(days.map { days in days.condition(on: "event.day") } ?? "FALSE")
        return select
    }

    /// The days of the query, or `nil` if the first one is later than the last one.
    private var days: ClosedRange<Day>? {
        let first = from ?? .first
        let last = to ?? .last
        return first <= last ? first...last : nil
    }

    /// Returns the key of a user, or no key if there is no such user.
    private func keys(ofUser id: String) throws -> [Int64] {
        let sql: SQL = "SELECT account.id FROM account WHERE account.external_id = \(.text(id), as: "user")"
        return try session.first(sql) { row in row.integer(0) }.map { key in [key] } ?? []
    }

    /// Returns the time zones of the users whose events the viewer can see, by key.
    ///
    /// Users in UTC are omitted.
    func zones() throws -> [Int64: TimeZoneRules] {
        var select = Select(.named(["id", "time_zone"], of: "account"), from: "account")
        if let user {
            select.require("account.external_id = \(.text(user), as: "user")")
        }
        if viewer != .operator {
            let visibility = Visibility(viewer: viewer)
            select.require("account.id IN (\(visibility.selfAndFollowed))")
        }
        var names = ZoneNames()
        var zones: [Int64: TimeZoneRules] = [:]
        try session.query(select.sql) { row in
            let rules = names.rules(row.text(1))
            if rules.id != TimeZoneRules.utc.id {
                zones[row.integer(0)] = rules
            }
            return true
        }
        return zones
    }

    /// An expression for the user of an event that no index contains.
    private static let userScanned: SQL = "(event.user_id + 0)"

    /// An expression for the habit of an event that no index contains.
    private static let habitScanned: SQL = "(event.habit_id + 0)"

    private func isFew(_ count: Int64, of table: String) throws -> Bool {
        let statement = try session.prepare("SELECT count(*) FROM \(table)")
        let all = try statement.firstRow { $0.integer(0) } ?? 0
        return count * Self.rowsPerLookup < all
    }

    /// Whether the days of the query are few of the days with events.
    private var isFewDays: Bool {
        get throws {
            guard from != nil || to != nil else { return false }
            let sql = "SELECT (SELECT min(day) FROM event), (SELECT max(day) FROM event)"
            let statement = try session.prepare(sql)
            let days = try statement.firstRow { row in
                (first: row.day(0), last: row.day(1))
            }
            guard let first = days?.first, let last = days?.last else {
                return true
            }
            let firstRead = max(first, from ?? first)
            let lastRead = min(last, to ?? last)
            let count = firstRead.distance(to: lastRead) + 1
            let all = first.distance(to: last) + 1
            return Int64(count) * Self.rowsPerLookup < Int64(all)
        }
    }
}
