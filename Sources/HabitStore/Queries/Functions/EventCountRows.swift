import Base
import Geo
import HabitModel
import StoreEngine

/// The first and the last day of some events.
private struct DaySpan {
    var first = Day.last
    var last = Day.first

    mutating func include(_ day: Day) {
        if day < first {
            first = day
        }
        if day > last {
            last = day
        }
    }

    mutating func include(_ days: DaySpan) {
        first = min(first, days.first)
        last = max(last, days.last)
    }
}

/// The smallest size of a cell in degrees.
private let smallestCell = 0.000_01

/// A cell of a grid: its western and southern edge, divided by the size of a cell.
///
/// The grid ends at the poles and at the 180th meridian. A position on this meridian is in the first cell of its row, and
/// a pole is in the last cell of its column.
private struct GridCell {
    var x: Int32
    var y: Int32

    /// Finds the cell of a position.
    ///
    /// - Parameters:
    ///   - position: The position.
    ///   - size: The size of a cell in degrees, at least ``smallestCell``.
    init(_ position: Position, size: Double) {
        let longitude = position.longitude >= 180 ? -180 : position.longitude
        let column = (longitude / size).rounded(.down)
        let row = (position.latitude / size).rounded(.down)
        let lastRow = (90 / size).rounded(.up) - 1
        x = Int32(column)
        y = Int32(min(row, lastRow))
    }
}

/// The rows of `event_cells(…)`: the cells of a grid with events.
///
/// `cell_x` and `cell_y` are the western and southern edge divided by the size of a cell. A position on the 180th
/// meridian is in the first cell of its row, and a pole is in the last cell of its column.
final class EventCellRows: TableFunctionRows {
    enum Column: String, CaseIterable {
        case cell_x, cell_y, events, users, first_day, last_day

        var kind: TableFunction.Column.Kind {
            switch self {
            case .cell_x, .cell_y: .number
            case .events, .users: .integer
            case .first_day, .last_day: .text
            }
        }
    }

    static let columns = Column.allCases

    private struct Cell {
        var location: GridCell
        var events: Int64 = 0
        var users: Int64 = 0
        var days = DaySpan()
        /// The user of the last event.
        ///
        /// Neighboring events often have the same user.
        var lastUser: Int64?
    }

    /// Cells with the pairs of cell and user.
    private struct Counts {
        var cells: [Cell] = []
        var slots = SlotTable()
        /// The pairs of the index of a cell and the key of a user with an event in it.
        var users = SlotTable()

        /// Returns the index of a cell, which is new if it has no events.
        mutating func index(of location: GridCell) -> Int {
            let index = slots.slot(of: Int64(location.x), Int64(location.y))
            if index == cells.count {
                cells.append(Cell(location: location))
            }
            return index
        }

        mutating func addUser(_ user: Int64, to cell: Int) {
            let known = users.count
            if users.slot(of: Int64(cell), user) == known {
                cells[cell].users += 1
            }
        }

        /// Adds the counts of other events.
        mutating func add(_ other: Counts) {
            guard !cells.isEmpty else {
                self = other
                return
            }
            var indexes: [Int] = []
            for cell in other.cells {
                let index = index(of: cell.location)
                indexes.append(index)
                cells[index].events += cell.events
                cells[index].days.include(cell.days)
            }
            other.users.forEach { cell, user in
                addUser(user, to: indexes[Int(cell)])
            }
        }
    }

    private var cells: [Cell] = []
    private var index = -1

    /// Counts the events of `scan` in cells of `cell` degrees.
    ///
    /// There are no rows if `cell` is less than 0.00001.
    init(_ scan: EventScan, cell: Double) throws {
        guard cell >= smallestCell else { return }
        var all = Counts()
        try scan.read(
            .named(["user_id", "day"], of: "event") + [scan.position],
            where: ["\(scan.position.expression) IS NOT NULL"],
            count: { statement in try Self.count(statement, cell: cell) },
            add: { part in all.add(part) })
        cells = all.cells
    }

    private static func count(_ statement: any Statement, cell: Double) throws -> Counts {
        var counts = Counts()
        try statement.forEach { row in
            guard let position = row.position(2), let day = row.day(1) else { return true }
            let location = GridCell(position, size: cell)
            let index = counts.index(of: location)
            counts.cells[index].events += 1
            counts.cells[index].days.include(day)
            let user = row.integer(0)
            if counts.cells[index].lastUser != user {
                counts.cells[index].lastUser = user
                counts.addUser(user, to: index)
            }
            return true
        }
        return counts
    }

