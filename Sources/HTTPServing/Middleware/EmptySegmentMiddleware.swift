import Base
import HTTPTypes
import Hummingbird

/// Refuses a path with an empty segment, as in `//collections` or `/collections/`.
///
/// Such a path is not the path of a resource. A rule of a proxy for a path would otherwise not apply to it.
package struct EmptySegmentMiddleware: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request,
        context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard !request.head.hasEmptySegment else { throw Self.emptySegment }
        return try await next(request, context)
    }

    private static let emptySegment = Problem(
        .notFound,
        slug: ErrorCode.notFound,
        detail: "unknown URL: omit doubled slashes and the slash at the end of the path")
}

extension HTTPRequest {
    /// Whether the path has an empty segment.
    fileprivate var hasEmptySegment: Bool {
        let path = (path ?? "").utf8.prefix { byte in byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#") }
        guard path.count > 1 else { return false }
        let slash = UInt8(ascii: "/")
        let hasDoubledSlash = zip(path, path.dropFirst()).contains { first, second in
            first == slash && second == slash
        }
        return path.last == slash || hasDoubledSlash
    }
}
