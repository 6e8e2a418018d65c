import Foundation

/// The location of a store in the form that users write: the path of a file, or the URL of a PostgreSQL database.
public enum StoreLocation: Sendable, CustomStringConvertible {
    /// The path of a file.
    case file(String)
    /// The URL of a PostgreSQL database.
    case database(String)

    /// Creates a location from a path, or from a URL that begins with `postgresql://` or `postgres://`.
    public init(_ text: String) {
        let isURL = ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
        self = isURL ? .database(text) : .file(text)
    }

    /// Returns whether both locations are the same file, or have the same URL.
    public func isSame(as other: StoreLocation) -> Bool {
        switch (self, other) {
        case (.file(let a), .file(let b)): return Self.isSameFile(a, b)
        case (.database(let a), .database(let b)): return a == b
        default: return false
        }
    }

    /// Returns whether two paths lead to the same file.
    ///
    /// If a file does not exist, the method compares the standardized paths.
    public static func isSameFile(_ a: String, _ b: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(a, &first) == 0, stat(b, &second) == 0 else {
            return URL(fileURLWithPath: a).standardizedFileURL == URL(fileURLWithPath: b).standardizedFileURL
        }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// The path, or the URL without its password and its query.
    public var description: String {
        switch self {
        case .file(let path): return path
        case .database(let url):
            guard let scheme = url.range(of: "://") else { return "a database" }
            let rest = url[scheme.upperBound...]
            // A password can contain any character except a slash. The search for the last '@' also removes a password
            // with unescaped characters.
            let end = rest.prefix { $0 != "/" }.lastIndex(of: "@") ?? rest.startIndex
            let server = rest[end...].prefix { $0 != "?" }
            return "\(url[..<scheme.upperBound])\(rest[..<end].prefix { $0 != ":" })\(server)"
        }
    }
}
