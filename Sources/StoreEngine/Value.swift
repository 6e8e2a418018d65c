import Base
import Geo

/// A value that is bound to a parameter.
public enum Value: Sendable, Hashable {
    case null
    case integer(Int64)
    case number(Double)
    case text(String)
    case blob([UInt8])
    /// A position, bound in the engine's own form of a geometry.
    case point(Position)

    /// Returns a text, or `null` if `value` is `nil`.
    public static func text(_ value: String?) -> Value {
        guard let value else {
            return .null
        }
        return .text(value)
    }

    /// Returns an integer, or `null` if `value` is `nil`.
    public static func integer(_ value: Int64?) -> Value {
        guard let value else {
            return .null
        }
        return .integer(value)
    }

    /// Returns a Boolean as the integer 0 or 1.
    public static func boolean(_ value: Bool) -> Value {
        .integer(value ? 1 : 0)
    }

    /// Returns a date as its ISO text, or `null` if `value` is `nil`.
    public static func day(_ value: Day?) -> Value {
        .text(value?.description)
    }

    /// Returns a position, or `null` if `value` is `nil`.
    public static func point(_ value: Position?) -> Value {
        guard let value else {
            return .null
        }
        return .point(value)
    }
}
