import Base
import Crypto
import Foundation
import HTTPServing
import HTTPTypes
import HabitStore
import Hummingbird

/// A sign-in that a browser has started, before the response of the issuer.
struct SignInAttempt: Codable, Sendable, Equatable {
    /// The URL of the issuer.
    let issuer: String
    /// The text that binds the issuer's response to the attempt.
    let state: String
    /// The text that binds the ID token to the attempt.
    let nonce: String
    /// The text that proves to the issuer that the attempt requests the ID token (RFC 7636).
    let verifier: String
    /// The page to which the sign-in leads.
    let target: String
    /// The time zone of a new account.
    let timeZone: String?
    /// The user who adds the identity to the account; `nil` for a sign-in.
    let user: User?
    /// The end of the attempt, in microseconds since 1970 UTC.
    let expires: Int64

    /// The user of an account.
    struct User: Codable, Sendable, Equatable {
        let key: Int64
        let id: String
    }

    /// The time in which a person must sign in at the issuer.
    static let lifetime = Duration.seconds(600)
    /// The longest target, in bytes.
    ///
    /// Browsers keep cookies of at most 4096 bytes.
    private static let targetLimit = 1500

    /// Starts an attempt with random texts.
    ///
    /// - Parameters:
    ///   - issuer: The issuer.
    ///   - target: The page to which the sign-in leads. A long address is replaced by the landing page.
    ///   - timeZone: The time zone of a new account.
    ///   - user: The user who adds the identity to the account; `nil` for a sign-in.
    ///   - now: The current time.
    init(
        at issuer: Issuer,
        to target: OwnPath,
        timeZone: String?,
        user: User?,
        now: Instant
    ) {
        self.issuer = issuer.url
        state = Self.randomText()
        nonce = Self.randomText()
        verifier = Self.randomText()
        let isShort = target.text.utf8.count <= Self.targetLimit
        self.target = isShort ? target.text : OwnPath.home.text
        self.timeZone = timeZone
        self.user = user
        expires = now.microseconds + Self.lifetime.components.seconds * 1_000_000
    }

    /// Returns 256 random bits in base64url.
    private static func randomText() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { bytes in Data(bytes) }.base64URLEncoded
    }

    /// The digest of ``verifier`` in the authorization request, for the method `S256`.
    var challenge: String { Data(verifier.utf8.sha256).base64URLEncoded }

    /// The record that the attempt is complete.
    var use: SingleUse { SingleUse(of: state, until: Instant(microseconds: expires)) }
}

/// The cookies of a browser with its attempts, which only this server can read (AES-GCM, NIST SP 800-38D).
///
/// A cookie contains one attempt. A browser has a few, so that a person can sign in in several tabs.
struct AttemptCookies: Sendable {
    private let cookies: [SessionCookie]
    private let key: SymmetricKey

    /// Number of attempts of a browser.
    static let count = 4

    /// Creates the cookies of a server.
    ///
    /// - Parameters:
    ///   - publicURL: The URL under which clients reach the server; `nil` for a server without one.
    ///   - storeKey: The key of the store, which all servers of a store share.
    init(publicURL: String?, storeKey: [UInt8]) {
        cookies = (1...Self.count).map { number in
            SessionCookie(publicURL: publicURL, suffix: "-attempt-\(number)", limit: 4096)
        }
        key = StoreKey(storeKey).derived(for: "sign-in attempts 1")
    }

    /// An attempt in a cookie.
    struct Held: Sendable {
        let attempt: SignInAttempt
        /// The value of `Set-Cookie` that removes the cookie.
        let clearing: String
    }

    /// Returns the attempt of a request with a state, or `nil` if the browser does not have it or it has expired.
    ///
    /// - Parameters:
    ///   - state: The state in the response of the issuer.
    ///   - request: The request.
    ///   - now: The current time.
    /// - Returns: The attempt.
    func attempt(with state: String, in request: Request, now: Instant) -> Held? {
        for cookie in cookies {
            guard let attempt = attempt(in: cookie, of: request, now: now) else { continue }
            guard attempt.state == state else { continue }
            return Held(attempt: attempt, clearing: cookie.clearing)
        }
        return nil
    }

    /// Returns the value of `Set-Cookie` that keeps an attempt.
    ///
    /// It replaces the oldest attempt if the browser has too many.
    ///
    /// - Parameters:
    ///   - attempt: The attempt.
    ///   - request: The request that starts it.
    ///   - now: The current time.
    /// - Returns: The value of the header.
    /// - Throws: An error of the encoder.
    func setting(_ attempt: SignInAttempt, in request: Request, now: Instant) throws -> String {
        var oldest: SessionCookie?
        var oldestEnd = Int64.max
        for cookie in cookies {
            let end = self.attempt(in: cookie, of: request, now: now)?.expires ?? 0
            if end < oldestEnd {
                oldest = cookie
                oldestEnd = end
            }
        }
        let content = try JSONEncoder().encode(attempt)
        let box = try AES.GCM.seal(content, using: key)
        guard let cookie = oldest, let bytes = box.combined else { return "" }
        return cookie.setting(bytes.base64URLEncoded, for: SignInAttempt.lifetime)
    }

    private func attempt(in cookie: SessionCookie, of request: Request, now: Instant) -> SignInAttempt? {
        guard case .secret(let text)? = cookie.value(in: request),
            let bytes = Data(base64URLEncoded: text),
            let box = try? AES.GCM.SealedBox(combined: bytes),
            let content = try? AES.GCM.open(box, using: key),
            let attempt = try? JSONDecoder().decode(SignInAttempt.self, from: content)
        else { return nil }
        return attempt.expires > now.microseconds ? attempt : nil
    }
}
