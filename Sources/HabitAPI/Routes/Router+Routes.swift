import HTTPServing
import HTTPTypes
import HabitModel
import Hummingbird

extension Router where Context == ServerContext {
    /// Registers all routes.
    ///
    /// A request with a method that its resource does not have gets 405 and the list of methods (RFC 9110, section
    /// 15.5.6).
    ///
    /// - Parameters:
    ///   - routes: The routes.
    ///   - calls: Reads the callers and the parameters of requests.
    package func register(_ routes: [Route], _ calls: CallReader) {
        let paths = Dictionary(grouping: routes, by: \.path)
        for (path, routes) in paths {
            for method in Self.methods {
                on(RouterPath(path), method: method) { request, context in
                    try await Self.respond(
                        to: request,
                        in: context,
                        with: routes,
                        calls: calls)
                }
            }
        }
    }

    private static var methods: [HTTPRequest.Method] {
        let methods: [HTTPRequest.Method?] = [
            .get,
            .head,
            .post,
            .put,
            .patch,
            .delete,
            .options,
            .trace,
            .connect,
            HTTPRequest.Method("QUERY"),
        ]
        return methods.compactMap(\.self)
    }

    /// Responds with one of the routes of the path of a request.
    private static func respond(
        to request: Request,
        in context: ServerContext,
        with routes: [Route],
        calls: CallReader
    ) async throws -> Response {
        let isHead = request.method == .head
        let method = isHead ? .get : request.method
        let route = routes.first { route in route.method == method }
        let page = request.wantsPage ? route?.page : nil
        guard let route, let match = try page ?? route.match(context) else {
            let allowed = try allowedMethods(of: routes, in: context)
            guard method == .options else { throw Problem.notAllowed(allowed) }
            return Response(status: .noContent, headers: [.allow: allowed])
        }
        let call = try await calls.call(request, context, for: match.operation)
        let response = try await match.handler(call)
        return isHead ? try await response.withoutBody() : response
    }

    /// Returns the methods of the resource of a request, separated by commas.
    private static func allowedMethods(
        of routes: [Route],
        in context: ServerContext
    ) throws -> String {
        var names: [String] = []
        for route in routes where try route.match(context) != nil {
            names.append(route.method.rawValue)
        }
        names.sort()
        if names.contains(HTTPRequest.Method.get.rawValue) {
            names.append(HTTPRequest.Method.head.rawValue)
        }
        return names.joined(separator: ", ")
    }
}
