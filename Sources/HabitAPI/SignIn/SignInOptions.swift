import Base
import Foundation
import HabitStore

/// Settings of sign-in with OpenID Connect ID tokens.
public struct SignInOptions: Sendable {
    /// The location of the issuer's JSON Web Key Set: an `https` URL or the path of a file.
    public var keys = "https://www.googleapis.com/oauth2/v3/certs"
    /// The time after which the server fetches the keys again.
    public var keysLifetime = Duration.seconds(3600)
    /// Minimum time between two fetches if a token names an unknown key.
    public var keysPause = Duration.seconds(60)
    /// Returns the time against which the age of the keys is measured.
    ///
    /// Tests replace it, so that they need not wait.
    package var time: @Sendable () -> ContinuousClock.Instant = { .now }
    /// The accepted values of the claim `iss`.
    public var issuers: Set<String> = ["https://accounts.google.com", "accounts.google.com"]
    /// The accepted values of the claim `aud`: the operator's client IDs at the issuer.
    public var clients: [String]
    /// The persons who get a new account by signing in.
    public var signUp = SignUp.invited

    /// Creates the settings for Google accounts.
    ///
    /// - Parameter clients: The operator's client IDs at the issuer.
    public init(clients: [String]) { self.clients = clients }

    /// Whether ``keys`` is the path of a file.
    var areKeysInFile: Bool { !keys.contains("://") }

    /// Checks the file of the keys, if ``keys`` is one.
    ///
    /// - Throws: `parameter-invalid` if the file cannot be read or contains no key set.
    public func checkKeys() throws {
        guard areKeysInFile else { return }
        do {
            _ = try SigningKeys(json: String(contentsOfFile: keys, encoding: .utf8))
        } catch {
            throw HabitError(
                .parameterInvalid, "the keys in '\(keys)' cannot be read: give a JSON Web Key Set or its https URL",
                field: "jwks", cause: error)
        }
    }
}
