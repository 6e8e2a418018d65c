import Base
import HabitModel

/// A relation between two instants or intervals (OGC 21-065, clause 7.6; OWL-Time).
public enum TemporalRelation: String, Sendable, CaseIterable {
    case after = "t_after"
    case before = "t_before"
    case contains = "t_contains"
    case disjoint = "t_disjoint"
    case during = "t_during"
    case equals = "t_equals"
    case finishedBy = "t_finishedby"
    case finishes = "t_finishes"
    case intersects = "t_intersects"
    case meets = "t_meets"
    case metBy = "t_metby"
    case overlappedBy = "t_overlappedby"
    case overlaps = "t_overlaps"
    case startedBy = "t_startedby"
    case starts = "t_starts"

    /// Whether the relation exists only between two intervals.
    public var needsIntervals: Bool {
        switch self {
        case .after, .before, .disjoint, .equals, .intersects: false
        default: true
        }
    }

    /// A comparison of an end of the first operand with an end of the second operand.
    struct Term {
        /// The end of the first operand.
        var first: End
        var comparison: FeatureFilter.Comparison
        /// The end of the second operand.
        var second: End

        /// An end of an interval.
        enum End {
            case begin, end
        }
    }

    /// The comparisons that hold if the relation holds.
    ///
    /// An instant has equal ends. `disjoint` has no terms: it is the opposite of `intersects`.
    var terms: [Term] {
        switch self {
        case .after: [.beginsAfterEnd]
        case .before: [.endsBeforeBegin]
        case .contains: [.beginsBeforeBegin, .endsAfterEnd]
        case .disjoint: []
        case .during: [.beginsAfterBegin, .endsBeforeEnd]
        case .equals: [.beginsAtBegin, .endsAtEnd]
        case .finishedBy: [.endsAtEnd, .beginsBeforeBegin]
        case .finishes: [.endsAtEnd, .beginsAfterBegin]
        case .intersects: [.beginsNotAfterEnd, .endsNotBeforeBegin]
        case .meets: [.endsAtBegin]
        case .metBy: [.beginsAtEnd]
        case .overlappedBy: [.beginsAfterBegin, .beginsBeforeEnd, .endsAfterEnd]
        case .overlaps: [.beginsBeforeBegin, .endsAfterBegin, .endsBeforeEnd]
        case .startedBy: [.beginsAtBegin, .endsAfterEnd]
        case .starts: [.beginsAtBegin, .endsBeforeEnd]
        }
    }
}

/// The terms: the first word is an end of the first operand, the last word an end of the second operand.
extension TemporalRelation.Term {
    fileprivate static let beginsAfterBegin = begin(.greater, .begin)
    fileprivate static let beginsAfterEnd = begin(.greater, .end)
    fileprivate static let beginsAtBegin = begin(.equal, .begin)
    fileprivate static let beginsAtEnd = begin(.equal, .end)
    fileprivate static let beginsBeforeBegin = begin(.less, .begin)
    fileprivate static let beginsBeforeEnd = begin(.less, .end)
    fileprivate static let beginsNotAfterEnd = begin(.lessOrEqual, .end)
    fileprivate static let endsAfterBegin = end(.greater, .begin)
    fileprivate static let endsAfterEnd = end(.greater, .end)
    fileprivate static let endsAtBegin = end(.equal, .begin)
    fileprivate static let endsAtEnd = end(.equal, .end)
    fileprivate static let endsBeforeBegin = end(.less, .begin)
    fileprivate static let endsBeforeEnd = end(.less, .end)
    fileprivate static let endsNotBeforeBegin = end(.greaterOrEqual, .begin)

    private static func begin(_ comparison: FeatureFilter.Comparison, _ second: End) -> Self {
        Self(first: .begin, comparison: comparison, second: second)
    }

    private static func end(_ comparison: FeatureFilter.Comparison, _ second: End) -> Self {
        Self(first: .end, comparison: comparison, second: second)
    }
}

/// An instant or an interval in a temporal condition.
public enum TimeOperand: Sendable, Equatable {
    case instant(TimeBound)
    /// An interval that includes both ends.
    case interval(TimeBound, TimeBound)

    /// Whether the operand is an interval.
    public var isInterval: Bool {
        switch self {
        case .instant: false
        case .interval: true
        }
    }

    /// The properties in the operand.
    var properties: [Queryable] {
        bounds.compactMap { bound in
            guard case .property(let property) = bound else {
                return nil
            }
            return property
        }
    }

    /// The ends of the operand.
    ///
    /// An instant has one.
    public var bounds: [TimeBound] {
        switch self {
        case .instant(let bound): [bound]
        case .interval(let begin, let end): [begin, end]
        }
    }

    var begin: TimeBound { bounds[0] }
    var end: TimeBound { bounds[bounds.count - 1] }

    /// Returns the begin or the end.
    subscript(end: TemporalRelation.Term.End) -> TimeBound {
        switch end {
        case .begin: begin
        case .end: self.end
        }
    }
}

/// An end of an interval, or an instant.
public enum TimeBound: Sendable, Equatable {
    case property(Queryable)
    case day(Day)
    case instant(Instant)
    /// The open end of an interval: before or after all others.
    case open

    /// The type of the value; `nil` for an open end.
    public var kind: Queryable.Kind? {
        switch self {
        case .property(let property): property.kind
        case .day: .day
        case .instant: .instant
        case .open: nil
        }
    }
}
