import Geo
import HabitStore
import StoreEngine

/// A row with one more column, which holds a JSON document.
struct AugmentedRow: Row {
    static let index = 1 << 20

    let row: any Row
    let json: [UInt8]

    func isNull(_ index: Int) -> Bool { index != Self.index && row.isNull(index) }
    func integer(_ index: Int) -> Int64 { row.integer(index) }
    func number(_ index: Int) -> Double { row.number(index) }
    func readText(_ index: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        guard index == Self.index else { return row.readText(index, body) }
        body(json.span)
        return true
    }
    func position(_ index: Int) -> Position? { row.position(index) }
    func blob(_ index: Int) -> [UInt8] { row.blob(index) }
    func storage(_ index: Int) -> Storage { index == Self.index ? .text : row.storage(index) }
}
