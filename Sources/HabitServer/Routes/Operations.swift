import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// Routes for load balancers and the operator: health and metrics; the access log and the error log.
extension HabitatServer {
    func addOperations(to router: Router<HabitContext>) {
        router.route("healthz", [.get: { _, _ in try await self.health() }])
    }

    /// The routes of the operator's listener, which requires no token.
    func operatorRouter() -> Router<HabitContext> {
        let router = Router(context: HabitContext.self)
        router.add(middleware: OperatorErrors())
        addOperations(to: router)
        router.route("metrics", [.get: { _, _ in self.counters() }])
        return router
    }

    private func counters() -> Response {
        let load = pool.load
        let text = metrics.text([
            ("habitat_store_reads_running", "Requests that read the store.", load.running),
            ("habitat_store_reads_waiting", "Requests that wait to read the store.", load.waiting),
            ("habitat_connections_open", "Open connections of clients.", connections.count),
            ("habitat_request_body_bytes", "Bytes reserved for request bodies.", uploads.reserved + records.reserved),
        ])
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private func health() async throws -> Response {
        try await pool.read(for: .server) { try $0.beginSnapshot() }
        return Response(["status": "ok"], headers: [.cacheControl: "no-store"])
    }

    /// Writes a line of the access log, a JSON object with the client, the user and the pattern of the route.
    ///
    /// The line contains no path, parameter, position, token or body.
    func logAccess(_ request: Request, _ context: HabitContext, _ response: Response, _ duration: Duration) {
        guard options.logsAccess, let log = options.log else { return }
        let line: JSON = [
            "time": .text(OffsetInstant(.now, offset: .utc).description), "method": .text(request.method.rawValue),
            "route": .text(context.endpointPath ?? "-"), "status": .integer(response.status.code),
            "bytes": response.body.contentLength.map { .integer($0) } ?? .null,
            "ms": .number((duration / .milliseconds(1) * 1000).rounded() / 1000),
        ]
        log(String(decoding: line.merging(.object(origin(of: request, context))).bytes, as: UTF8.self))
    }

    /// Logs an internal error with its causes.
    ///
    /// Clients do not receive it.
    func logError(_ error: any Error, at route: String) {
        logger.error("request failed", metadata: ["route": "\(route)", "error": "\(ErrorLog.text(of: error))"])
    }
}

/// Middleware that converts errors of the operator's listener to problem details.
private struct OperatorErrors: RouterMiddleware {
    func handle(
        _ request: Request, context: HabitContext, next: (Request, HabitContext) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch { return Problem(error).response }
    }
}
