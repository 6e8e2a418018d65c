import HTTPTypes
import HabitModel
import Hummingbird
import NIOCore

extension Router where Context == HabitContext {
    typealias Handler = @Sendable (Request, HabitContext) async throws -> Response

    /// Registers the handlers of a path.
    ///
    /// A request with another method gets 405 and the list of allowed methods (RFC 9110, section 15.5.6).
    /// - Parameters:
    ///   - path: The pattern of the path.
    ///   - handlers: The handler of each method. HEAD uses the handler of GET.
    ///   - methods: Returns the methods that the resource of a request supports, of those with a handler; `nil` stands
    ///     for all methods with a handler.
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
    /// Returns the response to HEAD: the same header fields with a content length and without the body.
    ///
    /// The length is the length of the body of GET (RFC 9110, section 8.6). A streamed body is rendered to count its
    /// bytes.
    func withoutBody() async throws -> Response {
        var headers = headers
        if headers[.contentLength] == nil {
            let length = Length()
            try await body.write(length)
            headers[.contentLength] = String(length.bytes)
        }
        return Response(status: status, headers: headers)
    }

    /// A writer that counts the bytes of a body.
    ///
    /// It is `@unchecked Sendable` because only one task uses it at a time.
    private final class Length: ResponseBodyWriter, @unchecked Sendable {
        private(set) var bytes = 0

        func write(_ buffer: ByteBuffer) { bytes += buffer.readableBytes }
        func finish(_ trailingHeaders: HTTPFields?) {}
    }
}

extension Problem {
    static func notAllowed(_ methods: String) -> Problem {
        Problem(
            .methodNotAllowed, "method-not-allowed", "this URL supports only \(methods): see /api",
            headers: [.allow: methods])
    }
}
