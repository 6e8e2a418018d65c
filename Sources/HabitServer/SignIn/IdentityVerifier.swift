import Foundation
import HabitModel
import HabitStore
import JWTKit

/// The relevant claims of an OpenID Connect ID token (OpenID Connect Core 1.0, section 2).
struct IDToken: JWTPayload {
    var iss: IssuerClaim
    var sub: SubjectClaim
    var aud: AudienceClaim
    var exp: ExpirationClaim
    var iat: IssuedAtClaim?
    var nbf: NotBeforeClaim?
    var azp: String?
    var nonce: String?
    var email: String?
    var emailVerified: BoolClaim?
    var name: String?

    enum CodingKeys: String, CodingKey {
        case iss, sub, aud, exp, iat, nbf, azp, nonce, email, name
        case emailVerified = "email_verified"
    }

    /// Does nothing: `IdentityVerifier` checks the times, because it has the server's clock.
    func verify(using algorithm: some JWTAlgorithm) throws {}
}

/// Verifies ID tokens: the signature with the issuer's keys, the issuer, the audience and the times.
actor IdentityVerifier {
    private let options: SignInOptions
    private var keys: SigningKeys?
    /// The time of the last attempt to fetch the keys, whether it succeeded or failed; `nil` before the first attempt.
    private var asked: ContinuousClock.Instant?
    /// Maximum difference between the clocks of issuer and server, in seconds.
    private static let leeway: TimeInterval = 60
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
        let (header, signed) = try Self.parts(of: token)
        var keys = try await currentKeys()
        // The issuer may have a new key.
        if !keys.contains(header.key), let newer = try await newerKeys() { keys = newer }
        guard let payload = try? await keys.verify(token, header) else { throw Self.invalid }
        try check(payload, nonce: nonce, now: Date(timeIntervalSince1970: Double(now.microseconds) / 1e6))
        let identity = VerifiedIdentity(
            issuer: Self.canonical(payload.iss.value), subject: payload.sub.value, email: payload.email,
            name: payload.name)
        return (identity, IDTokenUse(of: signed, until: Self.end(of: payload)))
    }

    /// Returns the instant from which the token is refused as expired, at most the end of the year 9999.
    private static func end(of payload: IDToken) -> Instant {
        let seconds = payload.exp.value.timeIntervalSince1970 + leeway
        return Instant(microseconds: Int64(min(seconds, 253_402_300_799)) * 1_000_000)
    }

    private func check(_ payload: IDToken, nonce: String?, now: Date) throws {
        guard options.issuers.contains(payload.iss.value), !payload.sub.value.isEmpty,
            // At most 255 ASCII characters (OpenID Connect Core 1.0, section 2).
            payload.sub.value.utf8.count <= 255,
            [payload.sub.value, payload.name, payload.email].allSatisfy({ $0.map(Self.isPrintable) ?? true }),
            payload.aud.value.contains(where: options.clients.contains),
            payload.aud.value.count == 1 || payload.azp.map(options.clients.contains) == true,
            payload.exp.value.addingTimeInterval(Self.leeway) > now,
            (payload.nbf?.value ?? .distantPast).addingTimeInterval(-Self.leeway) <= now,
            (payload.iat?.value ?? .distantPast).addingTimeInterval(-Self.leeway) <= now,
            nonce == nil || payload.nonce == nonce
        else { throw Self.invalid }
        guard payload.emailVerified?.value == true else {
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

    /// Returns the header and the signed part of a token, without the signature, which may have several encodings.
    private static func parts(of token: String) throws -> (header: TokenHeader, signed: Substring) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= 8192, let data = Data(base64URLEncoded: parts[0]),
            let header = try? JSONDecoder().decode(TokenHeader.self, from: data)
        else { throw invalid }
        return (header, token[..<parts[1].endIndex])
    }

    /// The error for every invalid token.
    ///
    /// The text is the same in all cases, so that it reveals no failed check.
    static let invalid = Problem(
        .unauthorized, ErrorCode.notSignedIn.slug,
        "invalid ID token: sign in again", field: "id_token")

    // MARK: Keys

    private func currentKeys() async throws -> SigningKeys {
        if let keys, let asked, asked.duration(to: .now) < options.keysLifetime { return keys }
        return try await fetch()
    }

    /// Fetches the keys again, or returns `nil` if the last attempt is too recent.
    private func newerKeys() async throws -> SigningKeys? {
        if let asked, asked.duration(to: .now) < options.keysPause { return nil }
        return try await fetch()
    }

    private func fetch() async throws -> SigningKeys {
        do {
            asked = .now
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
        guard options.keys.contains("://") else { return try String(contentsOfFile: options.keys, encoding: .utf8) }
        return try await KeyDownload.text(from: options.keys)
    }
}
