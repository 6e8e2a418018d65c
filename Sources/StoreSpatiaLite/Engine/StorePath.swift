import Base
import Foundation

/// The rules of SQLite for the path of a store.
enum StorePath {
    /// Maximum number of bytes of an absolute path: SQLite's limit of 512 without the ending of the journal.
    private static let limit = 504
    /// SQLite's name of a database in memory, which no other process can open.
    private static let memory = ":memory:"

    /// Checks a path before a file is created or opened.
    ///
    /// - Parameters:
    ///   - path: The path of a database file.
    ///   - name: The path that the error names, or `nil` for `path`.
    /// - Throws: `store-unavailable` if SQLite does not open a file at the path.
    static func check(_ path: String, named name: String? = nil) throws(HabitError) {
        guard path != memory else {
            throw HabitError(
                .storeUnavailable, "'\(memory)' is not a file, but SQLite's name of a database in memory",
                .advice("write ./\(memory) for a file with this name"), .give(.store))
        }
        let length = absolute(path).utf8.count
        guard length <= limit else {
            throw HabitError(
                .storeUnavailable,
                "the path '\((name ?? path).excerptOfPath)' is too long for a store: it has \(length) bytes, and SQLite opens at most \(limit)",
                .advice("choose a shorter path"))
        }
    }

    /// Returns the absolute path, with the symbolic links in its folder resolved as SQLite resolves them.
    private static func absolute(_ path: String) -> String {
        let parts = path.pathParts
        guard let resolved = realpath(parts.folder, nil) else {
            let isAbsolute = path.hasPrefix("/")
            return isAbsolute ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        }
        defer { free(resolved) }
        return "\(String(cString: resolved))/\(parts.name)"
    }
}

extension String {
    /// The beginning and the end of a long path, for messages.
    fileprivate var excerptOfPath: String { count <= 80 ? self : "\(prefix(40))…\(suffix(30))" }
}
