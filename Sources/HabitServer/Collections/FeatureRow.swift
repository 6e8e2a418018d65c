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
struct FeatureRow: RowDecorator {
    /// The index of the address; null where there is no photo.
    static let photoAddress = -1

    let row: any Row
    let photo: PhotoAddress?

    private var address: String? {
        guard let photo, row.integer(photo.hasPhoto) != 0 else { return nil }
        return row.text(photo.id).map { "\(photo.items)\($0.urlEncoded)/photo" }
    }

    func value(at index: Int) -> Value? { index == Self.photoAddress ? .text(address) : nil }
}
