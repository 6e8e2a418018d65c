import Foundation
import Hummingbird

extension HabitatServer {
    /// Returns the IP address of the client, or `-` if it is unknown.
    ///
    /// If the connected client is a trusted proxy, the address is the last one in X-Forwarded-For. A value that is not an
    /// address does not count.
    func client(of request: Request, _ context: HabitContext) -> String {
        guard options.isBehindProxy, isTrustedProxy(context.peer),
            let last = request.headers[.forwardedFor]?.split(separator: ",").last,
            let address = IPAddress(HeaderValue.trimmed(last))
        else { return context.peer ?? "-" }
        return address.description
    }

    /// Whether the connected client may name the address of its own client.
    ///
    /// A client without an address is on a local socket.
    private func isTrustedProxy(_ peer: String?) -> Bool {
        guard let peer else { return true }
        guard let address = IPAddress(peer) else { return false }
        return options.trustedProxies.contains { $0.contains(address) }
    }
}
