import HTTPServing
import StoreEngine

/// The parts of the URL of a row's photo.
struct PhotoURL: Sendable {
    /// The prefix of the URL of every collection.
    let collections: String
    /// The ID of the collection; `nil` if each row contains it.
    let collection: String?
    /// The column index of the collection's ID if rows belong to several collections.
    var kind = 0
    /// The column index of the feature's ID.
    let id: Int
    /// The column with the photo flag.
    let hasPhoto: Column
    /// The versions of photos.
    let versions: PhotoVersions
    /// Signs the URLs; `nil` if a client needs a token to read the photos.
    var signer: PhotoLinkSigner?

    /// Returns the URL of the photo of a row, or `nil` if the row has no photo.
    func address(of row: any Row) -> String? {
        guard row.integer(hasPhoto.index) != 0,
            let feature = row.text(id),
            let collection = collection ?? row.text(kind)
        else { return nil }
        let path = "\(collections)/\(collection)/items/\(feature.urlEncoded)/photo"
        var query: [String] = []
        if let key = hasPhoto.key {
            let version = versions.version(of: row.integer(key), collection: collection, feature: feature)
            query.append("\(PhotoVersions.parameter)=\(version)")
        }
        if let signature = signer?.signature(collection: collection, feature: feature) {
            query.append("\(PhotoLinkSigner.parameter)=\(signature)")
        }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }
}

/// The engine's row with the URL of its photo as an additional column.
package struct FeatureRow: RowDecorator {
    /// The column index of the URL, which is null if the record has no photo.
    package static let photoAddress = firstOwnIndex

    package let row: any Row
    let photo: PhotoURL?

    package func value(at index: Int) -> Value? { index == Self.photoAddress ? .text(photo?.address(of: row)) : nil }
}
