import Foundation
import HTTPTypes
import Hummingbird

/// The cookie that contains the secret of a browser's session (RFC 6265).
///
/// Scripts cannot read it. A browser sends it to all ports of this host, and not with requests of other sites, except
/// when the user follows a link.
package struct SessionCookie: Sendable {
    /// The name, which depends on the public URL.
    ///
    /// A browser accepts a name that begins with `__Host-` or `__Secure-` only over https. With `__Host-`, no other host
    /// of the domain can set the cookie.
    package let name: String
    private let path: String
    private let isSecure: Bool
    /// The longest value that the server reads, in bytes.
    private let limit: Int

    /// Creates the cookie of a server.
    ///
    /// - Parameters:
    ///   - publicURL: The URL under which clients reach the server; `nil` for a server without one, which browsers
    ///     reach by http.
    ///   - suffix: The end of the name, which differs for a cookie with another purpose.
    ///   - limit: The longest value that the server reads, in bytes.
    package init(publicURL: String?, suffix: String = "", limit: Int = 200) {
        self.limit = limit
        let components = Self.components(of: publicURL)
        var path = components?.percentEncodedPath ?? ""
        while path.last == "/" {
            path.removeLast()
        }
        isSecure = components?.scheme?.lowercased() == "https"
        // A semicolon would end the attribute.
        self.path = path.isEmpty || path.contains(";") ? "/" : path
        if isSecure {
            let prefix = path.isEmpty ? "__Host-" : "__Secure-"
            name = "\(prefix)habitat\(suffix)"
        } else {
            name = "habitat\(suffix)"
        }
    }

    private static func components(of publicURL: String?) -> URLComponents? {
        guard let publicURL else { return nil }
        return URLComponents(string: publicURL)
    }

    /// Whether the public URL has no path, so that the server shares its origin with no other program.
    package var ownsOrigin: Bool { path == "/" }

    /// Whether browsers send the cookie to a server without encryption over a network.
    ///
    /// - Parameters:
    ///   - publicURL: The URL under which clients reach the server; `nil` for the address to listen on.
    ///   - listenHost: The name or the IP address to listen on.
    /// - Returns: Whether the server is reached by http on another host than the browser's own.
    package static func isUnprotected(publicURL: String?, listenHost: String) -> Bool {
        let components = components(of: publicURL)
        if components?.scheme?.lowercased() == "https" { return false }
        let host = components?.host ?? listenHost
        if host.lowercased() == "localhost" { return false }
        let address = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        return IPAddress(address)?.isLoopback != true
    }

    /// The secret in a request.
    package enum Value: Sendable, Equatable {
        case secret(String)
        /// The cookie is too long, or two cookies with its name have different values.
        case invalid
    }

    /// Returns the value of the cookie in a request, or `nil` if the request does not have the cookie.
    ///
    /// - Parameter request: The request.
    /// - Returns: The value.
    package func value(in request: Request) -> Value? {
        guard let header = request.headers[.cookie] else { return nil }
        var values: Set<String> = []
        for pair in header.split(separator: ";") {
            let end = pair.firstIndex(of: "=") ?? pair.endIndex
            let name = HeaderValue.trimmed(pair[..<end])
            guard name == self.name else { continue }
            let value = pair[end...].dropFirst()
            values.insert(HeaderValue.trimmed(value))
        }
        guard let value = values.first else { return nil }
        let hasOneValue = values.count == 1
        let length = value.utf8.count
        guard hasOneValue, length > 0, length <= limit else {
            return .invalid
        }
        return .secret(value)
    }

    /// Returns the header value that sets the cookie.
    ///
    /// - Parameters:
    ///   - secret: The secret of the session.
    ///   - lifetime: The time for which the browser keeps the cookie. The session may end earlier.
    /// - Returns: The value of `Set-Cookie`.
    package func setting(_ secret: String, for lifetime: Duration) -> String {
        field(secret, maximumAge: lifetime.components.seconds)
    }

    /// The header value that removes the cookie from the browser.
    package var clearing: String { field("", maximumAge: 0) }

    private func field(_ value: String, maximumAge: Int64) -> String {
        let secure = isSecure ? "; Secure" : ""
        return "\(name)=\(value); Path=\(path); Max-Age=\(maximumAge)\(secure); HttpOnly; SameSite=Lax"
    }
}
