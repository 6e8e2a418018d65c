import Base
import GRDB
import StoreEngine

extension SpatiaLiteEngine: FileCopier {
    /// The number of pages between two calls of `progress`: 8 MiB with pages of 8192 bytes.
    private static let pagesPerStep: Int32 = 1024

    /// The configuration of connections to the copy, which cannot load extensions.
    private static let copyConfiguration: Configuration = {
        var configuration = Configuration()
        configuration.prepareDatabase { try SpatiaLiteConnection.forbidExtensions(on: $0) }
        return configuration
    }()

    /// Copies the store by SQLite's online backup, inside one read transaction.
    ///
    /// The copy does not block writers. A write does not restart the copy.
    ///
    /// - Parameters:
    ///   - path: The path of the copy, an empty file.
    ///   - name: The path that errors name.
    ///   - progress: A closure that is called after every few MiB. An error that it throws stops the copy.
    /// - Throws: The error thrown by `progress`, or an error of the engine such as `store-damaged`.
    public func copy(to path: String, named name: String, progress: () throws -> Void) throws {
        try StorePath.check(path, named: name)
        do {
            try withoutActuallyEscaping(progress) { progress in
                try queue.inDatabase { source in
                    try source.inTransaction(.deferred) {
                        // The transaction begins with its first read.
                        _ = try Int.fetchOne(source, sql: "SELECT count(*) FROM sqlite_schema")
                        let copy = try DatabaseQueue(path: path, configuration: Self.copyConfiguration)
                        try copy.inDatabase { copy in
                            try source.backup(to: copy, pagesPerStep: Self.pagesPerStep) { _ in try progress() }
                        }
                        return .commit
                    }
                }
            }
            try Self.finishCopy(path)
        } catch {
            throw Self.explain(error, path: name, file: path, access: access)
        }
    }

    /// Turns off the write-ahead log of the copy and checks the copy.
    ///
    /// A store with a write-ahead log needs a file next to it even for reading, and its folder may be read-only. The
    /// first writer that opens the copy turns the log on again.
    private static func finishCopy(_ path: String) throws {
        let copy = try DatabaseQueue(path: path, configuration: copyConfiguration)
        try copy.inDatabase { db in
            let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
            let id = try Int32.fetchOne(db, sql: "PRAGMA application_id")
            let answer = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
            guard mode == "delete", id == applicationID, answer == "ok" else {
                throw HabitError(
                    .storeDamaged, "the copy of the store is incomplete, so it was removed", .take(.checkStore))
            }
        }
        try copy.close()
    }
}
