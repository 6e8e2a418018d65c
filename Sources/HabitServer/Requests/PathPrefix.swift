import Foundation
import HummingbirdCore

/// The path of the public URL, such as `/habits`.
///
/// A proxy may forward the path of a request with this prefix or without it.
struct PathPrefix: Sendable {
    /// The prefix without a slash at its end; empty if the public URL has no path.
    private let text: String

    /// Creates the prefix of the paths of `publicURL`.
    init(of publicURL: String?) {
        let path = publicURL.flatMap { URLComponents(string: $0)?.percentEncodedPath } ?? ""
        text = String(path.reversed().drop { $0 == "/" }.reversed())
    }

    /// Returns the request with its path below the prefix, or the request itself if its path has no such prefix.
    func removed(from request: Request) -> Request {
        guard let path = path(below: request.head.path) else { return request }
        var head = request.head
        head.path = path
        return Request(head: head, body: request.body)
    }

    /// Returns the path below the prefix, or `nil` if the path has no such prefix.
    func path(below path: String?) -> String? {
        guard !text.isEmpty, let path, path.hasPrefix(text) else { return nil }
        let rest = path.dropFirst(text.count)
        guard let first = rest.first else { return "/" }
        return first == "/" ? String(rest) : first == "?" ? "/\(rest)" : nil
    }
}
