import Base
import HabitModel

/// The part of an issuer's discovery document that the server uses (OpenID Connect Discovery 1.0, section 3).
struct IssuerMetadata: Sendable {
    /// The URL to which the server sends a browser.
    let authorizationEndpoint: String
    /// The URL at which the server exchanges a code for an ID token.
    let tokenEndpoint: String
    /// The URL of the key set.
    let keysURL: String
    /// The URL at which the server reads the claims about a person that the ID token does not contain; `nil` for none.
    let userInfoEndpoint: String?
    /// Whether each response to a browser contains the issuer (RFC 9207, section 3).
    let namesIssuer: Bool
    /// The ways in which a client can authenticate at the token endpoint.
    let authenticationMethods: Set<String>

    /// The error of a document that the server cannot use.
    enum Fault: Error, LoggableError {
        case otherIssuer
        case missing(String)
        case urlNotAllowed(String)

        var logText: String {
            switch self {
            case .otherIssuer: "the discovery document names another issuer"
            case .missing(let name): "the discovery document has no member \(name)"
            case .urlNotAllowed(let name): "the URL \(name) of the discovery document is not an https URL"
            }
        }
    }

    /// Returns the URL of the discovery document of an issuer (section 4).
    static func url(of issuer: Issuer) -> String {
        let base = issuer.url.hasSuffix("/") ? String(issuer.url.dropLast()) : issuer.url
        return base + "/.well-known/openid-configuration"
    }

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - json: The JSON text.
    ///   - issuer: The issuer, which the document must name exactly (section 4.3).
    /// - Throws: ``Fault``, or a fault of ``JSONReader``.
    init(_ json: [UInt8], of issuer: Issuer) throws {
        let members = try JSONSlice(json[...]).members()
        guard try members["issuer"]?.text() == issuer.url else { throw Fault.otherIssuer }
        authorizationEndpoint = try Self.url("authorization_endpoint", in: members)
        tokenEndpoint = try Self.url("token_endpoint", in: members)
        keysURL = try Self.url("jwks_uri", in: members)
        let hasUserInfo = members["userinfo_endpoint"] != nil
        userInfoEndpoint = hasUserInfo ? try Self.url("userinfo_endpoint", in: members) : nil
        let flag = members["authorization_response_iss_parameter_supported"]
        namesIssuer = flag?.bytes.elementsEqual("true".utf8) == true
        let methods = try members["token_endpoint_auth_methods_supported"]?.elements()
        let names = try methods?.map { method in try method.text() }
        authenticationMethods = Set(names ?? ["client_secret_basic"])
    }

    private static func url(_ name: String, in members: [String: JSONSlice]) throws -> String {
        guard let url = try members[name]?.text() else { throw Fault.missing(name) }
        guard IssuerURL.isAllowed(url) else { throw Fault.urlNotAllowed(name) }
        return url
    }
}
