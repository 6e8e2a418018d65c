import Base

/// The data that an authenticator signs (Web Authentication, section 6.1).
struct AuthenticatorData {
    /// The SHA-256 digest of the domain for which the passkey is valid.
    let domainDigest: [UInt8]
    /// Whether a person was present.
    let isUserPresent: Bool
    /// Whether the authenticator has verified the person, for example by a PIN or a fingerprint.
    let isUserVerified: Bool
    /// The number of signatures with the passkey; 0 if the authenticator does not count.
    let counter: UInt32
    /// The ID of the new credential, or `nil` if the data contains none or if its length is wrong.
    let credential: [UInt8]?

    /// The lengths and offsets of the parts, in bytes.
    private enum Layout {
        static let digest = 0..<32
        static let flags = 32
        static let counter = 33..<37
        /// The length of the credential ID, after the counter and the 16 bytes of the authenticator's model.
        static let credentialLength = 53..<55
        static let credential = 55
    }

    /// The bits of the flags.
    private enum Flag: UInt8 {
        case userPresent = 0x01
        case userVerified = 0x04
        case credential = 0x40
    }

    /// The longest ID of a credential, in bytes (Web Authentication, section 4).
    static let longestCredential = 1023

    /// Parses the data, or returns `nil` if it is too short.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Layout.counter.upperBound else { return nil }
        let flags = bytes[Layout.flags]
        domainDigest = Array(bytes[Layout.digest])
        isUserPresent = flags & Flag.userPresent.rawValue != 0
        isUserVerified = flags & Flag.userVerified.rawValue != 0
        counter = bytes[Layout.counter].reduce(0) { number, byte in number << 8 | UInt32(byte) }
        credential = flags & Flag.credential.rawValue == 0 ? nil : Self.credential(in: bytes)
    }

    /// Returns the ID of the new credential, which a public key follows.
    private static func credential(in bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > Layout.credential else { return nil }
        let length = bytes[Layout.credentialLength].reduce(0) { number, byte in number << 8 | Int(byte) }
        let end = Layout.credential + length
        guard (1...longestCredential).contains(length), bytes.count > end else { return nil }
        return Array(bytes[Layout.credential..<end])
    }

    /// Checks the domain and the presence of a verified person.
    ///
    /// - Parameter party: The server.
    /// - Throws: ``PasskeyFault/domain``, ``PasskeyFault/userPresence`` or ``PasskeyFault/userVerification``.
    func check(at party: RelyingParty) throws(PasskeyFault) {
        guard domainDigest == party.id.utf8.sha256 else { throw .domain }
        guard isUserPresent else { throw .userPresence }
        guard isUserVerified else { throw .userVerification }
    }
}
