import Foundation
import HummingbirdCore

/// The path of the public URL, such as `/habits`.
///
/// A proxy may forward the path of a request with this prefix or without it.
package struct PathPrefix: Sendable {
    /// The prefix without a slash at its end; empty if the public URL has no path.
    private let text: String

    /// Creates the prefix of the paths of `publicURL`.
    package init(of publicURL: String?) {
        let components = publicURL.flatMap { url in URLComponents(string: url) }
        var path = components?.percentEncodedPath ?? ""
        while path.last == "/" { path.removeLast() }
        text = path
    }

    /// Returns the request with its path below the prefix, or the request itself if its path has no such prefix.
    package func removed(from request: Request) -> Request {
        guard let path = path(below: request.head.path) else { return request }
        var head = request.head
        head.path = path
        return Request(head: head, body: request.body)
    }

    /// Returns the path below the prefix, or `nil` if the path has no such prefix.
    package func path(below path: String?) -> String? {
        guard !text.isEmpty, let path, path.hasPrefix(text) else { return nil }
        let rest = path.dropFirst(text.count)
        switch rest.first {
        case nil: return "/"
        case "/": return String(rest)
        case "?": return "/\(rest)"
        default: return nil
        }
    }
}
