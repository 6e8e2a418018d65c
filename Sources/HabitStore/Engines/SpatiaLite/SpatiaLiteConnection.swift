import CSQLite
import Foundation
import GRDB
import HabitModel

/// What a connection needs before its first statement.
enum SpatiaLiteConnection {
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
    static func limitMemory() { sqlite3_hard_heap_limit64(analysisMemory) }

    /// SpatiaLite's functions are for what writes records: SQL of ours that reads calls none of them, and to load them takes
    /// longer than most answers.
    static func prepare(_ db: Database, withSpatiaLite: Bool, wait: Duration) throws {
        guard let connection = db.sqliteConnection else {
            throw HabitError(.internal, "the connection is closed")
        }
        if withSpatiaLite { try loadSpatiaLite(into: connection) }
        // SpatiaLite has set its own timeout, whatever ours was.
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

    private static func loadSpatiaLite(into connection: OpaquePointer) throws {
        habitat_sqlite3_allow_extensions(connection, 1)
        defer { habitat_sqlite3_allow_extensions(connection, 0) }
        var message: UnsafeMutablePointer<CChar>?
        defer { sqlite3_free(message) }
        guard sqlite3_load_extension(connection, "mod_spatialite", nil, &message) == SQLITE_OK else {
            let reason = message.map { String(cString: $0) } ?? "no reason given"
            throw HabitError(
                .storeUnavailable,
                "SpatiaLite cannot be loaded (\(reason)): install mod_spatialite, which is the package libsqlite3-mod-spatialite of Debian"
            )
        }
    }
}
