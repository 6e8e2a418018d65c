import CCurl
import Foundation
import HabitModel
import HabitStore
import JWTKit
import NIOPosix

/// What an OpenID Connect ID token says (OpenID Connect Core 1.0, section 2), of what matters here.
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

    /// Times are checked by whoever knows what time it is.
    func verify(using algorithm: some JWTAlgorithm) throws {}
}

/// Checks ID tokens: the signature against the issuer's keys, who made it, for whom, and when.
actor IdentityVerifier {
    private let options: SignInOptions
    private var keys: JWTKeyCollection?
    /// When they were last asked for, had or not.
    private var asked: ContinuousClock.Instant?
    /// How far clocks may be apart, in seconds.
    private static let leeway: TimeInterval = 60
    /// Signatures that need a secret of the issuer's: never a shared one, never none.
    private static let algorithms: Set<String> = [
        "RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "EdDSA",
    ]

    init(_ options: SignInOptions) { self.options = options }

    /// Who it is; throws `not-signed-in` for a token that proves nothing.
    func verify(_ token: String, nonce: String?, now: Instant) async throws -> VerifiedIdentity {
        let header = try Self.header(of: token)
        guard Self.algorithms.contains(header.alg) else { throw Self.invalid }
        let payload: IDToken
        do {
            payload = try await collection().verify(token, as: IDToken.self)
        } catch let error as Problem {
            throw error
        } catch {
            // The issuer may have begun to sign with another key.
            guard let collection = try await newerCollection(),
                let verified = try? await collection.verify(token, as: IDToken.self)
            else { throw Self.invalid }
            payload = verified
        }
        try check(payload, nonce: nonce, now: Date(timeIntervalSince1970: Double(now.microseconds) / 1e6))
        return VerifiedIdentity(
            issuer: Self.canonical(payload.iss.value), subject: payload.sub.value, email: payload.email,
            name: payload.name)
    }

    private func check(_ payload: IDToken, nonce: String?, now: Date) throws {
        guard options.issuers.contains(payload.iss.value), !payload.sub.value.isEmpty,
            payload.aud.value.contains(where: options.clients.contains),
            payload.aud.value.count == 1 || payload.azp.map(options.clients.contains) == true,
            payload.exp.value.addingTimeInterval(Self.leeway) > now,
            (payload.nbf?.value ?? .distantPast).addingTimeInterval(-Self.leeway) <= now,
            (payload.iat?.value ?? .distantPast).addingTimeInterval(-Self.leeway) <= now,
            nonce == nil || payload.nonce == nonce
        else { throw Self.invalid }
        guard payload.emailVerified?.value == true else {
            throw Problem(
                .forbidden, "email-not-verified", "the address of this identity is not verified: verify it there first")
        }
    }

    /// Google writes its name in two ways.
    private static func canonical(_ issuer: String) -> String {
        issuer.hasPrefix("https://") ? issuer : "https://" + issuer
    }

    private struct Header: Decodable {
        var alg: String
    }

    private static func header(of token: String) throws -> Header {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= 8192 else { throw invalid }
        guard let data = Data(base64URLEncoded: parts[0]),
            let header = try? JSONDecoder().decode(Header.self, from: data)
        else { throw invalid }
        return header
    }

    /// One sentence for whatever is wrong, so that nobody learns how far they came.
    private static let invalid = Problem(
        .unauthorized, ErrorCode.notSignedIn.slug,
        "this is not a valid ID token for this server: sign in again", field: "id_token")

    // MARK: Keys

    private func collection() async throws -> JWTKeyCollection {
        if let keys, let asked, asked.duration(to: .now) < options.keysLifetime { return keys }
        return try await fetch()
    }

    /// The keys as they are now; nil where those at hand are new enough.
    private func newerCollection() async throws -> JWTKeyCollection? {
        if let asked, asked.duration(to: .now) < options.keysPause { return nil }
        return try await fetch()
    }

    private func fetch() async throws -> JWTKeyCollection {
        do {
            asked = .now
            let collection = JWTKeyCollection()
            try await collection.add(jwksJSON: try await keySet())
            keys = collection
            return collection
        } catch {
            // Old keys are better than none while the issuer cannot be reached.
            if let keys { return keys }
            throw Problem(
                .serviceUnavailable, ErrorCode.storeUnavailable.slug,
                "the issuer's keys cannot be had at the moment: try again soon", headers: [.retryAfter: "30"])
        }
    }

    private func keySet() async throws -> String {
        guard options.keys.contains("://") else { return try String(contentsOfFile: options.keys, encoding: .utf8) }
        let address = options.keys
        // On a thread of its own, since it waits.
        return try await NIOThreadPool.singleton.runIfActive {
            var body = habitat_body(bytes: nil, count: 0, limit: 1 << 20)
            defer { free(body.bytes) }
            guard habitat_fetch(address, 10, &body) == 200 else {
                throw HabitError(.inputUnreadable, "there are no keys at '\(address)'")
            }
            return String(decoding: UnsafeRawBufferPointer(start: body.bytes, count: body.count), as: UTF8.self)
        }
    }
}
