import StoreEngine

/// A row with an additional column that contains a JSON document.
struct AugmentedRow: RowDecorator {
    /// The index of the additional column.
    static let index = firstOwnIndex

    let row: any Row
    let json: String

    func value(at index: Int) -> Value? { index == Self.index ? .text(json) : nil }
}
