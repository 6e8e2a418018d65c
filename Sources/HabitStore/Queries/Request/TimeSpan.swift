import Base
import HabitModel
import StoreEngine

/// A time span that includes both ends.
///
/// An end that is `nil` is open. A span of days contains the instants whose local date is in the days: the date at the UTC
/// offset of the instant, or in the time zone of the record's user if no offset is recorded.
public struct TimeSpan: Sendable, Equatable {
    /// The first instant, or `nil` for a span without a beginning.
    public var from: Instant?
    /// The last instant, or `nil` for a span without an end.
    public var to: Instant?
    /// The first local day, or `nil`.
    public var firstDay: Day?
    /// The last local day, or `nil`.
    public var lastDay: Day?

    /// Creates a time span with the given ends.
    public init(from: Instant?, to: Instant?) {
        self.from = from
        self.to = to
    }

    /// Returns the intersection of both time spans.
    ///
    /// It is empty if its end is before its beginning.
    public func intersection(_ other: TimeSpan) -> TimeSpan {
        let beginnings = [from, other.from].compactMap(\.self)
        let ends = [to, other.to].compactMap(\.self)
        var span = TimeSpan(from: beginnings.max(), to: ends.min())
        let firstDays = [firstDay, other.firstDay].compactMap(\.self)
        span.firstDay = firstDays.max()
        let lastDays = [lastDay, other.lastDay].compactMap(\.self)
        span.lastDay = lastDays.min()
        return span
    }

    /// Returns the condition that a row is between the instants of the time span.
    ///
    /// ``condition(onDaysOf:in:)`` is the condition on the days.
    ///
    /// - Parameters:
    ///   - instant: The column that contains the instant of the row.
    ///   - day: The column that contains the date of the row, or `nil`. If the instant is null, the condition compares
    ///     the date with the dates of the ends in UTC.
    ///   - includesUnknown: Whether a row without an instant matches, as OGC API - Features requires for `datetime`.
    /// - Returns: The condition with its bindings, or `TRUE` if the time span has no ends.
    func condition(_ instant: SQL, day: SQL? = nil, includesUnknown: Bool = false) -> SQL {
        var sides: [SQL] = []
        var days: [SQL] = []
        for end in ends {
            sides.append("\(instant) \(raw: end.comparison) \(.integer(end.instant.microseconds), as: end.name)")
            if let day {
                let date = end.instant.day(at: .utc)
                days.append("\(day) \(raw: end.comparison) \(.day(date), as: "\(end.name)_day")")
            }
        }
        guard !sides.isEmpty else { return "TRUE" }
        var condition = sides.joined(separator: " AND ")
        if day != nil {
            condition = "(\(condition) OR \(instant) IS NULL AND \(days.joined(separator: " AND ")))"
        }
        return includesUnknown ? "(\(condition) OR \(instant) IS NULL)" : condition
    }

    /// An end of the time span with the comparison that a later or an earlier instant meets.
    private struct End {
        var name: String
        var instant: Instant
        var comparison: String
    }

    private var ends: [End] {
        var ends: [End] = []
        if let from { ends.append(End(name: "span_from", instant: from, comparison: ">=")) }
        if let to { ends.append(End(name: "span_to", instant: to, comparison: "<=")) }
        return ends
    }
}
