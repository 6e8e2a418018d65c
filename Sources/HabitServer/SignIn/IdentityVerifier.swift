import Base
import Foundation
import HabitModel
import HabitStore

/// Verifies ID tokens: the signature with the issuer's keys, the issuer, the audience and the times.
actor IdentityVerifier {
    private let options: SignInOptions
    private var keys: SigningKeys?
    /// The time of the last attempt to fetch the keys, whether it succeeded or failed; `nil` before the first attempt.
    private var asked: ContinuousClock.Instant?
    /// Maximum difference between the clocks of issuer and server, in seconds.
    private static let leeway: TimeInterval = 60
    /// Maximum time until a token expires, in seconds: 24 hours.
    private static let longestLifetime: TimeInterval = 86_400

    init(_ options: SignInOptions) { self.options = options }

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
        _ token: String, nonce: String?, now: Instant
    ) async throws -> (identity: VerifiedIdentity, use: IDTokenUse) {
        let (header, payload, signed) = try Self.parts(of: token)
        var keys = try await currentKeys()
        // The issuer may have a new key.
        if !keys.contains(header.key), let newer = try await newerKeys() { keys = newer }
        guard let claims = try? IdentityClaims(payload), (try? await keys.verify(token, header)) != nil else {
            throw Self.invalid
        }
        try check(claims, nonce: nonce, now: Double(now.microseconds) / 1e6)
        let identity = VerifiedIdentity(
            issuer: Self.canonical(claims.issuer), subject: claims.subject, email: claims.email, name: claims.name)
        return (identity, IDTokenUse(of: signed, until: Self.end(of: claims)))
    }

    /// Returns the instant from which the token is refused as expired.
    private static func end(of claims: IdentityClaims) -> Instant {
        Instant(microseconds: Int64(claims.expires + leeway) * 1_000_000)
    }

    /// Checks the claims of a token with a valid signature.
    ///
    /// - Parameters:
    ///   - claims: The claims.
    ///   - nonce: The expected nonce; `nil` disables its check.
    ///   - now: The current time in seconds since 1970 UTC.
    /// - Throws: `not-signed-in` or `email-not-verified`.
    private func check(_ claims: IdentityClaims, nonce: String?, now: Double) throws {
        let starts = [claims.notBefore, claims.issued].compactMap(\.self)
        guard options.issuers.contains(claims.issuer), !claims.subject.isEmpty,
            // At most 255 ASCII characters (OpenID Connect Core 1.0, section 2).
            claims.subject.utf8.count <= 255,
            [claims.subject, claims.name, claims.email].allSatisfy({ $0.map(Self.isPrintable) ?? true }),
            claims.audiences.contains(where: options.clients.contains),
            claims.audiences.count == 1 || claims.authorizedParty.map(options.clients.contains) == true,
            claims.expires + Self.leeway > now, claims.expires <= now + Self.longestLifetime + Self.leeway,
            starts.allSatisfy({ $0 - Self.leeway <= now }),
            nonce == nil || claims.nonce == nonce
        else { throw Self.invalid }
        guard claims.isEmailVerified else {
            throw Problem(
                .forbidden, "email-not-verified",
                "the e-mail address of the identity is not verified: verify it with the identity provider")
        }
    }

    /// Returns the issuer with `https://`, because Google uses its name with and without the scheme.
    private static func canonical(_ issuer: String) -> String {
        issuer.hasPrefix("https://") ? issuer : "https://" + issuer
    }

    /// Whether a text contains no control characters, format characters and line breaks.
    private static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            // Format characters such as U+202E change the display of the surrounding text.
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
    }

    /// Returns the header, the payload and the signed part of a token.
    ///
    /// The signed part omits the signature, which may have several encodings.
    private static func parts(
        of token: String
    ) throws -> (header: TokenHeader, payload: [UInt8], signed: Substring) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= 8192, let data = Data(base64URLEncoded: parts[0]),
            let header = try? TokenHeader(Array(data)),
            let payload = Data(base64URLEncoded: parts[1])
        else { throw invalid }
        return (header, Array(payload), token[..<parts[1].endIndex])
    }

    /// The error for every invalid token.
    ///
    /// The text is the same in all cases, so that it reveals no failed check.
    static let invalid = Problem(
        .unauthorized, ErrorCode.notSignedIn.slug,
        "invalid ID token: sign in again", field: "id_token")

    // MARK: Keys

    private func currentKeys() async throws -> SigningKeys {
        if let keys, let asked, asked.duration(to: options.time()) < options.keysLifetime { return keys }
        return try await fetch()
    }

    /// Fetches the keys again, or returns `nil` if the last attempt is too recent.
    private func newerKeys() async throws -> SigningKeys? {
        if let asked, asked.duration(to: options.time()) < options.keysPause { return nil }
        return try await fetch()
    }

    private func fetch() async throws -> SigningKeys {
        do {
            asked = options.time()
            let fetched = try SigningKeys(json: try await keySet())
            keys = fetched
            return fetched
        } catch {
            // Old keys remain in use while the issuer cannot be reached.
            if let keys { return keys }
            throw Problem(
                .serviceUnavailable, ErrorCode.storeUnavailable.slug,
                "the keys of the issuer are unavailable: try again soon", headers: [.retryAfter: "30"],
                cause: error)
        }
    }

    private func keySet() async throws -> String {
        if options.areKeysInFile { return try String(contentsOfFile: options.keys, encoding: .utf8) }
        return try await KeyDownload.text(from: options.keys)
    }
}
