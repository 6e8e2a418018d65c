import Base
import Crypto
import Foundation
import HabitModel
import HabitStore

/// A challenge that an authenticator signs (Web Authentication, section 13.4.3).
///
/// The text of a challenge contains its purpose and its expiry, so that the server stores only the used ones.
struct PasskeyChallenge: Codable, Equatable {
    /// The purpose for which alone a challenge is valid.
    enum Purpose: Codable, Equatable {
        /// A user adds a passkey with a user handle.
        case registration(user: Int64, userHandle: [UInt8])
        /// A person signs in.
        case signIn
    }

    let purpose: Purpose
    /// The instant from which the challenge is refused, in microseconds since 1970 UTC.
    private let expiry: Int64
    /// The random bytes that no other challenge has.
    private let random: Data

    /// The number of random bytes.
    private static let randomLength = 32

    /// The time for which a challenge is valid.
    static let lifetime = Duration.seconds(300)

    /// The lifetime in milliseconds, which browsers use as the time limit of the person.
    static let timeout = Int(lifetime.components.seconds) * 1000

    /// Creates a challenge that is valid for ``lifetime``.
    init(for purpose: Purpose, at now: Instant) {
        self.purpose = purpose
        expiry = now.microseconds + Self.lifetime.components.seconds * 1_000_000
        random = Data([UInt8].random(count: Self.randomLength))
    }

    /// Whether the challenge has expired.
    func isExpired(at now: Instant) -> Bool {
        expiry <= now.microseconds
    }

    /// The use of the challenge, which is permitted once.
    var use: SingleUse {
        SingleUse(of: "passkey challenge \(random.base64URLEncoded)", until: Instant(microseconds: expiry))
    }
}

/// The key that encrypts and authenticates the texts of challenges (AES-GCM, NIST SP 800-38D).
struct PasskeyChallengeKey: Sendable {
    private let key: SymmetricKey

    /// Creates the key.
    ///
    /// - Parameter secret: The key of the store, which all servers of the store share.
    init(_ secret: [UInt8]) {
        key = StoreKey(secret).derived(for: "passkey challenges 1")
    }

    /// The longest text that is decrypted, in bytes.
    private static let limit = 1024

    /// Returns the text of a challenge in base64url.
    ///
    /// - Throws: An error of the encryption, which does not occur with a key of 256 bits.
    func text(of challenge: PasskeyChallenge) throws -> String {
        let content = try JSONEncoder().encode(challenge)
        let box = try AES.GCM.seal(content, using: key)
        guard let bytes = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return bytes.base64URLEncoded
    }

    /// Returns the challenge in a text, or `nil` if this key has not encrypted the text.
    ///
    /// The caller must check the purpose, the expiry and the use.
    func challenge(in text: String) -> PasskeyChallenge? {
        guard text.utf8.count <= Self.limit,
            let bytes = Data(base64URLEncoded: text),
            let box = try? AES.GCM.SealedBox(combined: bytes),
            // Compares in constant time.
            let content = try? AES.GCM.open(box, using: key)
        else { return nil }
        return try? JSONDecoder().decode(PasskeyChallenge.self, from: content)
    }
}
