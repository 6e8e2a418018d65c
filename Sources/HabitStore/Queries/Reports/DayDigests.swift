import Base
import HabitModel
import StoreEngine

/// Digests of the records on which reports of a day rest, for each day of a range.
///
/// Streaks and scores rest on all earlier events, so the digest of a day covers all events up to it. A habit without a
/// start begins with its first event, so the digest also covers which habits without a start begin later. The digest of
/// pauses covers those that begin up to the day. The digests of the other kinds cover all records. Equal records have
/// equal digests, whatever their order in the store.
///
/// The events are read once for all days.
public struct DayDigests: Sendable {
    /// A sum of the SHA-256 digests of records, which does not depend on their order.
    private struct Sum: Sendable {
        private var lanes = SIMD4<UInt64>()

        mutating func add(_ row: RowBytes) {
            row.all.sha256.withUnsafeBytes { digest in
                lanes &+= digest.loadUnaligned(as: SIMD4<UInt64>.self)
            }
        }

        mutating func add(_ other: Sum) {
            lanes &+= other.lanes
        }

        var hexadecimal: String {
            let bytes = withUnsafeBytes(of: lanes) { Array($0) }
            return bytes.hexadecimal
        }
    }

    /// The sums of the kinds that do not depend on the day.
    private var sums: [RecordKind: Sum] = [:]
    /// The sums of the records up to each day, for the kinds that depend on the day.
    private var sumsByDay: [RecordKind: [Sum]] = [:]
    private let days: ClosedRange<Day>

    /// Reads the records.
    ///
    /// - Parameters:
    ///   - days: The days of the reports.
    ///   - kinds: The kinds of the records that the reports read.
    ///   - includesLook: Whether the digest of habits covers their tint, symbol, rank and reminder.
    ///   - session: A session of the store.
    ///   - crew: Other threads, which read a part of the events.
    /// - Throws: An error of the engine.
    public init(
        _ days: ClosedRange<Day>,
        of kinds: Set<RecordKind>,
        includesLook: Bool = true,
        in session: any Session,
        crew: ReadCrew = .alone
    ) throws {
        self.days = days
        let omitted = includesLook ? [] : Self.look
        for kind in kinds.subtracting([.events, .pauses]) {
            var sum = Sum()
            try Self.forEachRow(of: kind, omitting: omitted, in: session) { _, row in
                sum.add(row)
            }
            sums[kind] = sum
        }
        if kinds.contains(.pauses) {
            let pauses = try Self.daySums(of: .pauses, days, in: session)
            sumsByDay[.pauses] = Self.cumulative(pauses)
        }
        guard kinds.contains(.events) else { return }
        var events = Self.cumulative(try Self.eventSums(days, in: session, crew: crew))
        let later = try Self.habitsBeginningLater(days, in: session)
        for index in events.indices {
            events[index].add(later[index])
        }
        sumsByDay[.events] = events
    }

    /// The columns of habits that determine only how they look, their order and their reminders.
    private static let look: Set<String> = ["tint", "symbol", "rank", "remind_time"]

    /// Returns sums that include the records of all earlier days.
    private static func cumulative(_ sums: [Sum]) -> [Sum] {
        var sums = sums
        for index in sums.indices.dropFirst() {
            sums[index].add(sums[index - 1])
        }
        return sums
    }

    /// Returns the sum of the records of each day.
    ///
    /// The first sum also includes the records of earlier days.
    private static func daySums(
        of kind: RecordKind,
        _ days: ClosedRange<Day>,
        keys: KeyRange = .all,
        in session: any Session
    ) throws -> [Sum] {
        var sums = Array(repeating: Sum(), count: days.count)
        // A condition on the day would make SQLite read the rows in the order of an index, which takes twice as long.
        try forEachRow(of: kind, keys: keys, in: session) { day, row in
            let day = day ?? days.lowerBound
            let index = max(0, days.lowerBound.distance(to: day))
            if index < sums.count {
                sums[index].add(row)
            }
        }
        return sums
    }

    /// Returns the sum of the events of each day.
    ///
    /// The first sum also includes the events of earlier days.
    private static func eventSums(
        _ days: ClosedRange<Day>,
        in session: any Session,
        crew: ReadCrew
    ) throws -> [Sum] {
        var keys = [KeyRange.all]
        if crew.isTeam {
            keys = try KeyRange.events(parts, in: session)
        }
        var sums = Array(repeating: Sum(), count: days.count)
        try crew.run(keys.count, in: session) { [keys] task, session in
            let part = try daySums(of: .events, days, keys: keys[task], in: session)
            return {
                for index in part.indices {
                    sums[index].add(part[index])
                }
            }
        }
        return sums
    }

    /// Returns, for each day, the sum of the habits without a start whose first event is on a later day.
    private static func habitsBeginningLater(
        _ days: ClosedRange<Day>,
        in session: any Session
    ) throws -> [Sum] {
        var sums = Array(repeating: Sum(), count: days.count)
        let ofUser = session.dialect.andUser("event.user_id", is: "habit.user_id")
        let sql: SQL = """
            SELECT habit.id, (SELECT min(event.day) FROM event WHERE event.habit_id = habit.id\(raw: ofUser))
            FROM habit
            WHERE habit.start_day IS NULL
            """
        let bytes = RowBytes()
        try session.query(sql) { row in
            guard let first = row.day(1), first > days.lowerBound else {
                return true
            }
            bytes.removeAll()
            bytes.append(row, at: 0)
            let daysBefore = days.lowerBound.distance(to: first)
            let lastEarlier = min(daysBefore, sums.count) - 1
            sums[lastEarlier].add(bytes)
            return true
        }
        for index in sums.indices.dropLast().reversed() {
            sums[index].add(sums[index + 1])
        }
        return sums
    }

    /// Returns the digest of the records of each kind on which reports of `day` rest, as hexadecimal digits.
    ///
    /// - Parameter day: A day of the range.
    /// - Returns: The digests by kind.
    public func digests(of day: Day) -> [RecordKind: String] {
        var digests = sums.mapValues(\.hexadecimal)
        let index = days.lowerBound.distance(to: day)
        for (kind, sums) in sumsByDay where sums.indices.contains(index) {
            digests[kind] = sums[index].hexadecimal
        }
        return digests
    }

    /// The number of parts in which several threads read the events.
    private static let parts = 16

    /// Calls `body` with the stored values of each record, and with the day of an event or the first day of a pause.
    ///
    /// The values contain keys of other records. The values of those records contain their own key.
    private static func forEachRow(
        of kind: RecordKind,
        keys: KeyRange = .all,
        omitting omitted: Set<String> = [],
        in session: any Session,
        _ body: (_ day: Day?, _ row: RowBytes) -> Void
    ) throws {
        // A folded text depends only on the text.
        var columns = kind.storedColumns.filter { name in
            !name.hasSuffix("_folded") && !omitted.contains(name)
        }
        if [.users, .habits, .items].contains(kind) {
            columns.append("id")
        }
        let dayIndex = columns.firstIndex(of: kind == .pauses ? "from_day" : "day")
        let bytes = RowBytes()
        let list = columns.joined(separator: ", ")
        var sql = SQL("SELECT \(raw: list)\nFROM \(raw: kind.table)")
        if let condition = keys.condition(on: "id") {
            sql += "\nWHERE "
            sql += condition
        }
        try session.query(sql) { row in
            bytes.removeAll()
            for index in columns.indices {
                bytes.append(row, at: index)
            }
            let day = dayIndex.flatMap { row.day($0) }
            body(day, bytes)
            return true
        }
    }
}
