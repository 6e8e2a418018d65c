import Foundation
import HTTPTypes
import Hummingbird

/// The address under which clients reach the server.
package struct PublicAddress: Sendable {
    private let publicURL: String?
    private let listen: ListenAddress

    /// Creates the address.
    ///
    /// - Parameters:
    ///   - publicURL: The URL under which clients reach the server; `nil` if it is the host of each request.
    ///   - listen: The address to listen on.
    package init(publicURL: String?, listen: ListenAddress) {
        self.publicURL = publicURL
        self.listen = listen
    }

    /// The prefix of addresses that other servers send browsers to: the public URL, otherwise `http://localhost` and the
    /// port.
    ///
    /// It never depends on a request. It is `nil` without a public URL if the server listens on another interface than
    /// the loopback interface, or on a port that it does not know yet.
    package var fixedBase: String? {
        if let publicBase { return publicBase }
        guard !SessionCookie.isUnprotected(publicURL: nil, listenHost: listen.host),
            listen.port != 0
        else { return nil }
        return "http://localhost:\(listen.port)"
    }

    /// The public URL without a slash at its end, or `nil` if it is not set.
    private var publicBase: String? {
        guard let publicURL else { return nil }
        return publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
    }

    /// Returns the prefix of links: the public URL if it is set, otherwise `http://` and the host of the request.
    package func base(of request: Request) -> String {
        if let publicBase { return publicBase }
        guard let authority = request.head.authority, HostRule.host(of: authority) != nil else {
            return "http://\(listen)"
        }
        return "http://\(authority)"
    }
}
