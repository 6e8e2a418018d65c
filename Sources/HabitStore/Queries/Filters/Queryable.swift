import Base
import HabitModel
import StoreEngine

/// A property of the records of a collection: its name and the type of its values.
///
/// Filters name these properties, and schemas describe them. Both are derived from the columns of the list.
public struct Queryable: Sendable, Hashable {
    /// The type of the values of a property.
    public enum Kind: Sendable, Hashable {
        case text, integer, number, boolean, day, instant, point

        /// Whether values of both types can be compared with each other.
        public func isComparable(with other: Kind) -> Bool {
            switch (self, other) {
            case (.integer, .number), (.number, .integer): true
            default: self == other
            }
        }
    }

    /// The name of a property that contains the position of a record.
    public static let geometry = "geometry"

    /// The name of the property.
    public var name: String
    /// The type of the values.
    public var kind: Kind

    /// Creates a property.
    public init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

extension Queryable {
    /// The columns of the list for which the property stands: its own name, or the coordinates of a position.
    public var columns: [String] { kind == .point ? ["longitude", "latitude"] : [name] }
}

extension RecordKind {
    /// The properties of the list of this kind, in the order of its columns.
    public var queryables: [Queryable] { ExportSource(self).columns.of(.lists).map(\.queryable) }
}

extension FollowingQuery {
    /// The properties of the list, in the order of its columns.
    public static var queryables: [Queryable] { outputs.map(\.queryable) }
}

extension OutputColumn {
    /// The property for which the column stands.
    ///
    /// A position is one property, also if the list has two columns for it.
    var queryable: Queryable {
        switch shown {
        case .expression(_, let value): Queryable(name, Queryable.Kind(value))
        case .isPresent: Queryable(name, .boolean)
        case .instant: Queryable(name, .instant)
        case .reference: Queryable(name, .text)
        case .position: Queryable(Queryable.geometry, .point)
        }
    }
}

extension Queryable.Kind {
    fileprivate init(_ value: Column.Value) {
        switch value {
        case .text, .instantText, .json, .any: self = .text
        case .integer: self = .integer
        case .number, .longitude, .latitude: self = .number
        case .boolean: self = .boolean
        case .day: self = .day
        case .instant: self = .instant
        }
    }
}
