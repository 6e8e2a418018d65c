import Hummingbird

/// Finds the IP address of a client, also behind a reverse proxy.
package struct ClientAddresses: Sendable {
    private let isBehindProxy: Bool
    private let trustedProxies: [IPNetwork]

    /// Creates the rule.
    ///
    /// - Parameters:
    ///   - isBehindProxy: Whether a proxy names the address of its client in X-Forwarded-For.
    ///   - trustedProxies: The addresses of the proxies that may do so.
    package init(isBehindProxy: Bool, trustedProxies: [IPNetwork]) {
        self.isBehindProxy = isBehindProxy
        self.trustedProxies = trustedProxies
    }

    /// Returns the IP address of the client, or `-` if it is unknown.
    ///
    /// If the connected client is a trusted proxy, the address is the last one in X-Forwarded-For. A value that is not
    /// an address does not count.
    package func client(of request: Request, _ context: ServerContext) -> String {
        let peer = context.peer
        guard isBehindProxy, isTrustedProxy(peer) else { return peer ?? "-" }
        let forwarded = request.headers[.forwardedFor]?.split(separator: ",")
        guard let last = forwarded?.last,
            let address = IPAddress(HeaderValue.trimmed(last))
        else {
            return peer ?? "-"
        }
        return address.description
    }

    /// Whether the connected client may name the address of its own client.
    ///
    /// A client without an address is on a local socket.
    private func isTrustedProxy(_ peer: String?) -> Bool {
        guard let peer else { return true }
        guard let address = IPAddress(peer) else { return false }
        return trustedProxies.contains { network in network.contains(address) }
    }
}
