import CSQLite
import GRDB
import HabitModel
import StoreEngine

extension SpatiaLiteEngine: FileCopier {
    /// So many pages between two looks at `progress`: 4 MiB.
    private static let pagesPerStep: Int32 = 1024

    /// The configuration of connections to the copy, which cannot load extensions.
    private static let copyConfiguration: Configuration = {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            if let connection = db.sqliteConnection { habitat_sqlite3_forbid_extensions(connection) }
        }
        return configuration
    }()

    /// SQLite's online backup, inside one read transaction: a writer neither waits for it nor makes it begin again.
    public func copy(to path: String, progress: () throws -> Void) throws {
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
            throw Self.explain(error, path: path, access: access)
        }
    }

    /// A store in write-ahead mode needs a file beside it even for reading, which a folder may not take: the copy goes
    /// without, and the first writer that opens it turns that on again.
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
