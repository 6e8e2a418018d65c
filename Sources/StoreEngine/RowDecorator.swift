import Geo

/// A row with columns that an engine does not give: added ones, or others in the place of the engine's.
public protocol RowDecorator: Row {
    /// The engine's row.
    var row: any Row { get }
    /// The value of a column that the decorator gives; `nil` for a column of the engine's row.
    func value(at index: Int) -> Value?
}

extension RowDecorator {
    public func isNull(_ index: Int) -> Bool { value(at: index).map { $0 == .null } ?? row.isNull(index) }

    public func integer(_ index: Int) -> Int64 {
        switch value(at: index) {
        case nil: row.integer(index)
        case .integer(let value): value
        default: 0
        }
    }

    public func number(_ index: Int) -> Double {
        switch value(at: index) {
        case nil: row.number(index)
        case .number(let value): value
        case .integer(let value): Double(value)
        default: 0
        }
    }

    public func readText(_ index: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        switch value(at: index) {
        case nil: return row.readText(index, body)
        case .text(let text):
            body(text.utf8.span)
            return true
        default: return false
        }
    }

    public func position(_ index: Int) -> Position? {
        switch value(at: index) {
        case nil: row.position(index)
        case .point(let position): position
        default: nil
        }
    }

    public func blob(_ index: Int) -> [UInt8] {
        switch value(at: index) {
        case nil: row.blob(index)
        case .blob(let bytes): bytes
        default: []
        }
    }

    public func storage(_ index: Int) -> Storage { value(at: index)?.storage ?? row.storage(index) }
}

extension Value {
    /// What the value is in an engine.
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
