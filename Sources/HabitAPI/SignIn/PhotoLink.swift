import Base
import Crypto
import Foundation
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

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
        let currentStep = now.microseconds / Self.stepMicroseconds
        expiryStep = UInt32(clamping: currentStep + 2)
    }

    /// Returns the time until the expiry in whole seconds, which is at most 0 after it.
    func remainingSeconds(at now: Instant) -> Int64 {
        let expiry = Int64(expiryStep) * Self.stepMicroseconds
        return (expiry - now.microseconds) / 1_000_000
    }

    private static let stepMicroseconds = step * 1_000_000

    // MARK: Encoding

    private static let fixedLength = 13

    /// The kinds of callers in ``bytes``.
    private enum Kind: UInt8 {
        case `operator` = 0
        case user = 1
        case nobody = 2
    }

    /// The link in bytes: the expiry (4), the kind of the caller (1), the key of the user (8) and the ID of the user.
    fileprivate var bytes: [UInt8] {
        switch caller {
        case .viewer(.operator): bytes(of: .operator)
        case .viewer(.user(let key, let id)): bytes(of: .user, key: key, id: id)
        case .nobody: bytes(of: .nobody)
        }
    }

    private func bytes(of kind: Kind, key: Int64 = 0, id: String = "") -> [UInt8] {
        var bytes = expiryStep.bigEndianBytes
        bytes.append(kind.rawValue)
        bytes += key.bigEndianBytes
        bytes += id.utf8
        return bytes
    }

    /// Parses ``bytes``, or returns `nil` if they are not a link.
    fileprivate init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.fixedLength else { return nil }
        let bytes = Array(bytes)
        expiryStep = UInt32(bigEndianBytes: bytes[0..<4])
        switch Kind(rawValue: bytes[4]) {
        case .operator:
            caller = .viewer(.operator)
        case .user:
            let key = Int64(bigEndianBytes: bytes[5..<Self.fixedLength])
            let id = String(decoding: bytes[Self.fixedLength...], as: UTF8.self)
            caller = .viewer(.user(key: key, id: id))
        case .nobody:
            caller = .nobody
        case nil:
            return nil
        }
    }
}

/// The key that encrypts and authenticates the links of photos (AES-GCM, NIST SP 800-38D).
///
/// A link is encrypted, so that its bytes do not reveal the user.
package struct PhotoLinkKey: Sendable {
    /// The key of the encryption.
    private let key: SymmetricKey
    /// The key from which the nonce of a link is derived (HMAC-SHA-256, RFC 2104).
    ///
    /// Equal links have equal nonces, so that clients can cache the photos. Different links have different nonces.
    private let nonceKey: SymmetricKey

    /// Creates a key.
    ///
    /// - Parameter secret: The bytes of the key, which all servers of a store share.
    package init(_ secret: [UInt8]) {
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
        let photoBytes = Self.photoBytes(collection, feature)
        let code = HMAC<SHA256>.authenticationCode(for: photoBytes + text, using: nonceKey)
        let nonceBytes = Array(code).prefix(Self.nonceLength)
        // Neither call fails with a nonce of 12 bytes and a key of 256 bits.
        guard let nonce = try? AES.GCM.Nonce(data: nonceBytes) else { return "" }
        let box = try? AES.GCM.seal(
            text,
            using: key,
            nonce: nonce,
            authenticating: photoBytes)
        guard let bytes = box?.combined else { return "" }
        return bytes.base64URLEncoded
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
    func link(
        _ signature: String,
        collection: String,
        feature: String,
        now: Instant
    ) throws -> PhotoLink {
        let photoBytes = Self.photoBytes(collection, feature)
        guard signature.utf8.count <= Self.limit,
            let bytes = Data(base64URLEncoded: signature),
            let link = open(bytes, authenticating: photoBytes),
            link.remainingSeconds(at: now) > 0
        else { throw Problem.photoLinkInvalid }
        return link
    }

    /// Decrypts a link, or returns `nil` if this key has not encrypted it for the photo.
    private func open(_ bytes: Data, authenticating photoBytes: [UInt8]) -> PhotoLink? {
        guard let box = try? AES.GCM.SealedBox(combined: bytes) else { return nil }
        // Compares in constant time.
        let text = try? AES.GCM.open(box, using: key, authenticating: photoBytes)
        guard let text, let link = Self.unpadded(Array(text)) else { return nil }
        return PhotoLink(link)
    }

    /// Returns the bytes that identify the photo, which are authenticated with the link.
    ///
    /// Each part has its length, so that no other parts have the same bytes.
    private static func photoBytes(_ collection: String, _ feature: String) -> [UInt8] {
        [collection, feature].flatMap { part in
            let length = Int64(part.utf8.count)
            return length.bigEndianBytes + Array(part.utf8)
        }
    }

    /// Returns the bytes with a one and zeros after them.
    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        let rest = (bytes.count + 1) % padding
        let missing = rest == 0 ? 0 : padding - rest
        let zeros = repeatElement(UInt8(0), count: missing)
        return bytes + [1] + zeros
    }

    private static func unpadded(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let last = bytes.lastIndex { byte in byte != 0 }
        guard let last, bytes[last] == 1 else { return nil }
        return bytes[..<last]
    }
}

/// Signs the photo URLs of one response.
package struct PhotoLinkSigner: Sendable {
    let key: PhotoLinkKey
    let link: PhotoLink

    /// The name of the query parameter.
    static let parameter = "signature"

    /// Returns the value of the parameter for a photo.
    func signature(collection: String, feature: String) -> String {
        key.signature(of: link, collection: collection, feature: feature)
    }
}

extension Problem {
    /// The problem of a photo link that is not valid for its URL or has expired.
    static let photoLinkInvalid = Problem(
        .unauthorized,
        slug: ErrorCode.notSignedIn,
        detail: "the link of the photo is invalid or has expired: read the feature again with 'photo-links=signed'",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\""])
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { bytes in Array(bytes) }
    }

    fileprivate init(bigEndianBytes bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { number, byte in
            number << 8 | Self(truncatingIfNeeded: byte)
        }
    }
}

extension PhotoLink {
    /// Returns the viewer of the photo if the account still exists.
    ///
    /// - Throws: 401 `not-signed-in` if the user no longer exists, also if a new account has the ID.
    func viewer(in session: any Session) throws -> Viewer {
        guard case .viewer(.user(let key, let id)) = caller else { return .operator }
        do {
            let viewer = try Viewer.user(named: id, in: session)
            guard viewer == .user(key: key, id: id) else {
                throw Problem.photoLinkInvalid
            }
            return viewer
        } catch let error as HabitError where error.code == .notSignedIn {
            throw Problem.photoLinkInvalid
        }
    }
}

extension PhotoLinkSigner? {
    /// The parts of an entity tag that change when the links change; empty if links are not signed.
    var tagParts: [String] {
        guard let signer = self else { return [] }
        return ["photo links \(signer.link.expiryStep)"]
    }
}

extension PhotoLinkKey {
    /// Returns the signer of the photo links of a response.
    ///
    /// - Parameters:
    ///   - caller: The caller who may use the links.
    ///   - clock: The time of the request.
    /// - Returns: The signer.
    func signer(for caller: Caller, at clock: Clock) -> PhotoLinkSigner {
        let link = PhotoLink(for: caller, now: clock.now)
        return PhotoLinkSigner(key: self, link: link)
    }
}
