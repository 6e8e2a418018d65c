import Base
import HabitModel

/// A key pair for the sign-in of a person (Web Authentication).
///
/// An authenticator keeps the private key.
public struct Passkey: Sendable, Equatable {
    /// The algorithm of the signatures of a passkey (RFC 7518, section 3.1).
    public enum Algorithm: String, Sendable, CaseIterable {
        /// ECDSA with the curve P-256 and SHA-256.
        case es256 = "ES256"
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        case rs256 = "RS256"
    }

    /// The part of a passkey that an authenticator has made.
    public struct Credential: Sendable, Equatable {
        /// The ID that the authenticator has given the passkey: 1 to 1,023 bytes.
        public var id: [UInt8]
        /// The random ID of the user, which the authenticator keeps with the passkey.
        public var userHandle: [UInt8]
        /// The public key as a SubjectPublicKeyInfo in DER (RFC 5280, section 4.1).
        public var publicKey: [UInt8]
        /// The algorithm of the signatures.
        public var algorithm: Algorithm
        /// The last number of signatures that the authenticator has reported; 0 if it does not count.
        public var counter: UInt32

        /// Creates a credential.
        public init(
            id: [UInt8],
            userHandle: [UInt8],
            publicKey: [UInt8],
            algorithm: Algorithm,
            counter: UInt32
        ) {
            self.id = id
            self.userHandle = userHandle
            self.publicKey = publicKey
            self.algorithm = algorithm
            self.counter = counter
        }
    }

    /// The name of the passkey in lists and for its changes.
    public let id: String
    /// The user who signs in with the passkey.
    public let owner: Viewer
    /// The part that the authenticator has made.
    public let credential: Credential
    /// The label of the passkey, or `nil` if it does not have one.
    public let label: String?
    /// The instant at which the passkey was added.
    public let created: Instant
    /// The instant of the last sign-in with the passkey, or `nil` before the first one.
    public let used: Instant?
}

/// The reason for which a passkey is not added.
public enum PasskeyRefusal: Error, Equatable {
    /// A passkey has the same credential ID.
    case known
    /// The user has ``PasskeyActions/limit`` passkeys.
    case tooMany
}
