import CSpatiaLite
import Foundation
import GRDB
import HabitModel

/// What a connection needs before its first statement.
enum SpatiaLiteConnection {
    /// In the unit of the pragma: 8 MiB for readers, who have the system's cache behind it, 64 MiB for writers, and 256 MiB, as
    /// far as they come to need it, for those who ask much.
    static let (readerCache, writerCache, largeCache) = (-8192, -65_536, -262_144)

    /// What holds for all connections, once and before the first of them.
    static let isConfigured = habitat_sqlite3_no_memory_statistics() == SQLITE_OK

    static func prepare(_ db: Database, wait: Duration) throws {
        guard let connection = db.sqliteConnection else {
            throw HabitError(.internal, "the connection is closed")
        }
        let cache = spatialite_alloc_connection()
        spatialite_init_ex(connection, cache, 0)
        // SQLite hands the cache back to SpatiaLite when it closes the connection and drops its functions.
        sqlite3_create_function_v2(
            connection, "habitat_spatialite_cache", 0, SQLITE_UTF8, cache,
            { context, _, _ in sqlite3_result_null(context) }, nil, nil,
            { spatialite_cleanup_ex($0) })
        // SpatiaLite has set its own timeout, whatever ours was.
        sqlite3_busy_timeout(connection, Int32(clamping: Int64((wait / .milliseconds(1)).rounded(.up))))
        SQLFunctions.register(on: connection)
        try db.execute(sql: "PRAGMA synchronous = FULL")
        // No value of ours is nearly as long; a function of an analyst's could make one that fills the memory.
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 1 << 26)
        try db.execute(sql: "PRAGMA cache_size = \(db.configuration.readonly ? readerCache : writerCache)")
        // A sort may be as large as the store.
        try db.execute(sql: "PRAGMA temp_store = FILE")
    }
}