    func next() -> Bool {
        index += 1
        return index < cells.count
    }

    func value(_ column: Int) -> Value {
        guard cells.indices.contains(index) else { return .null }
        let cell = cells[index]
        return switch Self.columns[column] {
        case .cell_x: .number(Double(cell.location.x))
        case .cell_y: .number(Double(cell.location.y))
        case .events: .integer(cell.events)
        case .users: .integer(cell.users)
        case .first_day: .day(cell.days.first)
        case .last_day: .day(cell.days.last)
        }
    }
}

/// The rows of `habit_places(…)`: the cells of a grid with done events of each habit.
///
/// `place` numbers the cells of a habit from the cell with the most events, from 1.
final class HabitPlaceRows: TableFunctionRows {
    enum Column: String, CaseIterable {
        case habit, place, user, title, visits, share, first_day, last_day, longitude, latitude

        var kind: TableFunction.Column.Kind {
            switch self {
            case .habit, .user, .title, .first_day, .last_day: .text
            case .place, .visits: .integer
            case .share, .longitude, .latitude: .number
            }
        }
    }

    static let columns = Column.allCases

    private struct Place {
        var habit: Int64
        var location: GridCell
        var visits: Int64 = 0
        var days = DaySpan()
        // The sums are integers, because their sum does not depend on the order of the rows. 1e-9 degrees are about
        // 0.1 mm.
        var longitude: Int64 = 0
        var latitude: Int64 = 0

        /// Returns whether the rows of this place come before the rows of another place.
        func precedes(_ other: Place) -> Bool {
            if habit != other.habit {
                return habit < other.habit
            }
            if visits != other.visits {
                return visits > other.visits
            }
            if location.x != other.location.x {
                return location.x < other.location.x
            }
            return location.y < other.location.y
        }
    }

    private struct Counts {
        var places: [Place] = []
        var slots = SlotTable()

        /// Returns the index of a place, which is new if it has no visits.
        mutating func index(of location: GridCell, habit: Int64) -> Int {
            let x = Int64(location.x) << 32
            let y = Int64(UInt32(bitPattern: location.y))
            let index = slots.slot(of: habit, x | y)
            if index == places.count {
                places.append(Place(habit: habit, location: location))
            }
            return index
        }

        /// Adds the counts of other events.
        mutating func add(_ other: Counts) {
            guard !places.isEmpty else {
                self = other
                return
            }
            for place in other.places {
                let index = index(of: place.location, habit: place.habit)
                places[index].visits += place.visits
                places[index].days.include(place.days)
                places[index].longitude &+= place.longitude
                places[index].latitude &+= place.latitude
            }
        }
    }

    private struct Habit {
        var id: String
        var user: String
        var title: String
    }

    private var places: [Place] = []
    private var habits: [Int64: Habit] = [:]
    private var index = -1
    /// The habit of the current row, with its number of events and the rank of the row.
    private var current = CurrentHabit()

    private struct CurrentHabit {
        var key: Int64 = 0
        var habit: Habit?
        /// The number of events of the habit.
        var events: Int64 = 0
        /// The rank of the current row among the places of the habit.
        var rank: Int64 = 0
    }

    /// Counts the events of `scan` in cells of `cell` degrees.
    ///
    /// There are no rows if `cell` is less than 0.00001.
    init(_ scan: EventScan, cell: Double) throws {
        guard cell >= smallestCell else { return }
        var all = Counts()
        try scan.read(
            .named(["habit_id", "day"], of: "event") + [scan.position],
            where: ["event.outcome = 'done'", "\(scan.position.expression) IS NOT NULL"],
            count: { statement in try Self.count(statement, cell: cell) },
            add: { part in all.add(part) })
        places = all.places
        places.sort { place, other in place.precedes(other) }
        try readHabits(of: scan)
    }

    private static func count(_ statement: any Statement, cell: Double) throws -> Counts {
        var counts = Counts()
        try statement.forEach { row in
            guard let position = row.position(2), let day = row.day(1) else { return true }
            let location = GridCell(position, size: cell)
            let index = counts.index(of: location, habit: row.integer(0))
            // Both longitudes of the 180th meridian have the same mean.
            let longitude = position.longitude >= 180 ? -180 : position.longitude
            counts.places[index].visits += 1
            counts.places[index].days.include(day)
            counts.places[index].longitude &+= nanodegrees(longitude)
            counts.places[index].latitude &+= nanodegrees(position.latitude)
            return true
        }
        return counts
    }

