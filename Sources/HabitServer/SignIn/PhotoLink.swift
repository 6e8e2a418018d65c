import Crypto
import Foundation
import HabitModel
import HabitStore

/// The right to read one photo until an expiry, which the query parameter `signature` of the photo's URL contains.
///
/// A page can show the photo with `<img>`, which cannot send a token. Whether the viewer sees the feature is not part of
/// the link: the server checks it again at each use.
struct PhotoLink: Sendable, Equatable {
    /// The caller for which the link was signed.
    let caller: Caller
    /// The number of ``step``s from the epoch to the expiry.
    let expiryStep: UInt32

    /// The distance of two expiries, in seconds.
    ///
    /// Links that are signed within one step are equal, so that clients can cache the photos.
    static let step: Int64 = 300

    /// Creates a link that expires in 5 to 10 minutes.
    init(for caller: Caller, now: Instant) {
        self.caller = caller
        expiryStep = UInt32(clamping: now.microseconds / (Self.step * 1_000_000) + 2)
    }

    /// Returns the time until the expiry in whole seconds, which is at most 0 after it.
    func remainingSeconds(at now: Instant) -> Int64 {
        (Int64(expiryStep) * Self.step * 1_000_000 - now.microseconds) / 1_000_000
    }

    // MARK: Encoding

    private static let fixedLength = 13

    /// The link in bytes: the expiry (4), the kind of the caller (1), the key of the user (8) and the ID of the user.
    fileprivate var bytes: [UInt8] {
        let (kind, key, id): (UInt8, Int64, String) =
            switch caller {
            case .viewer(.operator): (0, 0, "")
            case .viewer(.user(let key, let id)): (1, key, id)
            case .nobody: (2, 0, "")
            }
        return expiryStep.bigEndianBytes + [kind] + key.bigEndianBytes + Array(id.utf8)
    }

    /// Parses ``bytes``, or returns `nil` if they are not a link.
    fileprivate init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.fixedLength else { return nil }
        let bytes = Array(bytes)
        expiryStep = UInt32(bigEndianBytes: bytes[0..<4])
        switch bytes[4] {
        case 0: caller = .viewer(.operator)
        case 1:
            let id = String(decoding: bytes[Self.fixedLength...], as: UTF8.self)
            caller = .viewer(.user(key: Int64(bigEndianBytes: bytes[5..<Self.fixedLength]), id: id))
        case 2: caller = .nobody
        default: return nil
        }
    }
}

/// The key that signs the links of photos (HMAC-SHA-256, RFC 2104).
struct PhotoLinkKey: Sendable {
    private let key: SymmetricKey

    /// Creates a key.
    ///
    /// - Parameter secret: The bytes of the key, which all servers of a store share; `nil` creates a random key.
    init(_ secret: [UInt8]?) { key = secret.map { SymmetricKey(data: $0) } ?? SymmetricKey(size: .bits256) }

    /// Maximum length of a signature in the URL, in bytes.
    private static let limit = 4096
    private static let codeLength = SHA256.byteCount

    /// Returns the value of the parameter `signature` for the photo of a feature, in base64url (RFC 4648, section 5).
    func signature(of link: PhotoLink, collection: String, feature: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Self.message(link, collection, feature), using: key)
        return Data(Array(code) + link.bytes).base64URLEncoded
    }

    /// Returns the link of a signature.
    ///
    /// - Parameters:
    ///   - signature: The value of the parameter `signature`.
    ///   - collection: The collection in the URL.
    ///   - feature: The feature in the URL.
    ///   - now: The current time.
    /// - Returns: The link with its caller and its expiry.
    /// - Throws: 401 `not-signed-in` if the signature is not valid for this URL, or has expired. The error does not
    ///   contain the signature.
    func link(_ signature: String, collection: String, feature: String, now: Instant) throws -> PhotoLink {
        guard signature.utf8.count <= Self.limit, let bytes = Data(base64URLEncoded: signature).map(Array.init),
            bytes.count > Self.codeLength,
            let link = PhotoLink(bytes[Self.codeLength...]),
            // Compares in constant time.
            HMAC<SHA256>.isValidAuthenticationCode(
                bytes.prefix(Self.codeLength), authenticating: Self.message(link, collection, feature), using: key),
            link.remainingSeconds(at: now) > 0
        else { throw Problem.photoLinkInvalid }
        return link
    }

    /// Returns the signed bytes.
    ///
    /// Each part has its length, so that no other parts have the same bytes.
    private static func message(_ link: PhotoLink, _ collection: String, _ feature: String) -> [UInt8] {
        let parts = [Array("photo link 1".utf8), Array(collection.utf8), Array(feature.utf8), link.bytes]
        return parts.flatMap { Int64($0.count).bigEndianBytes + $0 }
    }
}

/// Signs the photo URLs of one response.
struct PhotoLinkSigner: Sendable {
    let key: PhotoLinkKey
    let link: PhotoLink

    /// Returns the query of the URL of a photo, including `?`.
    func query(collection: String, feature: String) -> String {
        "?signature=" + key.signature(of: link, collection: collection, feature: feature)
    }
}

extension Problem {
    /// The problem of a photo link that is not valid for its URL or has expired.
    static let photoLinkInvalid = Problem(
        .unauthorized, ErrorCode.notSignedIn.slug,
        "the link of the photo is invalid or has expired: read the feature again with 'photo-links=signed'",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\""])
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }

    fileprivate init(bigEndianBytes bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}
