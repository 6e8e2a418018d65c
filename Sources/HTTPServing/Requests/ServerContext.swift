import Base
import Hummingbird
import NIOCore

/// The context of a request: its connection and the parameters of its path.
package struct ServerContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    package let channel: any Channel
    /// The IP address of the connected client or proxy; `nil` if it is unknown.
    package let peer: String?
    /// The IP address to which the client has connected; `nil` if it is unknown.
    package let local: String?
    /// Whether the cookie of the request names no session.
    package let refusedSession = RefusedSession()

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        peer = source.channel.remoteAddress?.ipAddress
        local = source.channel.localAddress?.ipAddress
    }

    /// The pattern of the request's route, or `-` if no route has the path of the request.
    ///
    /// Logs and metrics contain the pattern and never the path.
    package var route: String { endpointPath ?? "-" }

    /// Returns a percent-decoded path parameter.
    ///
    /// - Throws: `not-found` if the path has no such parameter, or if its value is not valid or contains NUL.
    package func parameter(_ name: String) throws -> String {
        guard let value = coreContext.parameters.get(name)?.percentDecoded(),
            // No ID contains NUL, and PostgreSQL accepts no NUL in a text.
            !value.unicodeScalars.contains("\0")
        else {
            throw HabitError(.notFound, Problem.unknownURL)
        }
        return value
    }
}
