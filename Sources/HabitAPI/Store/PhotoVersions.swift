import Base
import Crypto
import Foundation
import HabitStore

/// The versions of photos, which the query parameter `v` of the URL of a photo contains.
///
/// The bytes of a stored photo never change: a change of a record stores a new photo. A URL with the current version
/// therefore always returns the same picture, and clients can keep the response without a request.
///
/// A version is a keyed digest. A client cannot learn from it whether two records have equal photos, and cannot test a
/// guess of metadata that it does not receive.
package struct PhotoVersions: Sendable {
    private let key: SymmetricKey
    /// The identity of the log of changes.
    ///
    /// A restored store has a new log, because it can give the keys of later photos to different photos.
    private let log: String

    /// Creates the versions of the photos of a store.
    ///
    /// - Parameters:
    ///   - secret: The bytes of the key, which all servers of a store share.
    ///   - log: The identity of the log of changes.
    package init(_ secret: [UInt8], log: String) {
        key = StoreKey(secret).derived(for: "photo versions 1")
        self.log = log
    }

    /// The name of the query parameter.
    static let parameter = "v"

    /// Returns the version of a photo.
    ///
    /// - Parameters:
    ///   - photo: The key of the photo in the store, which no later photo receives.
    ///   - collection: The collection in the URL.
    ///   - feature: The feature in the URL.
    /// - Returns: 16 characters of base64url (RFC 4648, section 5).
    func version(of photo: Int64, collection: String, feature: String) -> String {
        let message = [log, collection, feature, "\(photo)"].lengthPrefixedSHA256
        let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
        return Data(code.prefix(12)).base64URLEncoded
    }
}
