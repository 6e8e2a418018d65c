import Foundation
import HTTPTypes
import HabitModel
import Hummingbird
import NIOCore

/// Middleware for every request: limits, CORS, problem details, security headers, the access log and metrics.
struct RequestPolicyMiddleware: RouterMiddleware {
    private let server: HabitatServer
    private let cors: CORS
    private let hosts: HostRule

    init(_ server: HabitatServer) {
        self.server = server
        cors = CORS(origins: server.options.origins)
        hosts = HostRule(server.options)
    }

    /// Maximum length of a request's URL, in bytes.
    ///
    /// A request with a longer URL gets 414.
    private static let addressLimit = 8192

    func handle(
        _ request: Request, context: HabitContext, next: (Request, HabitContext) async throws -> Response
    ) async throws -> Response {
        let begin = ContinuousClock.now
        let running = server.metrics.begin()
        defer { withExtendedLifetime(running) {} }
        var response: Response
        do {
            try await enforceLimits(request, context)
            if let answer = cors.preflight(request) {
                response = answer
            } else {
                response = try await next(request, context)
            }
        } catch {
            let problem = Problem(error)
            response = server.response(problem, to: request, context)
            if problem.status.kind == .serverError, problem.status != .notImplemented {
                server.logError(error, at: context.endpointPath ?? "-")
            }
            server.auditRefusedToken(problem, request, context)
        }
        addHeaders(to: &response, request)
        let duration = begin.duration(to: .now)
        server.metrics.countResponse(
            route: context.endpointPath ?? "-", method: request.method.rawValue, status: response.status.code,
            duration: duration)
        server.logAccess(request, context, response, duration)
        // A body with a known length is sent immediately. Any other body is produced while it is sent.
        if response.body.contentLength == nil { response.body = response.body.keeping(running) }
        return response
    }

    private func enforceLimits(_ request: Request, _ context: HabitContext) async throws {
        guard request.uri.string.utf8.count <= Self.addressLimit else {
            throw Problem(
                .uriTooLong, "uri-too-long", "the URL is longer than \(Self.addressLimit) bytes: send a shorter one")
        }
        guard hosts.accepts(request.head.authority, local: context.local) else { throw Problem.misdirected }
        guard !request.head.hasUnknownTransferEncoding else { throw Problem.transferEncoding }
        try await server.limiter?.waitForSlot(server.client(of: request, context))
        guard !request.head.hasEmptySegment else { throw Problem.emptySegment }
    }

    private func addHeaders(to response: inout Response, _ request: Request) {
        response.headers[.xContentTypeOptions] = "nosniff"
        if response.headers[.referrerPolicy] == nil { response.headers[.referrerPolicy] = "no-referrer" }
        cors.addHeaders(to: &response, request)
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
