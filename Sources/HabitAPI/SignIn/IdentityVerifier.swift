import Base
import Crypto
import Foundation
import HTTPServing
import HabitModel
import HabitStore

/// Verifies the ID tokens of an issuer: the signature with the issuer's keys, the issuer, the audience, the nonce and the
/// times.
struct IdentityVerifier: Sendable {
    private let issuer: Issuer
    private let keys: CachedDocument<SigningKeys>
    /// Maximum difference between the clocks of issuer and server, in seconds.
    private static let leeway: TimeInterval = 60
    /// Maximum time until a token expires, in seconds: 24 hours.
    private static let longestLifetime: TimeInterval = 86_400

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - issuer: The issuer.
    ///   - keys: The keys of the issuer.
    init(_ issuer: Issuer, keys: CachedDocument<SigningKeys>) {
        self.issuer = issuer
        self.keys = keys
    }

    /// Verifies an ID token.
    ///
    /// - Parameters:
    ///   - token: The ID token.
    ///   - nonce: The nonce that the token must contain.
    ///   - accessToken: The access token of the same response; `nil` if it is missing.
    ///   - now: The current time.
    /// - Returns: The verified claims.
    /// - Throws: `not-signed-in` for an invalid token, and `issuer-unavailable` (503) if the issuer's keys cannot be
    ///   fetched.
    func verify(
        _ token: String,
        nonce: String,
        accessToken: String?,
        now: Instant
    ) async throws -> IdentityClaims {
        let parts = try parts(of: token)
        let keys = try await signingKeys(for: parts.header)
        guard let claims = try? IdentityClaims(parts.payload) else { throw issuer.invalidResponse }
        do {
            try await keys.verify(token, parts.header)
        } catch {
            throw issuer.invalidResponse
        }
        let seconds = Double(now.microseconds) / 1e6
        guard isValid(claims, nonce: nonce, now: seconds),
            AccessTokenHash.matches(claims.accessTokenHash, accessToken, algorithm: parts.header.algorithm)
        else { throw issuer.invalidResponse }
        return claims
    }

    /// Whether the claims of a token with a valid signature are for this sign-in.
    ///
    /// - Parameters:
    ///   - claims: The claims.
    ///   - nonce: The nonce of the sign-in.
    ///   - now: The current time in seconds since 1970 UTC.
    /// - Returns: Whether all claims are valid.
    private func isValid(_ claims: IdentityClaims, nonce: String, now: Double) -> Bool {
        issuer.isNamed(claims.issuer)
            && Self.isValid(subject: claims.subject)
            && isForServer(claims)
            && Self.isCurrent(claims, now: now)
            && claims.nonce == nonce
    }

    /// Whether the identifier of a person has a valid length and is printable.
    private static func isValid(subject: String) -> Bool {
        // At most 255 ASCII characters (OpenID Connect Core 1.0, section 2).
        (1...255).contains(subject.utf8.count) && PrintableText.isPrintable(subject)
    }

    /// Whether the token is for this server.
    private func isForServer(_ claims: IdentityClaims) -> Bool {
        guard claims.audiences.contains(issuer.clientID) else { return false }
        let isOnlyAudience = claims.audiences.count == 1
        guard let party = claims.authorizedParty else { return isOnlyAudience }
        return party == issuer.clientID
    }

    /// Whether the token is already valid, has not expired and does not expire too late.
    private static func isCurrent(_ claims: IdentityClaims, now: Double) -> Bool {
        guard claims.expires + leeway > now else { return false }
        guard claims.expires <= now + longestLifetime + leeway else { return false }
        let starts = [claims.notBefore, claims.issued].compactMap(\.self)
        return starts.allSatisfy { start in start - leeway <= now }
    }

    /// The parts of a token.
    private struct Parts {
        var header: TokenHeader
        var payload: [UInt8]
    }

    private func parts(of token: String) throws -> Parts {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            token.utf8.count <= 8192,
            let json = Data(base64URLEncoded: parts[0]),
            let header = try? TokenHeader(Array(json)),
            let payload = Data(base64URLEncoded: parts[1])
        else { throw issuer.invalidResponse }
        return Parts(header: header, payload: Array(payload))
    }

    /// Returns the current keys, or newer ones if the current keys do not contain the key of a token.
    private func signingKeys(for header: TokenHeader) async throws -> SigningKeys {
        do {
            let current = try await keys.current()
            guard !current.contains(header.key) else { return current }
            // The issuer may have a new key.
            return try await keys.newer() ?? current
        } catch {
            throw issuer.unavailable(error)
        }
    }
}

/// The digest of an access token in an ID token (OpenID Connect Core 1.0, section 3.1.3.6).
enum AccessTokenHash {
    /// Whether an ID token without the digest, or with the digest of an access token.
    ///
    /// - Parameters:
    ///   - hash: The claim `at_hash`.
    ///   - token: The access token; `nil` if it is missing.
    ///   - algorithm: The algorithm of the ID token's signature.
    /// - Returns: Whether the claim is absent or valid.
    static func matches(_ hash: String?, _ token: String?, algorithm: String) -> Bool {
        guard let hash else { return true }
        guard let token, let digest = digest(of: token, algorithm: algorithm) else { return false }
        let half = digest.prefix(digest.count / 2)
        return Data(half).base64URLEncoded == hash
    }

    private static func digest(of token: String, algorithm: String) -> [UInt8]? {
        let bytes = Data(token.utf8)
        switch algorithm {
        case "RS256", "ES256", "PS256": return Array(SHA256.hash(data: bytes))
        case "RS384", "ES384": return Array(SHA384.hash(data: bytes))
        case "RS512", "ES512", "EdDSA": return Array(SHA512.hash(data: bytes))
        default: return nil
        }
    }
}
