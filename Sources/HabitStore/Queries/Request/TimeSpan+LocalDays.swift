import Base
import HabitModel
import StoreEngine

extension TimeSpan {
    /// Returns the condition that the local date of a record is in the days of the time span.
    ///
    /// The local date is the date at the UTC offset of the instant, or in the time zone of a user if no offset is
    /// recorded. A row without an instant matches. Swift code resolves the time zones, so all engines use the time zone
    /// rules of the machine. The cost is one index lookup for each time zone of the store.
    ///
    /// - Parameters:
    ///   - time: The columns with the time of the record.
    ///   - session: The session in which the time zones are read.
    /// - Returns: The condition, or `nil` if the time span has no days.
    /// - Throws: An error of the engine.
    func condition(onDaysOf time: RecordTime, in session: any Session) throws -> SQL? {
        guard firstDay != nil || lastDay != nil else { return nil }
        let local: SQL = "\(time.instant) + CAST(60000000 AS BIGINT) * \(time.offset)"
        let utc = TimeZoneRules.utc.instants(from: firstDay, to: lastDay)
        var cases: [SQL] = [
            "WHEN \(time.instant) IS NULL THEN TRUE",
            "WHEN \(time.offset) IS NOT NULL THEN \(Self.contains(local, in: utc))",
        ]
        for group in try zones(in: session) where group.intervals != utc {
            let names = group.zones.map { zone -> SQL in "\(.text(zone), as: "zone")" }
            let list = names.joined(separator: ", ")
            let isInside = Self.contains(time.instant, in: group.intervals)
            cases.append("WHEN \(time.zone) IN (\(list)) THEN \(isInside)")
        }
        return """
            CASE
                \(cases.joined(separator: "\n    "))
                ELSE \(Self.contains(time.instant, in: utc))
              END
            """
    }

    /// Time zones in which the days of the time span are the same intervals.
    private struct ZoneGroup {
        var intervals: [Range<Int64>]
        var zones: [String]

        var firstName: String { zones.first ?? "" }
    }

    /// Returns the time zones of all accounts by the intervals of the days, in the order of their first names.
    private func zones(in session: any Session) throws -> [ZoneGroup] {
        var zones: [[Range<Int64>]: [String]] = [:]
        for name in try LocalDates.zones(in: session) {
            let rules = TimeZoneRules(name) ?? .utc
            let intervals = rules.instants(from: firstDay, to: lastDay)
            zones[intervals, default: []].append(name)
        }
        let groups = zones.map { intervals, names in ZoneGroup(intervals: intervals, zones: names) }
        return groups.sorted { first, second in first.firstName < second.firstName }
    }

    /// Returns the condition that a number is in one of several intervals.
    private static func contains(_ number: SQL, in intervals: [Range<Int64>]) -> SQL {
        guard !intervals.isEmpty else { return "FALSE" }
        let tests = intervals.map { interval -> SQL in
            var sides: [SQL] = []
            if interval.lowerBound > .min {
                sides.append("\(number) >= \(.integer(interval.lowerBound), as: "local_from")")
            }
            if interval.upperBound < .max {
                sides.append("\(number) < \(.integer(interval.upperBound), as: "local_end")")
            }
            return sides.isEmpty ? "TRUE" : sides.joined(separator: " AND ")
        }
        return "(\(tests.joined(separator: " OR ")))"
    }
}
