import Geo
import HabitStore
import StoreEngine

/// How the address of a row's photo is made.
struct PhotoAddress: Sendable {
    /// What the address of every item begins with.
    let items: String
    /// The indexes in the row of the item's id, and of whether it has a photo.
    let id: Int
    let hasPhoto: Int
}

/// The engine's row, with the address of its photo beside the columns.
struct FeatureRow: Row {
    /// The index of the address; null where there is no photo.
    static let photoAddress = -1

    let row: any Row
    let photo: PhotoAddress?

    private var address: String? {
        guard let photo, row.integer(photo.hasPhoto) != 0 else { return nil }
        return row.text(photo.id).map { "\(photo.items)\($0.urlEncoded)/photo" }
    }

    func isNull(_ index: Int) -> Bool { index == Self.photoAddress ? address == nil : row.isNull(index) }

    func readText(_ index: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        guard index == Self.photoAddress else { return row.readText(index, body) }
        guard let address else { return false }
        body(address.utf8.span)
        return true
    }

    func storage(_ index: Int) -> Storage {
        guard index == Self.photoAddress else { return row.storage(index) }
        return address == nil ? .null : .text
    }

    func integer(_ index: Int) -> Int64 { row.integer(index) }
    func number(_ index: Int) -> Double { row.number(index) }
    func position(_ index: Int) -> Position? { row.position(index) }
    func blob(_ index: Int) -> [UInt8] { row.blob(index) }
}
