import Base
import HabitModel
import StoreEngine

extension SelectBuilder {
    /// Adds the condition that the local date of an instant is in the days of a time span.
    ///
    /// The local date is the date at the UTC offset of the instant, or in the time zone of a user if no offset is
    /// recorded. A row without an instant matches. Swift code resolves the time zones, so all engines use the time zone
    /// rules of the machine. The cost is one index lookup for each time zone of the store.
    ///
    /// - Parameters:
    ///   - span: The time span. The function adds no condition if it is `nil` or has no days.
    ///   - instant: The column with the instant in microseconds.
    ///   - offset: The column with the UTC offset in minutes.
    ///   - zone: The column with the name of the user's time zone.
    ///   - session: The session in which the time zones are read.
    /// - Throws: An error of the engine.
    mutating func require(
        daysOf span: TimeSpan?, at instant: String, offset: String, zone: String, in session: any Session
    ) throws {
        guard let span, span.firstDay != nil || span.lastDay != nil else { return }
        let local = "\(instant) + CAST(60000000 AS BIGINT) * \(offset)"
        let utc = TimeZoneRules.utc.instants(from: span.firstDay, to: span.lastDay)
        var condition = "CASE\n    WHEN \(instant) IS NULL THEN TRUE"
        condition += "\n    WHEN \(offset) IS NOT NULL THEN \(bound(local, in: utc))"
        var zones: [[Range<Int64>]: [String]] = [:]
        for name in try LocalDates.zones(in: session) {
            let intervals = (TimeZoneRules(name) ?? .utc).instants(from: span.firstDay, to: span.lastDay)
            if intervals != utc { zones[intervals, default: []].append(name) }
        }
        for (intervals, names) in zones.sorted(by: { ($0.value.first ?? "") < ($1.value.first ?? "") }) {
            let parameters = names.map { bound(.text($0)) }.joined(separator: ", ")
            condition += "\n    WHEN \(zone) IN (\(parameters)) THEN \(bound(instant, in: intervals))"
        }
        require("\(condition)\n    ELSE \(bound(instant, in: utc))\n  END")
    }

    /// Returns the condition that a number is in one of several intervals, and binds their ends.
    private mutating func bound(_ number: String, in intervals: [Range<Int64>]) -> String {
        guard !intervals.isEmpty else { return "FALSE" }
        let tests = intervals.map { interval in
            var sides: [String] = []
            if interval.lowerBound > .min { sides.append("\(number) >= \(bound(.integer(interval.lowerBound)))") }
            if interval.upperBound < .max { sides.append("\(number) < \(bound(.integer(interval.upperBound)))") }
            return sides.isEmpty ? "TRUE" : sides.joined(separator: " AND ")
        }
        return "(\(tests.joined(separator: " OR ")))"
    }

    private mutating func bound(_ value: Value) -> String {
        let name = "local_\(bindings.count)"
        bind([name: value])
        return ":\(name)"
    }
}
