import StoreEngine

/// The parts of a row's photo address.
struct PhotoAddress: Sendable {
    /// The prefix of the address of every item.
    let items: String
    /// The column indexes of the item's ID and of its photo flag.
    let id: Int
    let hasPhoto: Int
}

/// The engine's row with the address of its photo as an additional column.
struct FeatureRow: RowDecorator {
    /// The column index of the address, which is null if the record has no photo.
    static let photoAddress = -1

    let row: any Row
    let photo: PhotoAddress?

    private var address: String? {
        guard let photo, row.integer(photo.hasPhoto) != 0 else { return nil }
        return row.text(photo.id).map { "\(photo.items)\($0.urlEncoded)/photo" }
    }

    func value(at index: Int) -> Value? { index == Self.photoAddress ? .text(address) : nil }
}
