import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// What whoever runs the server asks: whether it lives, what it counts, and what it logs.
extension HabitatServer {
    func addOperations(to router: Router<HabitContext>) {
        router.route("healthz", [.get: { _, _ in try await self.health() }])
        router.route("metrics", [.get: { _, _ in self.counters() }])
    }

    private func counters() -> Response {
        let load = pool.load
        let text = metrics.text([
            ("habitat_store_reads_running", "Requests that read the store.", load.running),
            ("habitat_store_reads_waiting", "Requests that wait for a connection to the store.", load.waiting),
        ])
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private func health() async throws -> Response {
        _ = try await pool.read { session in try session.first("SELECT 1 FROM account LIMIT 1") { _ in true } }
        return Response(["status": "ok"], headers: [.cacheControl: "no-store"])
    }

    /// A line of JSON for each request: the pattern of its address, never what stands in it, no token and no place.
    func logAccess(_ request: Request, _ context: HabitContext, _ response: Response, _ duration: Duration) {
        guard let log = options.log else { return }
        let line: JSON = [
            "time": .text(OffsetInstant(.now, offset: .utc).description), "method": .text(request.method.rawValue),
            "route": .text(context.endpointPath ?? "-"), "status": .integer(response.status.code),
            "bytes": response.body.contentLength.map { .integer($0) } ?? .null,
            "ms": .number((duration / .milliseconds(1) * 1000).rounded() / 1000),
        ]
        log(String(decoding: line.bytes, as: UTF8.self))
    }

    /// What went wrong inside, for the log alone.
    func note(_ error: any Error, at route: String) {
        let message = (error as? HabitError)?.description ?? "\(type(of: error))"
        let line: JSON = [
            "time": .text(OffsetInstant(.now, offset: .utc).description), "level": "error", "route": .text(route),
            "error": .text(message),
        ]
        options.log?(String(decoding: line.bytes, as: UTF8.self))
    }
}
