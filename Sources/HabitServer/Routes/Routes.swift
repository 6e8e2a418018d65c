import HTTPTypes
import HabitModel
import Hummingbird
import NIOCore

extension Router where Context == HabitContext {
    typealias Handler = @Sendable (Request, HabitContext) async throws -> Response

    /// Registers the handlers of a path. Any other method gets 405 with the methods that are allowed (RFC 9110, section 15.5.6).
    ///
    /// - Parameter methods: The methods that the resource of a request takes, of those with a handler; nil: all of them.
    func route(
        _ path: RouterPath, _ handlers: [HTTPRequest.Method: Handler],
        for methods: (@Sendable (HabitContext) throws -> Set<HTTPRequest.Method>)? = nil
    ) {
        for method in Self.methods {
            on(path, method: method) { request, context -> Response in
                let taken = try methods?(context) ?? Set(handlers.keys)
                let names = taken.map(\.rawValue).sorted() + (taken.contains(.get) ? ["HEAD"] : [])
                let allowed = names.joined(separator: ", ")
                if method == .options { return Response(status: .noContent, headers: [.allow: allowed]) }
                let meant = method == .head ? .get : method
                guard taken.contains(meant), let handler = handlers[meant] else { throw Problem.notAllowed(allowed) }
                let response = try await handler(request, context)
                return method == .head ? try await response.withoutBody() : response
            }
        }
    }

    private static var methods: [HTTPRequest.Method] {
        [.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect] + [.init("QUERY")].compactMap(\.self)
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
