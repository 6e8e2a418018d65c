import Foundation

/// Where a store is, as people write it: the path of a file, or the URL of a PostgreSQL database.
public enum StoreLocation: Sendable, CustomStringConvertible {
    case file(String)
    case database(String)

    public init(_ text: String) {
        let isURL = ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
        self = isURL ? .database(text) : .file(text)
    }

    /// Whether both are the same file, or the same words for a database.
    public func isSame(as other: StoreLocation) -> Bool {
        switch (self, other) {
        case (.file(let a), .file(let b)): return Self.isSameFile(a, b)
        case (.database(let a), .database(let b)): return a == b
        default: return false
        }
    }

    /// Whether two paths lead to one file; where there is none yet, whether they are the same words.
    public static func isSameFile(_ a: String, _ b: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(a, &first) == 0, stat(b, &second) == 0 else {
            return URL(fileURLWithPath: a).standardizedFileURL == URL(fileURLWithPath: b).standardizedFileURL
        }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// The path, or the URL without its password and what follows the database.
    public var description: String {
        switch self {
        case .file(let path): return path
        case .database(let url):
            guard let scheme = url.range(of: "://") else { return "a database" }
            let rest = url[scheme.upperBound...]
            // A password may hold anything but a slash; where it holds what should have been escaped, that is not told either.
            let end = rest.prefix { $0 != "/" }.lastIndex(of: "@") ?? rest.startIndex
            let server = rest[end...].prefix { $0 != "?" }
            return "\(url[..<scheme.upperBound])\(rest[..<end].prefix { $0 != ":" })\(server)"
        }
    }
}
