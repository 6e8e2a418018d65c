import Geo
import HabitModel

/// A value bound to a parameter.
public enum Value: Sendable, Hashable {
    case null
    case integer(Int64)
    case number(Double)
    case text(String)
    case blob([UInt8])
    /// In the engine's own form of a geometry.
    case point(Position)

    public static func text(_ value: String?) -> Value { value.map { .text($0) } ?? .null }
    public static func integer(_ value: Int64?) -> Value { value.map { .integer($0) } ?? .null }
    public static func boolean(_ value: Bool) -> Value { .integer(value ? 1 : 0) }
    public static func day(_ value: Day?) -> Value { .text(value?.description) }
    public static func point(_ value: Position?) -> Value { value.map { .point($0) } ?? .null }
}
