import Synchronization

/// Counters of requests and responses in Prometheus' text format.
package final class Metrics: Sendable {
    private struct Key: Hashable, Comparable {
        var route: String
        var method: String
        var status: Int

        /// The label set of the counter in Prometheus' text format.
        var labels: String {
            "{route=\"\(route)\",method=\"\(method)\",status=\"\(status)\"}"
        }

        static func < (one: Key, other: Key) -> Bool {
            (one.route, one.method, one.status) < (other.route, other.method, other.status)
        }
    }

    private struct State {
        var requests: [Key: Int] = [:]
        var buckets = [Int](repeating: 0, count: Metrics.bounds.count + 1)
        var seconds = 0.0
        var running = 0
    }

    private static let bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    private let state = Mutex(State())

    /// Creates counters of zero.
    package init() {}

    /// A request that is counted as running until the object is deallocated.
    package final class RunningRequest: Sendable {
        private let metrics: Metrics

        fileprivate init(_ metrics: Metrics) {
            self.metrics = metrics
            metrics.state.withLock { state in state.running += 1 }
        }

        deinit {
            metrics.state.withLock { state in state.running -= 1 }
        }
    }

    /// Counts a running request, until the result is deallocated.
    package func begin() -> RunningRequest {
        RunningRequest(self)
    }

    /// Counts a response that begins.
    ///
    /// - Parameters:
    ///   - route: The pattern of the route, never the path of the request.
    ///   - method: The method of the request.
    ///   - status: The status of the response.
    ///   - duration: The time until the response begins.
    package func countResponse(
        route: String,
        method: String,
        status: Int,
        duration: Duration
    ) {
        let seconds = duration / .seconds(1)
        // Clients may send any method name. Unknown names share one label, so that the number of time series is
        // bounded.
        let method = Self.methods.contains(method) ? method : "other"
        let key = Key(route: route, method: method, status: status)
        let bucket = Self.bounds.firstIndex { bound in
            seconds <= bound
        }
        state.withLock { state in
            state.requests[key, default: 0] += 1
            state.buckets[bucket ?? Self.bounds.count] += 1
            state.seconds += seconds
        }
    }

    /// Returns all metrics in Prometheus' text format.
    ///
    /// - Parameter gauges: The names, descriptions and values of gauges that other components count.
    /// - Returns: The text, with the counters of this object and `gauges`.
    package func text(_ gauges: [(name: String, help: String, value: Int)]) -> String {
        let state = state.withLock { $0 }
        var text = """
            # HELP habitat_requests_total Requests whose response has begun.
            # TYPE habitat_requests_total counter

            """
        for key in state.requests.keys.sorted() {
            let count = state.requests[key, default: 0]
            text += "habitat_requests_total\(key.labels) \(count)\n"
        }
        text += """
            # HELP habitat_request_duration_seconds Time from the request until the response begins.
            # TYPE habitat_request_duration_seconds histogram

            """
        var total = 0
        for (index, count) in state.buckets.enumerated() {
            total += count
            let bound = index < Self.bounds.count ? "\(Self.bounds[index])" : "+Inf"
            text += "habitat_request_duration_seconds_bucket{le=\"\(bound)\"} \(total)\n"
        }
        text +=
            "habitat_request_duration_seconds_sum \(state.seconds)\nhabitat_request_duration_seconds_count \(total)\n"
        let running = ("habitat_requests_running", "Requests in progress.", state.running)
        for (name, help, value) in gauges + [running] {
            text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n\(name) \(value)\n"
        }
        return text
    }
}
