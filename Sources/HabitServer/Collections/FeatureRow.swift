import StoreEngine

/// The parts of the URL of a row's photo.
struct PhotoURL: Sendable {
    /// The prefix of the URL of every feature.
    let items: String
    /// The column index of the feature's ID.
    let id: Int
    /// The column index of the photo flag.
    let hasPhoto: Int
}

/// The engine's row with the URL of its photo as an additional column.
struct FeatureRow: RowDecorator {
    /// The column index of the URL, which is null if the record has no photo.
    static let photoAddress = -1

    let row: any Row
    let photo: PhotoURL?

    private var address: String? {
        guard let photo, row.integer(photo.hasPhoto) != 0 else { return nil }
        return row.text(photo.id).map { "\(photo.items)\($0.urlEncoded)/photo" }
    }

    func value(at index: Int) -> Value? { index == Self.photoAddress ? .text(address) : nil }
}
