import Crypto
import CryptoExtras
import Foundation
import HabitStore

/// The public key of a passkey.
enum PasskeyPublicKey {
    case es256(P256.Signing.PublicKey)
    case rs256(_RSA.Signing.PublicKey)

    /// The largest RSA key that is accepted, in bits.
    ///
    /// The smallest one has 2,048 bits.
    private static let largestRSAKey = 4096

    /// Parses a key, or returns `nil` if it is not a P-256 or RSA key of a permitted size.
    ///
    /// - Parameter der: A SubjectPublicKeyInfo (RFC 5280, section 4.1), which browsers return from `getPublicKey()`.
    init?(_ der: [UInt8]) {
        if let key = try? P256.Signing.PublicKey(derRepresentation: der) {
            self = .es256(key)
            return
        }
        // Refuses keys with fewer than 2,048 bits.
        guard let key = try? _RSA.Signing.PublicKey(derRepresentation: der),
            key.keySizeInBits <= Self.largestRSAKey
        else { return nil }
        self = .rs256(key)
    }

    /// The algorithm of the signatures.
    var algorithm: Passkey.Algorithm {
        switch self {
        case .es256: .es256
        case .rs256: .rs256
        }
    }

    /// The key as a SubjectPublicKeyInfo in DER.
    var derRepresentation: [UInt8] {
        switch self {
        case .es256(let key): Array(key.derRepresentation)
        case .rs256(let key): Array(key.derRepresentation)
        }
    }

    /// Whether a signature of the key is valid for a message (Web Authentication, section 6.5.5).
    ///
    /// - Parameters:
    ///   - signature: The signature: in DER for ES256 (RFC 3279, section 2.2.3).
    ///   - message: The signed bytes.
    /// - Returns: Whether the signature is valid.
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        switch self {
        case .es256(let key):
            let parsed = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            guard let parsed else { return false }
            return key.isValidSignature(parsed, for: message)
        case .rs256(let key):
            let parsed = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return key.isValidSignature(parsed, for: message, padding: .insecurePKCS1v1_5)
        }
    }
}
