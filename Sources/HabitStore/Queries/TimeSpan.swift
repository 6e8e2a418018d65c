import HabitModel
import StoreEngine

/// From an instant to another, both included; nil: open.
public struct TimeSpan: Sendable, Equatable {
    public var from: Instant?
    public var to: Instant?

    public init(from: Instant?, to: Instant?) {
        self.from = from
        self.to = to
    }

    /// The time that both have in common; no row lies in it if its end is before its beginning.
    public func intersection(_ other: TimeSpan) -> TimeSpan {
        TimeSpan(
            from: [from, other.from].compactMap(\.self).max(), to: [to, other.to].compactMap(\.self).min())
    }

    /// Whether the instant in the column `instant` lies within; where it is null, whether the date in `day` does, in UTC.
    ///
    /// With `orUnknown`, a row without an instant matches too, as OGC API - Features requires of `datetime`.
    func condition(_ instant: String, day: String? = nil, orUnknown: Bool = false) -> SQL {
        var sides: [String] = []
        var days: [String] = []
        var bindings: [String: Value] = [:]
        for (name, side, comparison) in [("span_from", from, ">="), ("span_to", to, "<=")] {
            guard let side else { continue }
            sides.append("\(instant) \(comparison) :\(name)")
            days.append("\(day ?? "NULL") \(comparison) :\(name)_day")
            bindings[name] = .integer(side.microseconds)
            if day != nil { bindings["\(name)_day"] = .day(side.day(at: .utc)) }
        }
        guard !sides.isEmpty else { return "TRUE" }
        var condition = sides.joined(separator: " AND ")
        if day != nil { condition = "(\(condition) OR \(instant) IS NULL AND \(days.joined(separator: " AND ")))" }
        if orUnknown { condition = "(\(condition) OR \(instant) IS NULL)" }
        return SQL(condition, bindings)
    }
}
