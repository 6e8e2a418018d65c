import Base
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

/// The key that encrypts and authenticates the links of photos (AES-GCM, NIST SP 800-38D).
///
/// A link is encrypted, so that its bytes do not reveal the user.
struct PhotoLinkKey: Sendable {
    /// The key of the encryption.
    private let key: SymmetricKey
    /// The key from which the nonce of a link is derived (HMAC-SHA-256, RFC 2104).
    ///
    /// Equal links have equal nonces, so that clients can cache the photos. Different links have different nonces.
    private let nonceKey: SymmetricKey

    /// Creates a key.
    ///
    /// - Parameter secret: The bytes of the key, which all servers of a store share.
    init(_ secret: [UInt8]) {
        let whole = StoreKey(secret)
        key = whole.derived(for: "photo link encryption 2")
        nonceKey = whole.derived(for: "photo link nonce 2")
    }

    /// Maximum length of a signature in the URL, in bytes.
    private static let limit = 4096
    private static let nonceLength = 12
    /// A link is padded to a multiple of this number of bytes, so that its length does not reveal the user.
    private static let padding = 64

    /// Returns the value of the parameter `signature` for the photo of a feature, in base64url (RFC 4648, section 5).
    func signature(of link: PhotoLink, collection: String, feature: String) -> String {
        let text = Self.padded(link.bytes)
        let place = Self.place(collection, feature)
        let nonce = Array(HMAC<SHA256>.authenticationCode(for: place + text, using: nonceKey)).prefix(Self.nonceLength)
        // Neither call fails with a nonce of 12 bytes and a key of 256 bits.
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(text, using: key, nonce: nonce, authenticating: place).combined
        else { return "" }
        return Data(box).base64URLEncoded
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
        guard signature.utf8.count <= Self.limit, let bytes = Data(base64URLEncoded: signature),
            let box = try? AES.GCM.SealedBox(combined: bytes),
            // Compares in constant time.
            let text = try? AES.GCM.open(box, using: key, authenticating: Self.place(collection, feature)),
            let link = Self.unpadded(Array(text)).flatMap({ PhotoLink($0) }), link.remainingSeconds(at: now) > 0
        else { throw Problem.photoLinkInvalid }
        return link
    }

    /// Returns the bytes that identify the photo, which are authenticated with the link.
    ///
    /// Each part has its length, so that no other parts have the same bytes.
    private static func place(_ collection: String, _ feature: String) -> [UInt8] {
        [collection, feature].flatMap { Int64($0.utf8.count).bigEndianBytes + Array($0.utf8) }
    }

    /// Returns the bytes with a one and zeros after them.
    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        let rest = (bytes.count + 1) % padding
        return bytes + [1] + [UInt8](repeating: 0, count: rest == 0 ? 0 : padding - rest)
    }

    private static func unpadded(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard let end = bytes.lastIndex(where: { $0 != 0 }), bytes[end] == 1 else { return nil }
        return bytes[..<end]
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
