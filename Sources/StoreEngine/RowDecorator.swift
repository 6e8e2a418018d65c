import Geo

/// A row that adds columns to an engine's row or replaces columns of it.
public protocol RowDecorator: Row {
    /// The engine's row.
    var row: any Row { get }
    /// Returns the decorator's value of a column, or `nil` for a column of the engine's row.
    func value(at index: Int) -> Value?
}

extension RowDecorator {
    /// The index of the first column that a decorator adds, beyond all columns of an engine's row.
    ///
    /// SQLite permits 32,767 columns in a result, and PostgreSQL 1,664.
    @inlinable public static var firstOwnIndex: Int { 1 << 20 }

    /// Returns whether the decorated column is null.
    public func isNull(_ index: Int) -> Bool {
        switch value(at: index) {
        case nil: row.isNull(index)
        case .null: true
        default: false
        }
    }

    /// Returns the decorated column as an integer, or 0 if it is not an integer.
    public func integer(_ index: Int) -> Int64 {
        switch value(at: index) {
        case nil: row.integer(index)
        case .integer(let value): value
        default: 0
        }
    }

    /// Returns the decorated column as a real number, or 0 if it is not a number.
    public func number(_ index: Int) -> Double {
        switch value(at: index) {
        case nil: row.number(index)
        case .number(let value): value
        case .integer(let value): Double(value)
        default: 0
        }
    }

    /// Calls `body` with the UTF-8 of the decorated column, or returns `false` if it is not a text.
    public func readText(_ index: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        switch value(at: index) {
        case nil: return row.readText(index, body)
        case .text(let text):
            body(text.utf8.span)
            return true
        default: return false
        }
    }

    /// Returns the point of the decorated column, or `nil` if it is not a point.
    public func position(_ index: Int) -> Position? {
        switch value(at: index) {
        case nil: row.position(index)
        case .point(let position): position
        default: nil
        }
    }

    /// Returns the bytes of the decorated column, or an empty array if it is not a BLOB.
    public func blob(_ index: Int) -> [UInt8] {
        switch value(at: index) {
        case nil: row.blob(index)
        case .blob(let bytes): bytes
        default: []
        }
    }

    /// Returns the storage class of the decorated column.
    public func storage(_ index: Int) -> Storage {
        value(at: index)?.storage ?? row.storage(index)
    }
}

extension Value {
    /// The storage class of the value in an engine.
    var storage: Storage {
        switch self {
        case .null: .null
        case .integer: .integer
        case .number: .number
        case .text: .text
        case .blob, .point: .blob
        }
    }
}
