import Base
import CSQLite
import CSpatiaLite
import Foundation
import GRDB

/// The configuration of a connection before its first statement.
package enum SpatiaLiteConnection {
    /// The cache sizes in the unit of `PRAGMA cache_size`: 8 MiB for readers and 64 MiB for writers.
    ///
    /// Readers also use the system's cache.
    static let readerCache = -8192
    static let writerCache = -65_536
    /// The size, in bytes, to which SQLite truncates the write-ahead log when it starts the log again.
    private static let logSizeLimit = 16 << 20
    /// The number of bytes of the file that sessions with many queries map into memory: SQLite's maximum.
    ///
    /// SQLite reads mapped pages directly from the system's cache.
    static let mapped = 2_147_418_112

    /// Whether SQLite does not count its memory, a process-wide setting that the first access applies.
    ///
    /// The first access must precede the first connection.
    static let isConfigured = habitat_sqlite3_no_memory_statistics() == SQLITE_OK

    /// The memory that SQLite may use in a process that runs user-supplied SQL, in bytes.
    static let analysisMemory: Int64 = 256 << 20

    /// Limits the memory that SQLite uses in this process to ``analysisMemory``, and makes SQLite count it.
    ///
    /// Aggregates such as `json_group_array` can exceed the limit on the length of a value, and a row can contain many
    /// long values. Call this method before the first connection. Later it has no effect (SQLite,
    /// `sqlite3_hard_heap_limit64`).
    package static func limitMemory() { sqlite3_hard_heap_limit64(analysisMemory) }

    /// Prepares a new connection.
    ///
    /// Only connections that write have SpatiaLite's functions. Queries call none of them, and loading them takes
    /// longer than most queries. No connection can load extensions of SQLite.
    static func prepare(_ db: Database, withSpatiaLite: Bool, wait: Duration) throws {
        try forbidExtensions(on: db)
        guard let connection = db.sqliteConnection else {
            throw HabitError(.internal, "the connection is closed")
        }
        if withSpatiaLite { try loadSpatiaLite(into: db) }
        // SpatiaLite sets its own timeout, which this call replaces.
        setWait(wait, of: connection)
        SQLFunctions.register(on: connection)
        let isReader = db.configuration.readonly
        if isReader { try distrustFile(on: db) }
        try db.execute(sql: "PRAGMA synchronous = FULL")
        // Values of the store are much shorter. A function in user-supplied SQL could create a value that fills the
        // memory.
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 1 << 26)
        try db.execute(sql: "PRAGMA cache_size = \(isReader ? readerCache : writerCache)")
        // A sort can be as large as the store.
        try db.execute(sql: "PRAGMA temp_store = FILE")
        if !isReader {
            try db.execute(sql: "PRAGMA journal_size_limit = \(logSizeLimit)")
        }
    }

    /// Disables the loading of SQLite extensions on a connection.
    ///
    /// - Throws: `internal` if SQLite refuses the setting.
    static func forbidExtensions(on db: Database) throws {
        guard let connection = db.sqliteConnection, habitat_sqlite3_forbid_extensions(connection) == SQLITE_OK else {
            throw HabitError(.internal, "SQLite cannot disable the loading of extensions")
        }
    }

    /// Makes a connection that only reads treat the file as foreign data.
    ///
    /// Views and indexes of the file can then call only functions without side effects, and no statement can change the
    /// tables of virtual tables. A connection that writes cannot have these restrictions, because the triggers of
    /// SpatiaLite call its functions (SQLite, "Defense Against The Dark Arts").
    private static func distrustFile(on db: Database) throws {
        guard habitat_sqlite3_distrust_schema(db.sqliteConnection) == SQLITE_OK else {
            throw HabitError(.internal, "SQLite cannot restrict the schema of the store")
        }
        try setDefense(true, of: db)
    }

    /// Runs `body` while statements can change the tables of temporary virtual tables.
    static func withoutDefense<Result>(on db: Database, _ body: () throws -> Result) throws -> Result {
        try setDefense(false, of: db)
        let result = Swift.Result { try body() }
        if db.configuration.readonly { try setDefense(true, of: db) }
        return try result.get()
    }

    private static func setDefense(_ isOn: Bool, of db: Database) throws {
        guard habitat_sqlite3_set_defensive(db.sqliteConnection, isOn ? 1 : 0) == SQLITE_OK else {
            throw HabitError(.internal, "SQLite cannot protect the tables of virtual tables")
        }
    }

    /// Sets the time that a connection waits for the lock of another connection.
    static func setWait(_ wait: Duration, of connection: OpaquePointer?) {
        let milliseconds = Int64((wait / .milliseconds(1)).rounded(.up))
        sqlite3_busy_timeout(connection, Int32(clamping: milliseconds))
    }

    /// Registers SpatiaLite's functions with a connection.
    ///
    /// - Throws: `store-unavailable` if the library cannot be loaded or does not register its functions.
    private static func loadSpatiaLite(into db: Database) throws {
        if let problem = habitat_spatialite_problem() {
            throw unavailable(String(cString: problem))
        }
        let status = habitat_spatialite_register(db.sqliteConnection)
        guard status == SQLITE_OK else {
            guard let message = sqlite3_errstr(status) else { throw unavailable("error \(status)") }
            throw unavailable(String(cString: message))
        }
        try requireSpatiaLite(on: db)
    }

    /// Checks that a connection has SpatiaLite's functions.
    ///
    /// SpatiaLite's own function that registers them returns no status.
    ///
    /// - Throws: `store-unavailable` if the functions are missing.
    static func requireSpatiaLite(on db: Database) throws {
        guard (try? String.fetchOne(db, sql: "SELECT spatialite_version()")) != nil else {
            throw unavailable("it did not register its SQL functions")
        }
    }

    private static func unavailable(_ problem: String) -> HabitError {
        HabitError(
            .storeUnavailable,
            "SpatiaLite cannot be loaded (\(problem)): install libspatialite, which is the package libspatialite7 of Debian"
        )
    }
}
