import Foundation

/// The location of a store in the form that users write: the path of a file, or the URL of a PostgreSQL database.
public enum StoreLocation: Sendable, CustomStringConvertible {
    /// The path of a file.
    case file(String)
    /// The URL of a PostgreSQL database.
    case database(String)

    /// Creates a location from a path, or from a URL that begins with `postgresql://` or `postgres://`.
    public init(_ text: String) {
        if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") {
            self = .database(text)
        } else {
            self = .file(text)
        }
    }

    /// Returns whether both locations are the same file, or have the same URL.
    public func isSame(as other: StoreLocation) -> Bool {
        switch (self, other) {
        case (.file(let path), .file(let otherPath)):
            return Self.isSameFile(path, otherPath)
        case (.database(let url), .database(let otherURL)):
            return url == otherURL
        default:
            return false
        }
    }

    /// Returns whether two paths lead to the same file.
    ///
    /// If a file does not exist, the method compares the standardized paths.
    public static func isSameFile(_ a: String, _ b: String) -> Bool {
        var first = stat()
        var second = stat()
        let bothExist = stat(a, &first) == 0 && stat(b, &second) == 0
        guard bothExist else {
            let firstURL = URL(fileURLWithPath: a).standardizedFileURL
            let secondURL = URL(fileURLWithPath: b).standardizedFileURL
            return firstURL == secondURL
        }
        let isSameDevice = first.st_dev == second.st_dev
        return isSameDevice && first.st_ino == second.st_ino
    }

    /// The path, or the URL without its password and its query.
    public var description: String {
        switch self {
        case .file(let path):
            return path
        case .database(let url):
            return Self.withoutSecrets(url)
        }
    }

    private static func withoutSecrets(_ url: String) -> String {
        guard let separator = url.range(of: "://") else {
            return "a database"
        }
        let scheme = url[..<separator.upperBound]
        let rest = url[separator.upperBound...]
        // A password can contain any character except a slash. The search for the last '@' also removes a password
        // with unescaped characters.
        let authority = rest.prefix { $0 != "/" }
        let endOfRole = authority.lastIndex(of: "@") ?? rest.startIndex
        let roleAndPassword = rest[..<endOfRole]
        let role = roleAndPassword.prefix { $0 != ":" }
        let server = rest[endOfRole...].prefix { $0 != "?" }
        return "\(scheme)\(role)\(server)"
    }
}
