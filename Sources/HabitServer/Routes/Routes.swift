import HTTPTypes
import HabitModel
import Hummingbird

extension Router where Context == HabitContext {
    typealias Handler = @Sendable (Request, HabitContext) async throws -> Response

    /// Answers the methods that have a handler, and says of the others which those are (RFC 9110, section 15.5.6).
    func route(_ path: RouterPath, _ handlers: [HTTPRequest.Method: Handler]) {
        var names = handlers.keys.map(\.rawValue).sorted()
        if handlers[.get] != nil { names.append("HEAD") }
        let allowed = names.joined(separator: ", ")
        for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
            on(path, method: method) { request, context -> Response in
                guard let handler = handlers[method] else { throw Problem.notAllowed(allowed) }
                return try await handler(request, context)
            }
        }
        on(path, method: .options) { _, _ in Response(status: .noContent, headers: [.allow: allowed]) }
    }
}

extension Problem {
    static func notAllowed(_ methods: String) -> Problem {
        Problem(
            .methodNotAllowed, "method-not-allowed", "this address takes \(methods) alone: /api tells what can be done",
            headers: [.allow: methods])
    }
}
