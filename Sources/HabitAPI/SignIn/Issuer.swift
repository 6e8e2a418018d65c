import Base
import Foundation
import HTTPServing

/// An OpenID Connect issuer, and the server's registration there (OpenID Connect Core 1.0).
public struct Issuer: Sendable {
    /// The URL of the issuer, which its discovery document and its ID tokens contain.
    public let url: String
    /// The server's client ID at the issuer.
    public let clientID: String
    /// The client secret, or `nil` for a public client.
    public let clientSecret: String?
    /// The name on the page of the sign-in.
    public let name: String
    /// The part of the redirect URI that names the issuer, such as `google`.
    ///
    /// It is derived from ``name``.
    public let key: String
    /// Whether the operator trusts the verified addresses of the issuer, so that they open accounts from loads.
    public let trustsEmail: Bool

    /// The URL of Google's issuer.
    private static let googleURL = "https://accounts.google.com"
    /// The longest name, in characters.
    private static let nameLimit = 40

    /// Creates an issuer.
    ///
    /// - Parameters:
    ///   - url: The URL of the issuer: `https`, or `http` on the loopback interface.
    ///   - clientID: The server's client ID at the issuer.
    ///   - clientSecret: The client secret, or `nil` for a public client.
    ///   - name: The name on the page of the sign-in; `nil` for the host of the URL.
    ///   - trustsEmail: Whether the verified addresses of the issuer open accounts from loads.
    /// - Throws: `parameter-invalid` for a URL, a client ID or a name that is not valid.
    public init(
        url: String,
        clientID: String,
        clientSecret: String?,
        name: String? = nil,
        trustsEmail: Bool
    ) throws(HabitError) {
        guard IssuerURL.isAllowed(url), !url.contains("?") else {
            throw HabitError(
                .parameterInvalid,
                "'\(url)' is not the URL of an issuer: write https://HOST or https://HOST/PATH",
                field: "oidc-issuer")
        }
        guard !clientID.isEmpty, clientID.utf8.allSatisfy({ byte in (0x20...0x7e).contains(byte) }) else {
            throw HabitError(
                .parameterInvalid,
                "the client ID of '\(url)' is not visible ASCII text: pass the client ID that the issuer shows",
                field: "oidc-client-id")
        }
        // The URL has a host.
        let host = URLComponents(string: url)?.host ?? ""
        let name = name ?? host
        let key = Self.key(of: name)
        guard !key.isEmpty, name.count <= Self.nameLimit, PrintableText.isPrintable(name) else {
            throw HabitError(
                .parameterInvalid,
                "'\(name)' is not a name of an issuer: write 1 to \(Self.nameLimit) characters, with an English letter or a digit",
                field: "oidc-name")
        }
        self.url = url
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.name = name
        self.key = key
        self.trustsEmail = trustsEmail
    }

    /// Creates Google's issuer, whose verified addresses open accounts from loads.
    ///
    /// - Parameters:
    ///   - clientID: The server's client ID at Google.
    ///   - clientSecret: The client secret.
    /// - Returns: The issuer.
    /// - Throws: `parameter-invalid` for a client ID that is not valid.
    public static func google(clientID: String, clientSecret: String) throws(HabitError) -> Issuer {
        try Issuer(
            url: googleURL,
            clientID: clientID,
            clientSecret: clientSecret,
            name: "Google",
            trustsEmail: true)
    }

    /// Returns the lowercase ASCII letters and digits of a name, with hyphens between the words.
    private static func key(of name: String) -> String {
        let words = name.folded.split { character in
            !character.isASCII || !(character.isLetter || character.isNumber)
        }
        return words.joined(separator: "-")
    }

    /// Whether a text in a response or an ID token names this issuer.
    ///
    /// Google also uses its name without the scheme.
    func isNamed(_ text: String) -> Bool {
        text == url || url == Self.googleURL && text == "accounts.google.com"
    }
}

/// The URLs of an issuer.
enum IssuerURL {
    /// The longest URL, in bytes.
    private static let limit = 2048

    /// Whether the server sends requests and browsers to a URL: `https`, or `http` on the loopback interface, without user,
    /// password and fragment.
    static func isAllowed(_ text: String) -> Bool {
        let isVisible = text.utf8.allSatisfy { byte in (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "\\") }
        guard isVisible, text.utf8.count <= limit,
            let parts = URLComponents(string: text),
            let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.fragment == nil
        else { return false }
        switch parts.scheme {
        case "https": return true
        case "http": return !SessionCookie.isUnprotected(publicURL: nil, listenHost: host)
        default: return false
        }
    }
}

/// Texts that are shown in one line.
enum PrintableText {
    /// Whether a text contains no control characters, format characters and line breaks.
    static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            // Format characters such as U+202E change the display of the surrounding text.
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }
}
