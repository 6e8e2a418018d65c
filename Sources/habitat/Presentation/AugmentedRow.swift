import StoreEngine

/// A row with an additional column that contains a JSON document.
struct AugmentedRow: RowDecorator {
    static let index = 1 << 20

    let row: any Row
    let json: String

    func value(at index: Int) -> Value? { index == Self.index ? .text(json) : nil }
}
