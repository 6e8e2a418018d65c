import HTTPTypes
import HabitModel
import Hummingbird
import NIOCore

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
        on(path, method: .head) { request, context -> Response in
            guard let handler = handlers[.get] else { throw Problem.notAllowed(allowed) }
            return try await handler(request, context).withoutBody()
        }
        on(path, method: .options) { _, _ in Response(status: .noContent, headers: [.allow: allowed]) }
    }
}

extension Response {
    /// What HEAD is answered: the same without the body, and how long that would be (RFC 9110, section 8.6). An answer that is
    /// sent as it comes is made to be counted.
    func withoutBody() async throws -> Response {
        var headers = headers
        if headers[.contentLength] == nil {
            let length = Length()
            try await body.write(length)
            headers[.contentLength] = String(length.bytes)
        }
        return Response(status: status, headers: headers)
    }

    /// Takes a body for its length.
    ///
    /// Used by one task at a time, which the compiler cannot see.
    private final class Length: ResponseBodyWriter, @unchecked Sendable {
        private(set) var bytes = 0

        func write(_ buffer: ByteBuffer) { bytes += buffer.readableBytes }
        func finish(_ trailingHeaders: HTTPFields?) {}
    }
}

extension Problem {
    static func notAllowed(_ methods: String) -> Problem {
        Problem(
            .methodNotAllowed, "method-not-allowed", "this address takes \(methods) alone: /api tells what can be done",
            headers: [.allow: methods])
    }
}
