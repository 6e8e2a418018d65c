import Hummingbird

/// Counts requests, their statuses and their durations.
///
/// Hummingbird's `MetricsMiddleware` needs a bootstrapped metrics system and has other names.
package struct MetricsMiddleware: RouterMiddleware {
    private let metrics: Metrics

    /// Creates the middleware.
    ///
    /// - Parameter metrics: The counters.
    package init(_ metrics: Metrics) { self.metrics = metrics }

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let begin = ContinuousClock.now
        let running = metrics.begin()
        defer { withExtendedLifetime(running) {} }
        var response = try await next(request, context)
        metrics.countResponse(
            route: context.route,
            method: request.method.rawValue,
            status: response.status.code,
            duration: begin.duration(to: .now))
        // A body with a known length is sent immediately. Any other body is produced while it is sent.
        if response.body.contentLength == nil { response.body = response.body.keeping(running) }
        return response
    }
}

extension ResponseBody {
    /// Returns a body that keeps `object` until it is sent or discarded.
    fileprivate func keeping(_ object: some AnyObject & Sendable) -> ResponseBody {
        let body = self
        return ResponseBody { writer in
            try await body.write(writer)
            withExtendedLifetime(object) {}
        }
    }
}
