import Base
import Foundation
import HTTPServing

/// The server as authenticators know it (Web Authentication, section 4): the domain for which passkeys are valid, and the
/// origin of its pages.
package struct RelyingParty: Sendable, Equatable {
    /// The domain, such as `habits.example.org`.
    package let id: String
    /// The origin of the server's pages as browsers send it, such as `https://habits.example.org`.
    package let origin: String
}

/// Decides for which domain and origin the passkeys of a server are valid.
///
/// The decision does not depend on the header `Host`, which a client chooses.
package struct PasskeyAddress: Sendable {
    private let publicURL: String?
    private let listen: ListenAddress

    /// Creates the rule of a server.
    ///
    /// - Parameters:
    ///   - publicURL: The URL under which clients reach the server; `nil` for a server without one.
    ///   - listen: The address to listen on.
    package init(publicURL: String?, listen: ListenAddress) {
        self.publicURL = publicURL
        self.listen = listen
    }

    /// Returns the domain and the origin, or `nil` if the server has no passkeys.
    ///
    /// Browsers permit passkeys only for a domain that is reached by https, and for `localhost`. Without a public URL, a
    /// server that listens on the loopback interface has the domain `localhost`.
    ///
    /// - Parameter localPort: The port to which the client has connected; `nil` if it is unknown.
    /// - Returns: The domain and the origin.
    package func relyingParty(localPort: Int?) -> RelyingParty? {
        if let publicURL { return Self.relyingParty(of: publicURL) }
        guard Self.isLoopback(listen.host) else { return nil }
        // The option 0 chooses a free port.
        let port = localPort ?? listen.port
        return Self.relyingParty(of: "http://localhost:\(port)")
    }

    private static func relyingParty(of address: String) -> RelyingParty? {
        guard let url = URLComponents(string: address),
            let host = url.encodedHost?.lowercased(),
            let origin = RequestOrigin.origin(of: address)
        else { return nil }
        let isSecure = url.scheme?.lowercased() == "https" || host == "localhost"
        let isAddress = IPAddress(host.trimmingCharacters(in: brackets)) != nil
        guard isSecure, !isAddress, !host.isEmpty else { return nil }
        return RelyingParty(id: host, origin: origin)
    }

    private static func isLoopback(_ host: String) -> Bool {
        host.lowercased() == "localhost" || IPAddress(host)?.isLoopback == true
    }

    private static let brackets = CharacterSet(charactersIn: "[]")
}
