import Base
import Geo
import HabitModel
import StoreEngine

/// A condition on the properties of records: the typed tree of a CQL2 filter (OGC 21-065).
///
/// A condition is true, false or null, as in SQL. A query finds the records for which it is true. The properties must be
/// properties of the list, and the operands of a comparison must have comparable types.
public indirect enum FeatureFilter: Sendable, Equatable {
    case constant(Bool)
    /// True if all conditions are true.
    case all([FeatureFilter])
    /// True if one of the conditions is true.
    case any([FeatureFilter])
    case not(FeatureFilter)
    case comparison(Scalar, Comparison, Scalar)
    /// True if the complete text matches the pattern. Case matters.
    case like(Scalar, TextPattern)
    /// True if the first value is between the others or equal to one of them.
    case between(Scalar, Scalar, Scalar)
    /// True if the value is equal to one of the list.
    case membership(Scalar, [Scalar])
    case isNull(Queryable)
    /// A condition on the position of the record.
    case spatial(SpatialRelation, Queryable, FilterGeometry)
    case temporal(TemporalRelation, TimeOperand, TimeOperand)

    /// A comparison operator.
    ///
    /// The raw value is the operator in SQL and in CQL2.
    public enum Comparison: String, Sendable {
        case equal = "="
        case notEqual = "<>"
        case less = "<"
        case greater = ">"
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
    }

    /// A value in a comparison.
    public indirect enum Scalar: Sendable, Equatable {
        case property(Queryable)
        /// The folded form of a text property.
        case folded(Queryable)
        case text(String)
        case number(Double)
        case boolean(Bool)
        case day(Day)
        case instant(Instant)

        /// The type of the value.
        public var kind: Queryable.Kind {
            switch self {
            case .property(let property): property.kind
            case .folded, .text: .text
            case .number: .number
            case .boolean: .boolean
            case .day: .day
            case .instant: .instant
            }
        }
    }
}

extension FeatureFilter {
    /// The names of all properties in the filter.
    public var properties: Set<String> {
        switch self {
        case .constant: []
        case .all(let filters), .any(let filters):
            filters.reduce(into: []) { names, filter in
                names.formUnion(filter.properties)
            }
        case .not(let filter): filter.properties
        case .comparison(let first, _, let second): Set([first, second].compactMap(\.property))
        case .like(let value, _): Set([value].compactMap(\.property))
        case .between(let value, let low, let high): Set([value, low, high].compactMap(\.property))
        case .membership(let value, let list): Set(([value] + list).compactMap(\.property))
        case .isNull(let property), .spatial(_, let property, _): [property.name]
        case .temporal(_, let first, let second): Set((first.properties + second.properties).map(\.name))
        }
    }

    /// A box that contains the position of every record that the filter finds, or `nil` if there is no such box.
    ///
    /// The filter has a box only if it is a spatial condition, or a conjunction with one.
    var requiredBox: BoundingBox? {
        switch self {
        case .spatial(.intersects, _, let geometry), .spatial(.within, _, let geometry): geometry.box
        case .all(let filters): filters.lazy.compactMap(\.requiredBox).first
        default: nil
        }
    }
}

extension FeatureFilter.Scalar {
    fileprivate var property: String? {
        switch self {
        case .property(let property), .folded(let property): property.name
        default: nil
        }
    }
}
