import Base
import HabitModel
import StoreEngine

/// Digests of the records on which reports of a day rest, for each day of a range.
///
/// Streaks and scores rest on all earlier events, so the digest of a day covers all events up to it. A habit without a
/// start begins with its first event, so the digest also covers which habits without a start begin later. The digests of
/// the other kinds cover all records. Equal records have equal digests, whatever their order in the store.
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
    /// The sums of the events up to each day.
    private var events: [Sum]
    private let days: ClosedRange<Day>

    /// Reads the records.
    ///
    /// - Parameters:
    ///   - days: The days of the reports.
    ///   - kinds: The kinds of the records that the reports read.
    ///   - session: A session of the store.
    ///   - crew: Other threads, which read a part of the events.
    /// - Throws: An error of the engine.
    public init(
        _ days: ClosedRange<Day>,
        of kinds: Set<RecordKind>,
        in session: any Session,
        crew: ReadCrew = .alone
    ) throws {
        self.days = days
        events = []
        for kind in kinds where kind != .events {
            var sum = Sum()
            try Self.forEachRow(of: kind, in: session) { _, row in
                sum.add(row)
            }
            sums[kind] = sum
        }
        guard kinds.contains(.events) else { return }
        events = try Self.eventSums(days, in: session, crew: crew)
        // A day includes the events of all earlier days.
        for index in events.indices.dropFirst() {
            events[index].add(events[index - 1])
        }
        let later = try Self.habitsBeginningLater(days, in: session)
        for index in events.indices {
            events[index].add(later[index])
        }
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
            var part = Array(repeating: Sum(), count: days.count)
            // A condition on the day would make SQLite read the rows in the order of an index, which takes twice as long.
            try forEachRow(of: .events, keys: keys[task], in: session) { day, row in
                let day = day ?? days.lowerBound
                let index = max(0, days.lowerBound.distance(to: day))
                if index < part.count {
                    part[index].add(row)
                }
            }
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
        if events.indices.contains(index) {
            digests[.events] = events[index].hexadecimal
        }
        return digests
    }

    /// The number of parts in which several threads read the events.
    private static let parts = 16

    /// Calls `body` with the stored values of each record, and with its day if the record is an event.
    ///
    /// The values contain keys of other records. The values of those records contain their own key.
    private static func forEachRow(
        of kind: RecordKind,
        keys: KeyRange = .all,
        in session: any Session,
        _ body: (_ day: Day?, _ row: RowBytes) -> Void
    ) throws {
        // A folded text depends only on the text.
        var columns = kind.storedColumns.filter { !$0.hasSuffix("_folded") }
        if [.users, .habits, .items].contains(kind) {
            columns.append("id")
        }
        let dayIndex = columns.firstIndex(of: "day")
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
