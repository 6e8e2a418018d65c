import Foundation
import HabitModel

/// Where a store is, as people write it: the path of a file, or the URL of a PostgreSQL database.
public enum StoreLocation: Sendable, CustomStringConvertible {
    case file(String)
    case database(String)

    public init(_ text: String) {
        let isURL = ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
        self = isURL ? .database(text) : .file(text)
    }

    /// Opens the store; a writer waits for another up to `wait`.
    ///
    /// - Parameter analyst: The login of a database that runs user-supplied SQL. A file needs none.
    public func open(_ access: StoreAccess, wait: Duration, analyst: AnalystStore? = nil) throws -> any Engine {
        switch self {
        case .file(let path): try SpatiaLiteEngine(path: path, access: access, wait: wait)
        case .database(let url): try PostGISEngine(url: url, access: access, wait: wait, analyst: analyst)
        }
    }

    /// The statements that an administrator still has to run before the analyst's login may run user-supplied SQL; none for a file.
    ///
    /// - Throws: `store-unavailable` if the store cannot be reached or the address names no role.
    public func openStatements(for analyst: AnalystStore) throws -> [String] {
        guard case .database(let url) = self else { return [] }
        return try PostGISEngine.openStatements(for: analyst, at: url)
    }

    /// Opens the store for a process that runs user-supplied SQL, whose memory is limited to 256 MiB on a file.
    ///
    /// Call this before any other store is opened in the process.
    /// - Parameter analyst: The login of a database that runs user-supplied SQL.
    public func openForAnalysis(wait: Duration, analyst: AnalystStore?) throws -> any Engine {
        if case .file = self { SpatiaLiteConnection.limitMemory() }
        return try open(.read, wait: wait, analyst: analyst)
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
