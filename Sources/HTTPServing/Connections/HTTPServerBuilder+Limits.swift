import HummingbirdCore
import NIOCore

extension HTTPServerBuilder {
    /// Returns a builder of servers with limits on connections, memory and time.
    ///
    /// - Parameters:
    ///   - connections: The open connections of the listener.
    ///   - idleTimeout: The time after which the server closes an idle connection or a connection with an incomplete
    ///     request.
    ///   - prefix: The path of the public URL.
    /// - Returns: The builder.
    package static func http(
        _ connections: OpenConnections,
        idleTimeout: Duration,
        below prefix: PathPrefix
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            HTTPConnection(
                responder: { (request: Request, writer: consuming ResponseWriter, channel: any Channel) in
                    try await responder(prefix.removed(from: request), writer, channel)
                },
                connections: connections,
                idleTimeout: idleTimeout)
        }
    }
}
