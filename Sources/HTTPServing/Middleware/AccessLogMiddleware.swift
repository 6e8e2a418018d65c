import Base
import Hummingbird

/// Writes a line of the access log for each request: a JSON object with the client, the user and the pattern of the
/// route.
///
/// The line contains no path, parameter, position, token or body. Hummingbird's `LogRequestsMiddleware` logs the query
/// and does not know the status.
package struct AccessLogMiddleware: RouterMiddleware {
    private let write: @Sendable (String) -> Void
    private let origin: @Sendable (Request, ServerContext) -> [String: JSON]

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - write: Writes a line.
    ///   - origin: Returns the members of a line that name the client and the user of a request.
    package init(
        write: @escaping @Sendable (String) -> Void,
        origin: @escaping @Sendable (Request, ServerContext) -> [String: JSON]
    ) {
        self.write = write
        self.origin = origin
    }

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let begin = ContinuousClock.now
        let response = try await next(request, context)
        let milliseconds = begin.duration(to: .now) / .milliseconds(1)
        let now = OffsetInstant(.now, offset: .utc)
        let length = response.body.contentLength
        let line: JSON = [
            "time": .text(now.description),
            "method": .text(request.method.rawValue),
            "route": .text(context.route),
            "status": .integer(response.status.code),
            "bytes": length.map { bytes in .integer(bytes) } ?? .null,
            "ms": .number((milliseconds * 1000).rounded() / 1000),
        ]
        let members = JSON.object(origin(request, context))
        let bytes = line.merging(members).bytes
        write(String(decoding: bytes, as: UTF8.self))
        return response
    }
}
