import CSQLite
import CSpatiaLite
import Foundation
import GRDB
import HabitModel

/// What a connection needs before its first statement.
package enum SpatiaLiteConnection {
    /// In the unit of the pragma: 8 MiB for readers, who have the system's cache behind it, and 64 MiB for writers.
    static let (readerCache, writerCache) = (-8192, -65_536)
    /// The size, in bytes, to which SQLite cuts the write-ahead log when it begins again.
    private static let logSizeLimit = 16 << 20
    /// So many bytes of the file, the most that SQLite takes, are read where the system's cache has them, by those who ask much.
    static let mapped = 2_147_418_112

    /// What holds for all connections, once and before the first of them.
    static let isConfigured = habitat_sqlite3_no_memory_statistics() == SQLITE_OK

    /// The memory that SQLite may use in a process that runs user-supplied SQL, in bytes.
    static let analysisMemory: Int64 = 256 << 20

    /// Limits the memory that SQLite uses in this process, of which it then keeps count.
    ///
    /// Aggregates such as `json_group_array` grow without regard to the limit on the length of a value, and a row may hold many
    /// long values. Call this before the first connection: later it has no effect (SQLite, `sqlite3_hard_heap_limit64`).
    package static func limitMemory() { sqlite3_hard_heap_limit64(analysisMemory) }

    /// Prepares a new connection.
    ///
    /// Only connections that write have SpatiaLite's functions: queries call none of them, and loading them takes longer than most
    /// queries. No connection may load extensions of SQLite.
    static func prepare(_ db: Database, withSpatiaLite: Bool, wait: Duration) throws {
        guard let connection = db.sqliteConnection else {
            throw HabitError(.internal, "the connection is closed")
        }
        habitat_sqlite3_forbid_extensions(connection)
        if withSpatiaLite { try loadSpatiaLite(into: connection) }
        // SpatiaLite sets a timeout of its own.
        setWait(wait, of: connection)
        SQLFunctions.register(on: connection)
        try db.execute(sql: "PRAGMA synchronous = FULL")
        // No value of ours is nearly as long; a function of an analyst's could make one that fills the memory.
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 1 << 26)
        try db.execute(sql: "PRAGMA cache_size = \(db.configuration.readonly ? readerCache : writerCache)")
        // A sort may be as large as the store.
        try db.execute(sql: "PRAGMA temp_store = FILE")
        if !db.configuration.readonly { try db.execute(sql: "PRAGMA journal_size_limit = \(logSizeLimit)") }
    }

    /// Sets the time that a connection waits for another one's lock.
    static func setWait(_ wait: Duration, of connection: OpaquePointer?) {
        sqlite3_busy_timeout(connection, Int32(clamping: Int64((wait / .milliseconds(1)).rounded(.up))))
    }

    /// Registers SpatiaLite's functions.
    ///
    /// - Throws: `store-unavailable` if the library cannot be loaded.
    private static func loadSpatiaLite(into connection: OpaquePointer) throws {
        var problem = habitat_spatialite_problem().map { String(cString: $0) }
        if problem == nil {
            let status = habitat_spatialite_register(connection)
            if status != SQLITE_OK { problem = sqlite3_errstr(status).map { String(cString: $0) } ?? "error \(status)" }
        }
        guard let problem else { return }
        throw HabitError(
            .storeUnavailable,
            "SpatiaLite cannot be loaded (\(problem)): install libspatialite, which is the package libspatialite7 of Debian"
        )
    }
}
