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

    /// An end of one of the operands: its begin (`b`) or end (`e`), of the first or the second operand.
    enum Side { case b1, e1, b2, e2 }

    /// A comparison of two ends.
    typealias Term = (Side, FeatureFilter.Comparison, Side)

    /// The comparisons that hold if the relation holds.
    ///
    /// An instant has equal ends. `disjoint` has no terms: it is the opposite of `intersects`.
    var terms: [Term] {
        switch self {
        case .after: [(.b1, .greater, .e2)]
        case .before: [(.e1, .less, .b2)]
        case .contains: [(.b1, .less, .b2), (.e1, .greater, .e2)]
        case .disjoint: []
        case .during: [(.b1, .greater, .b2), (.e1, .less, .e2)]
        case .equals: [(.b1, .equal, .b2), (.e1, .equal, .e2)]
        case .finishedBy: [(.e1, .equal, .e2), (.b1, .less, .b2)]
        case .finishes: [(.e1, .equal, .e2), (.b1, .greater, .b2)]
        case .intersects: [(.b1, .lessOrEqual, .e2), (.e1, .greaterOrEqual, .b2)]
        case .meets: [(.e1, .equal, .b2)]
        case .metBy: [(.b1, .equal, .e2)]
        case .overlappedBy: [(.b1, .greater, .b2), (.b1, .less, .e2), (.e1, .greater, .e2)]
        case .overlaps: [(.b1, .less, .b2), (.e1, .greater, .b2), (.e1, .less, .e2)]
        case .startedBy: [(.b1, .equal, .b2), (.e1, .greater, .e2)]
        case .starts: [(.b1, .equal, .b2), (.e1, .less, .e2)]
        }
    }
}

/// An instant or an interval in a temporal condition.
public enum TimeOperand: Sendable, Equatable {
    case instant(TimeBound)
    /// An interval that includes both ends.
    case interval(TimeBound, TimeBound)

    /// Whether the operand is an interval.
    public var isInterval: Bool { if case .interval = self { true } else { false } }

    /// The properties in the operand.
    var properties: [Queryable] {
        bounds.compactMap { if case .property(let property) = $0 { property } else { nil } }
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
