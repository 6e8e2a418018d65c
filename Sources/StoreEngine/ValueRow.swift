import Geo

/// A row of values in memory, for results that do not come from an engine.
public struct ValueRow: Row {
    /// The values by column index.
    public var values: [Value]

    /// Creates a row from its values.
    public init(_ values: [Value]) {
        self.values = values
    }

    /// Returns whether the value is null.
    public func isNull(_ index: Int) -> Bool {
        values[index] == .null
    }

    /// Returns the value as an integer, or 0 if it is not an integer.
    public func integer(_ index: Int) -> Int64 {
        switch values[index] {
        case .integer(let value): value
        default: 0
        }
    }

    /// Returns the value as a real number, or 0 if it is not a number.
    public func number(_ index: Int) -> Double {
        switch values[index] {
        case .number(let value): value
        case .integer(let value): Double(value)
        default: 0
        }
    }

    /// Calls `body` with the UTF-8 of the value, or returns `false` if it is not a text.
    public func readText(_ index: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        guard case .text(let text) = values[index] else {
            return false
        }
        body(text.utf8.span)
        return true
    }

    /// Returns the value as a position, or `nil` if it is not a point.
    public func position(_ index: Int) -> Position? {
        switch values[index] {
        case .point(let position): position
        default: nil
        }
    }

    /// Returns the bytes of the value, or an empty array if it is not a BLOB.
    public func blob(_ index: Int) -> [UInt8] {
        switch values[index] {
        case .blob(let bytes): bytes
        default: []
        }
    }

    /// Returns the storage class of the value.
    public func storage(_ index: Int) -> Storage {
        values[index].storage
    }
}
