/// What became of a day on which the user recorded something.
public enum Outcome: String, Sendable, CaseIterable {
    case done, skipped
}

/// What became of the days of one habit.
///
/// A table from the first day with an event to the last, a byte a day: asked about day by day, many times.
public struct Outcomes: Sendable {
    private static let none: UInt8 = 0
    private static let done: UInt8 = 1
    private static let skipped: UInt8 = 2

    private var begin = Day.first
    private var codes: [UInt8] = []

    public init() {}

    public init(_ days: some Sequence<(key: Day, value: Outcome)>) {
        for (day, outcome) in days { set(day, outcome) }
    }

    /// Sets what became of a day; one that was skipped stays so. Cheapest from the first day to the last.
    public mutating func set(_ day: Day, _ outcome: Outcome) {
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
        if codes[index] != Self.skipped { codes[index] = outcome == .done ? Self.done : Self.skipped }
    }

    public subscript(day: Day) -> Outcome? {
        let index = begin.distance(to: day)
        guard index >= 0, index < codes.count else { return nil }
        return switch codes[index] {
        case Self.done: .done
        case Self.skipped: .skipped
        default: nil
        }
    }

    /// The first day with an event.
    public var first: Day? { codes.isEmpty ? nil : begin }

    /// The next day with an event.
    public func next(after day: Day) -> Day? {
        let from = max(0, begin.distance(to: day) + 1)
        guard from < codes.count else { return nil }
        return codes[from...].firstIndex { $0 != Self.none }.map { begin.advanced(by: $0) }
    }
}
