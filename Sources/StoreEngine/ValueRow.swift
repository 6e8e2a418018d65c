import Geo

/// A row made of values, for results that no engine holds.
public struct ValueRow: Row {
    public var values: [Value]

    public init(_ values: [Value]) { self.values = values }

    public func isNull(_ index: Int) -> Bool { values[index] == .null }

    public func integer(_ index: Int) -> Int64 {
        if case .integer(let value) = values[index] { value } else { 0 }
    }

    public func number(_ index: Int) -> Double {
        switch values[index] {
        case .number(let value): value
        case .integer(let value): Double(value)
        default: 0
        }
    }

    public func readText(_ index: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        guard case .text(let text) = values[index] else { return false }
        body(text.utf8.span)
        return true
    }

    public func position(_ index: Int) -> Position? {
        if case .point(let position) = values[index] { position } else { nil }
    }

    public func blob(_ index: Int) -> [UInt8] {
        if case .blob(let bytes) = values[index] { bytes } else { [] }
    }

    public func storage(_ index: Int) -> Storage { values[index].storage }
}
