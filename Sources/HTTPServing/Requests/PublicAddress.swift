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

    /// Returns the prefix of links: the public URL if it is set, otherwise `http://` and the host of the request.
    package func base(of request: Request) -> String {
        if let publicURL {
            return publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
        }
        guard let authority = request.head.authority, HostRule.host(of: authority) != nil else {
            return "http://\(listen)"
        }
        return "http://\(authority)"
    }
}
