import Foundation

/// The offsets of a time zone from UTC at every instant.
///
/// The rules are from the machine's tzdata (see ``TimeZoneDatabase``). A value keeps its rules when the files change.
public struct TimeZoneRules: Sendable, Equatable {
    /// The IANA identifier, such as `Europe/Lisbon`.
    public let id: String
    private let source: Source

    /// The origin of the rules.
    private enum Source: Sendable {
        /// The rules of a tzdata file, or a constant offset.
        case table(TransitionTable)
        /// The rules compiled into the program, for a zone without a file, and the dates that never existed.
        case builtIn(TimeZone, missingDates: [Day])
    }

    /// Coordinated Universal Time.
    ///
    /// Requires no file.
    public static let utc = TimeZoneRules(id: "UTC", table: TransitionTable(offset: 0))

    /// Returns whether two zones have the same identifier.
    public static func == (first: TimeZoneRules, second: TimeZoneRules) -> Bool { first.id == second.id }

    /// Looks up `id` in the machine's rules, or returns `nil` if it does not name a time zone.
    ///
    /// The first lookup of a zone reads a file. Later lookups take a lock and read a dictionary. Reuse the value in a
    /// loop over rows.
    public init?(_ id: String) {
        guard let rules = TimeZoneDatabase.system.rules(for: id) else {
            return nil
        }
        self = rules
    }

    /// Creates rules from a table.
    init(id: String, table: TransitionTable) {
        self.id = id
        source = .table(table)
    }

    /// Creates rules from a time zone of Foundation.
    init(id: String, builtIn zone: TimeZone) {
        self.id = id
        let missingDates = Self.missingDates(in: zone)
        source = .builtIn(zone, missingDates: missingDates)
    }

    /// Returns the number of seconds that the zone's clocks are ahead of UTC at `instant`.
    ///
    /// Negative west of Greenwich.
    public func offset(at instant: Instant) -> Int {
        let seconds = instant.seconds
        switch source {
        case .table(let table):
            return table.offset(at: seconds)
        case .builtIn(let zone, _):
            return Self.offset(of: zone, at: seconds)
        }
    }

    private static func offset(of zone: TimeZone, at seconds: Int64) -> Int {
        let date = Date(timeIntervalSince1970: Double(seconds))
        return zone.secondsFromGMT(for: date)
    }

    /// Returns the instants at which the offset changes, in ascending order.
    ///
    /// - Parameter range: The range to search, in microseconds since 1970.
    /// - Returns: The instants of the changes, in microseconds since 1970.
    func changes(in range: Range<Int64>) -> [Int64] {
        switch source {
        case .table(let table):
            return table.changes(in: range)
        case .builtIn(let zone, _):
            return Self.changes(of: zone, in: range)
        }
    }

    private static func changes(of zone: TimeZone, in range: Range<Int64>) -> [Int64] {
        var changes: [Int64] = []
        let start = Double(range.lowerBound) / 1_000_000
        var date = Date(timeIntervalSince1970: start)
        while let next = zone.nextDaylightSavingTimeTransition(after: date) {
            let change = Int64(next.timeIntervalSince1970) * 1_000_000
            guard next > date, change < range.upperBound else {
                break
            }
            changes.append(change)
            date = next
        }
        return changes
    }

    /// The dates that never existed in the zone, in ascending order.
    ///
    /// The clocks of a few zones moved forward by a day, when the zone changed its side of the International Date Line:
    /// Samoa had no 2011-12-30. Most zones have no such date.
    public var missingDates: [Day] {
        switch source {
        case .table(let table): table.missingDates
        case .builtIn(_, let missingDates): missingDates
        }
    }

    /// Finds the dates that never existed in a time zone of Foundation.
    ///
    /// The search compares the offsets of every month from 1840 to 2040, between which the clocks of a zone moved forward
    /// by more than half a day at most once.
    private static func missingDates(in zone: TimeZone) -> [Day] {
        let begin = Int64(Day.number(ofNewYear: 1840)) * 86_400
        let end = Int64(Day.number(ofNewYear: 2040)) * 86_400
        let month: Int64 = 30 * 86_400
        var dates: [Day] = []
        for start in stride(from: begin, to: end, by: Int(month)) {
            let limit = offset(of: zone, at: start) + 43_200
            guard offset(of: zone, at: start + month) > limit else {
                continue
            }
            // The first second of the later offset is between these.
            var before = start
            var after = start + month
            while after - before > 1 {
                let middle = (before + after) / 2
                if offset(of: zone, at: middle) > limit {
                    after = middle
                } else {
                    before = middle
                }
            }
            let earlierOffset = Int32(offset(of: zone, at: before))
            let laterOffset = Int32(offset(of: zone, at: after))
            dates += TransitionTable.datesBetween(offset: earlierOffset, and: laterOffset, at: after)
        }
        return dates
    }

    /// Returns the rules of the zone that a user names.
    ///
    /// - Parameters:
    ///   - id: The IANA identifier in the input.
    ///   - field: The field or option that contains the identifier, for the error.
    /// - Returns: The rules of the zone.
    /// - Throws: `time-zone-invalid` if `id` does not name a time zone.
    public static func named(_ id: String, field: String) throws(HabitError) -> TimeZoneRules {
        guard let rules = TimeZoneRules(id) else {
            throw HabitError(
                .timeZoneInvalid, "'\(id)' is not a time zone: write an IANA name such as Europe/Lisbon", field: field)
        }
        return rules
    }
}