    private static func nanodegrees(_ degrees: Double) -> Int64 {
        Int64((degrees * 1_000_000_000 + 0.5).rounded(.down))
    }

    private func readHabits(of scan: EventScan) throws {
        var select = Select(
            [
                SelectColumn("key", "habit.id"),
                SelectColumn("id", "habit.external_id"),
                SelectColumn("owner", "account.external_id"),
                SelectColumn("title", "habit.title"),
            ],
            from: "habit",
            joins: HabitHistoryReader.join)
        if let user = scan.user {
            select.require("account.external_id = \(.text(user), as: "user")")
        }
        if let habit = scan.habit {
            select.require("habit.external_id = \(.text(habit), as: "habit")")
        }
        try scan.session.query(select.sql) { row in
            habits[row.integer(0)] = Habit(
                id: row.text(1) ?? "",
                user: row.text(2) ?? "",
                title: row.text(3) ?? "")
            return true
        }
    }

    func next() -> Bool {
        index += 1
        guard index < places.count else { return false }
        let key = places[index].habit
        if index == 0 || key != current.key {
            current = CurrentHabit(key: key, habit: habits[key])
            for place in places[index...].prefix(while: { $0.habit == key }) {
                current.events += place.visits
            }
        }
        current.rank += 1
        return true
    }

    func value(_ column: Int) -> Value {
        guard places.indices.contains(index),
            let habit = current.habit
        else {
            return .null
        }
        let place = places[index]
        return switch Self.columns[column] {
        case .habit: .text(habit.id)
        case .place: .integer(current.rank)
        case .user: .text(habit.user)
        case .title: .text(habit.title)
        case .visits: .integer(place.visits)
        case .share: .number(Double(place.visits) / Double(current.events))
        case .first_day: .day(place.days.first)
        case .last_day: .day(place.days.last)
        case .longitude: .number(Self.degrees(place.longitude, of: place.visits))
        case .latitude: .number(Self.degrees(place.latitude, of: place.visits))
        }
    }

    /// Returns the mean of `count` values in degrees from the sum of their nanodegrees.
    private static func degrees(_ sum: Int64, of count: Int64) -> Double {
        Double(sum) / Double(count) / 1_000_000_000
    }
}

/// The rows of `event_hours(…)`: the weekdays and local hours with done events.
///
/// The weekday is the weekday of the event's day. The hour is the hour at the UTC offset of the event's instant, or in the
/// time zone of its user if no offset is recorded. It is null for events of which only the day is known.
final class EventHourRows: TableFunctionRows {
    enum Column: String, CaseIterable {
        case weekday, hour, events

        var kind: TableFunction.Column.Kind { .integer }
    }

    static let columns = Column.allCases

    /// The number of events by weekday and hour.
    ///
    /// The last number of a weekday is for events without an hour.
    private let counts: [Int64]
    private static let none = [Int64](repeating: 0, count: 7 * slotsPerDay)
    /// The number of hours of a day, and one for events without an hour.
    private static let slotsPerDay = 25
    /// The slot of the events of which only the day is known.
    private static let unknownHour = 24
    private var index = -1

    init(_ scan: EventScan) throws {
        var all = Self.none
        let zones = try scan.zones()
        try scan.read(
            .named(["day", "occurred_at", "utc_offset", "user_id"], of: "event"),
            where: ["event.outcome = 'done'"],
            count: { statement in try Self.count(statement, zones) },
            add: { part in
                for index in part.indices {
                    all[index] += part[index]
                }
            })
        counts = all
    }

    private static func count(_ statement: any Statement, _ zones: [Int64: TimeZoneRules]) throws -> [Int64] {
        var counts = none
        try statement.forEach { row in
            guard let day = row.day(0) else { return true }
            let at = row.offsetInstant(1, offset: 2)
            let zone = zones[row.integer(3)] ?? .utc
            let hour = at?.hour(in: zone) ?? unknownHour
            let firstSlot = (day.weekday - 1) * slotsPerDay
            counts[firstSlot + hour] += 1
            return true
        }
        return counts
    }

    func next() -> Bool {
        index += 1
        while index < counts.count, counts[index] == 0 {
            index += 1
        }
        return index < counts.count
    }

    func value(_ column: Int) -> Value {
        guard counts.indices.contains(index) else { return .null }
        let weekday = index / Self.slotsPerDay + 1
        let hour = index % Self.slotsPerDay
        return switch Self.columns[column] {
        case .weekday: .integer(Int64(weekday))
        case .hour: hour == Self.unknownHour ? .null : .integer(Int64(hour))
        case .events: .integer(counts[index])
        }
    }
}
