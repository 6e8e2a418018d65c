import HTTPServing
import HTTPTypes
import Hummingbird
import NIOCore

/// The route of the operator's listener with the counters of the server in Prometheus' text format.
package struct MetricsRoute: RouteGroup {
    let metrics: Metrics
    let store: StorePool
    let connections: OpenConnections
    let bodies: RequestBodies

    /// Creates the route.
    ///
    /// - Parameters:
    ///   - metrics: The counters of requests.
    ///   - store: The connections to the store.
    ///   - connections: The open connections of clients.
    ///   - bodies: The memory of request bodies.
    package init(metrics: Metrics, store: StorePool, connections: OpenConnections, bodies: RequestBodies) {
        self.metrics = metrics
        self.store = store
        self.connections = connections
        self.bodies = bodies
    }

    package var routes: [Route] {
        [.undocumented("/metrics") { _ in response() }]
    }

    private func response() -> Response {
        let load = store.load
        let text = metrics.text([
            ("habitat_store_reads_running", "Requests that read the store.", load.running),
            ("habitat_store_reads_waiting", "Requests that wait to read the store.", load.waiting),
            ("habitat_connections_open", "Open connections of clients.", connections.count),
            ("habitat_request_body_bytes", "Bytes reserved for request bodies.", bodies.reserved),
        ])
        let headers: HTTPFields = [
            .contentType: "text/plain; version=0.0.4; charset=utf-8",
            .cacheControl: "no-store",
        ]
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
