import Base

/// The outcome of a day on which the user recorded an event.
///
/// The raw value appears in inputs and outputs.
public enum Outcome: String, Sendable, CaseIterable {
    case done, skipped
}

/// The outcome of a day of a habit, with or without an event.
///
/// The raw value appears in outputs.
public enum DayOutcome: String, Sendable, CaseIterable {
    case done
    /// The day was due, and is not done.
    case missed
    case skipped
    /// The day is done and was not due.
    case unplanned
    /// The day is due today, and can still be done.
    case open
    /// The day is not due.
    case none
}

/// The outcomes of the days of one habit.
///
/// Stored as a table of one byte per day, from the first day with an event to the last, because callers look up many
/// consecutive days.
public struct Outcomes: Sendable {
    private static let none: UInt8 = 0
    private static let done: UInt8 = 1
    private static let skipped: UInt8 = 2
    private static let belowTarget: UInt8 = 3

    private var begin = Day.first
    private var codes: [UInt8] = []

    /// Creates an empty table.
    public init() {}

    /// Creates a table from pairs of day and outcome.
    ///
    /// - Parameter days: The outcomes, in any order. If a day appears twice, `skipped` takes precedence.
    public init(_ days: some Sequence<(key: Day, value: Outcome)>) {
        for (day, outcome) in days { set(day, outcome) }
    }

    /// Sets the outcome of a day.
    ///
    /// A skipped day remains skipped.
    ///
    /// Constant amortized time if days are set in ascending order without large gaps. A day before the first one moves
    /// the table.
    public mutating func set(_ day: Day, _ outcome: Outcome) {
        set(day, outcome == .done ? Self.done : Self.skipped)
    }

    /// Records an event whose amount does not reach the target amount of the habit.
    ///
    /// The day has an event, but it is neither done nor skipped.
    public mutating func setBelowTarget(_ day: Day) { set(day, Self.belowTarget) }

    private mutating func set(_ day: Day, _ code: UInt8) {
        if codes.isEmpty {
            begin = day
            codes.reserveCapacity(64)
        }
        if day < begin {
            codes.insert(contentsOf: repeatElement(Self.none, count: day.distance(to: begin)), at: 0)
            begin = day
        }
        let index = begin.distance(to: day)
        while codes.count <= index { codes.append(Self.none) }
        if codes[index] != Self.skipped { codes[index] = code }
    }

    /// The outcome of a day, or `nil` if the day has no event or an amount below the target.
    public subscript(day: Day) -> Outcome? {
        let index = begin.distance(to: day)
        guard index >= 0, index < codes.count else { return nil }
        return switch codes[index] {
        case Self.done: .done
        case Self.skipped: .skipped
        default: nil
        }
    }

    /// Returns whether the day has an event whose amount does not reach the target amount of the habit.
    public func isBelowTarget(_ day: Day) -> Bool {
        let index = begin.distance(to: day)
        return codes.indices.contains(index) && codes[index] == Self.belowTarget
    }

    /// Returns whether the day has an event.
    public func hasEvent(on day: Day) -> Bool {
        let index = begin.distance(to: day)
        return codes.indices.contains(index) && codes[index] != Self.none
    }

    /// The first day with an event, or `nil` if the table is empty.
    public var first: Day? { codes.isEmpty ? nil : begin }

    /// The last day with an event, or `nil` if the table is empty.
    var last: Day? { codes.isEmpty ? nil : begin.advanced(by: codes.count - 1) }

    /// Returns the next day with an event after `day`, or `nil` if there is no such day.
    public func next(after day: Day) -> Day? {
        let from = max(0, begin.distance(to: day) + 1)
        guard from < codes.count else { return nil }
        return codes[from...].firstIndex { $0 != Self.none }.map { begin.advanced(by: $0) }
    }
}
