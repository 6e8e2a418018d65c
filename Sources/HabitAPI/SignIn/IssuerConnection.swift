import Base
import HTTPServing
import HabitStore

/// An issuer with its documents, which the server fetches at the first sign-in.
struct IssuerConnection: Sendable {
    let issuer: Issuer
    /// The address to which the issuer sends a browser back.
    let redirectURI: String
    private let options: SignInOptions
    private let discovery: CachedDocument<IssuerMetadata>
    private let verifier: IdentityVerifier

    /// Creates the connection of an issuer, without a request.
    ///
    /// - Parameters:
    ///   - issuer: The issuer.
    ///   - redirectURI: The address to which the issuer sends a browser back.
    ///   - options: The lifetimes of documents.
    init(_ issuer: Issuer, redirectURI: String, options: SignInOptions) {
        self.issuer = issuer
        self.redirectURI = redirectURI
        self.options = options
        let timeout = options.timeout
        let discovery = CachedDocument(options) {
            let request = IssuerRequest(url: IssuerMetadata.url(of: issuer))
            return try IssuerMetadata(await request.document(within: timeout), of: issuer)
        }
        let keys = CachedDocument(options) {
            let request = IssuerRequest(url: try await discovery.current().keysURL)
            let json = try await request.document(within: timeout)
            return try SigningKeys(json: String(decoding: json, as: UTF8.self))
        }
        self.discovery = discovery
        verifier = IdentityVerifier(issuer, keys: keys)
    }

    private var metadata: IssuerMetadata {
        get async throws {
            do {
                return try await discovery.current()
            } catch {
                throw issuer.unavailable(error)
            }
        }
    }

    /// Returns the address of the issuer at which a person signs in.
    ///
    /// - Parameter attempt: The attempt.
    /// - Returns: The URL of the authorization request (OpenID Connect Core 1.0, section 3.1.2.1).
    /// - Throws: `issuer-unavailable` (503) if the discovery document cannot be fetched.
    func address(for attempt: SignInAttempt) async throws -> String {
        let endpoint = try await metadata.authorizationEndpoint
        let parameters = [
            "response_type": "code",
            "response_mode": "query",
            "client_id": issuer.clientID,
            "redirect_uri": redirectURI,
            "scope": "openid email profile",
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        ]
        let pairs = parameters.keys.sorted().map { name in
            "\(name)=\(parameters[name, default: ""].urlEncoded)"
        }
        let separator = endpoint.contains("?") ? "&" : "?"
        return endpoint + separator + pairs.joined(separator: "&")
    }

    /// Checks the issuer that a response to a browser names (RFC 9207, section 2.4).
    ///
    /// - Parameter name: The parameter `iss`.
    /// - Throws: `not-signed-in` if it is another issuer, or if it is missing although the issuer sends it, and
    ///   `issuer-unavailable` (503) if the discovery document cannot be fetched.
    func requireIssuer(_ name: String?) async throws {
        let isRequired = try await metadata.namesIssuer
        guard name == nil ? !isRequired : name == issuer.url else { throw issuer.invalidResponse }
    }

    /// Returns the identity of the person who has signed in at the issuer.
    ///
    /// - Parameters:
    ///   - code: The code in the response to the browser.
    ///   - attempt: The attempt.
    ///   - now: The current time.
    /// - Returns: The verified identity.
    /// - Throws: `not-signed-in` if the code or the ID token is not valid, and `issuer-unavailable` (503) if the issuer does
    ///   not respond as expected.
    func identity(for code: String, of attempt: SignInAttempt, now: Instant) async throws -> VerifiedIdentity {
        let metadata = try await metadata
        let exchange = CodeExchange(issuer: issuer, metadata: metadata, timeout: options.timeout)
        let tokens = try await exchange.tokens(
            for: code,
            verifier: attempt.verifier,
            redirectURI: redirectURI)
        let claims = try await verifier.verify(
            tokens.idToken,
            nonce: attempt.nonce,
            accessToken: tokens.accessToken,
            now: now)
        var person = claims.person
        if person.email == nil, let url = metadata.userInfoEndpoint, let token = tokens.accessToken {
            person = try await userInfo(at: url, with: token, of: claims.subject)
        }
        return VerifiedIdentity(
            issuer: issuer.url,
            subject: claims.subject,
            email: person.isEmailVerified ? person.email : nil,
            isEmailTrusted: issuer.trustsEmail,
            name: person.name ?? claims.person.name,
            timeZone: (person.zoneInfo ?? claims.person.zoneInfo).flatMap { id in TimeZoneRules(id) })
    }

    /// Reads the claims about a person, which many issuers do not put into the ID token (OpenID Connect Core 1.0, section
    /// 5.3).
    private func userInfo(at url: String, with token: String, of subject: String) async throws -> PersonClaims {
        let json: [UInt8]
        do {
            let request = IssuerRequest(url: url, authorization: "Bearer \(token)")
            json = try await request.document(within: options.timeout)
        } catch {
            throw issuer.unavailable(error)
        }
        do {
            return try PersonClaims(json, of: subject)
        } catch {
            throw issuer.invalidResponse
        }
    }
}
