import Base
import Foundation
import HTTPServing
import HabitModel
import HabitStore

/// Verifies ID tokens: the signature with the issuer's keys, the issuer, the audience and the times.
package actor IdentityVerifier {
    private let options: SignInOptions
    private var keys: SigningKeys?
    /// The time of the last attempt to fetch the keys, whether it succeeded or failed; `nil` before the first attempt.
    private var asked: ContinuousClock.Instant?
    /// Maximum difference between the clocks of issuer and server, in seconds.
    private static let leeway: TimeInterval = 60
    /// Maximum time until a token expires, in seconds: 24 hours.
    private static let longestLifetime: TimeInterval = 86_400

    package init(_ options: SignInOptions) { self.options = options }

    /// Verifies an ID token.
    ///
    /// - Parameters:
    ///   - token: The ID token of the request.
    ///   - nonce: The expected nonce; `nil` disables its check.
    ///   - now: The current time.
    /// - Returns: The verified identity and the use of the token.
    /// - Throws: `not-signed-in` for an invalid token, `email-not-verified` for an unverified address, and
    ///   `store-unavailable` (503) if the issuer's keys cannot be fetched.
    func verify(
        _ token: String,
        nonce: String?,
        now: Instant
    ) async throws -> (identity: VerifiedIdentity, use: IDTokenUse) {
        let parts = try Self.parts(of: token)
        let keys = try await keys(for: parts.header)
        guard let claims = try? IdentityClaims(parts.payload) else { throw Self.invalid }
        do {
            try await keys.verify(token, parts.header)
        } catch {
            throw Self.invalid
        }
        let seconds = Double(now.microseconds) / 1e6
        try check(claims, nonce: nonce, now: seconds)
        let identity = VerifiedIdentity(
            issuer: Self.canonical(claims.issuer),
            subject: claims.subject,
            email: claims.email,
            name: claims.name)
        let use = IDTokenUse(of: parts.signed, until: Self.end(of: claims))
        return (identity, use)
    }

    /// Returns the instant from which the token is refused as expired.
    private static func end(of claims: IdentityClaims) -> Instant {
        let seconds = Int64(claims.expires + leeway)
        return Instant(microseconds: seconds * 1_000_000)
    }

    /// Checks the claims of a token with a valid signature.
    ///
    /// - Parameters:
    ///   - claims: The claims.
    ///   - nonce: The expected nonce; `nil` disables its check.
    ///   - now: The current time in seconds since 1970 UTC.
    /// - Throws: `not-signed-in` or `email-not-verified`.
    private func check(_ claims: IdentityClaims, nonce: String?, now: Double) throws {
        guard options.issuers.contains(claims.issuer),
            Self.areTextsValid(claims),
            isForClients(claims),
            Self.isCurrent(claims, now: now),
            nonce == nil || claims.nonce == nonce
        else { throw Self.invalid }
        guard claims.isEmailVerified else {
            throw Problem(
                .forbidden,
                slug: "email-not-verified",
                detail: "the e-mail address of the identity is not verified: verify it with the identity provider")
        }
    }

    /// Whether the subject has a valid length and all texts are printable.
    private static func areTextsValid(_ claims: IdentityClaims) -> Bool {
        // At most 255 ASCII characters (OpenID Connect Core 1.0, section 2).
        guard (1...255).contains(claims.subject.utf8.count) else { return false }
        let texts = [claims.subject, claims.name, claims.email].compactMap(\.self)
        return texts.allSatisfy(isPrintable)
    }

    /// Whether the token is for one of the operator's clients.
    private func isForClients(_ claims: IdentityClaims) -> Bool {
        let clients = options.clients
        guard claims.audiences.contains(where: clients.contains) else { return false }
        if claims.audiences.count == 1 { return true }
        guard let party = claims.authorizedParty else { return false }
        return clients.contains(party)
    }

    /// Whether the token is already valid, has not expired and does not expire too late.
    private static func isCurrent(_ claims: IdentityClaims, now: Double) -> Bool {
        guard claims.expires + leeway > now else { return false }
        guard claims.expires <= now + longestLifetime + leeway else { return false }
        let starts = [claims.notBefore, claims.issued].compactMap(\.self)
        return starts.allSatisfy { start in start - leeway <= now }
    }

    /// Returns the issuer with `https://`, because Google uses its name with and without the scheme.
    private static func canonical(_ issuer: String) -> String {
        issuer.hasPrefix("https://") ? issuer : "https://" + issuer
    }

    /// Whether a text contains no control characters, format characters and line breaks.
    private static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            // Format characters such as U+202E change the display of the surrounding text.
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }

    /// The parts of a token.
    private struct Parts {
        var header: TokenHeader
        var payload: [UInt8]
        /// The token without its signature, which may have several encodings.
        var signed: Substring
    }

    private static func parts(of token: String) throws -> Parts {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            token.utf8.count <= 8192,
            let json = Data(base64URLEncoded: parts[0]),
            let header = try? TokenHeader(Array(json)),
            let payload = Data(base64URLEncoded: parts[1])
        else { throw invalid }
        return Parts(
            header: header,
            payload: Array(payload),
            signed: token[..<parts[1].endIndex])
    }

    /// The error for every invalid token.
    ///
    /// The text is the same in all cases, so that it reveals no failed check.
    static let invalid = Problem(
        .unauthorized,
        slug: ErrorCode.notSignedIn.slug,
        detail: "invalid ID token: sign in again",
        field: "id_token")

    // MARK: Keys

    /// Returns the current keys, or newer ones if the current keys do not contain the key of a token.
    private func keys(for header: TokenHeader) async throws -> SigningKeys {
        let keys = try await currentKeys()
        guard !keys.contains(header.key) else { return keys }
        // The issuer may have a new key.
        return try await newerKeys() ?? keys
    }

    private func currentKeys() async throws -> SigningKeys {
        if let keys, let age, age < options.keysLifetime { return keys }
        return try await fetch()
    }

    /// The time since the last attempt to fetch the keys.
    private var age: Duration? { asked?.duration(to: options.time()) }

    /// Fetches the keys again, or returns `nil` if the last attempt is too recent.
    private func newerKeys() async throws -> SigningKeys? {
        if let age, age < options.keysPause { return nil }
        return try await fetch()
    }

    private func fetch() async throws -> SigningKeys {
        do {
            asked = options.time()
            let json = try await keySet()
            let fetched = try SigningKeys(json: json)
            keys = fetched
            return fetched
        } catch {
            // Old keys remain in use while the issuer cannot be reached.
            if let keys { return keys }
            throw Problem(
                .serviceUnavailable,
                slug: ErrorCode.storeUnavailable.slug,
                detail: "the keys of the issuer are unavailable: try again soon",
                headers: [.retryAfter: "30"],
                cause: error)
        }
    }

    private func keySet() async throws -> String {
        guard !options.areKeysInFile else {
            return try String(contentsOfFile: options.keys, encoding: .utf8)
        }
        return try await KeyDownload.text(from: options.keys)
    }
}
