import HTTPServing
import HTTPTypes
import Hummingbird

/// Reads the session of a person whose request leads to no resource, so that the page of the error can name the person.
///
/// The server reads no session before it has found the resource.
package struct ErrorVisitorMiddleware: RouterMiddleware {
    private let calls: CallReader

    /// Creates the middleware.
    ///
    /// - Parameter calls: Reads the sessions.
    package init(_ calls: CallReader) { self.calls = calls }

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            if Self.isMissing(Problem(error).status), request.wantsPage(nil) {
                await calls.readSession(of: request, context)
            }
            throw error
        }
    }

    private static func isMissing(_ status: HTTPResponse.Status) -> Bool {
        status == .notFound || status == .methodNotAllowed
    }
}
