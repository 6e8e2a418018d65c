import Base
import CSQLite
import GRDB
import StoreEngine

/// The migration of a store to the current schema.
///
/// `PRAGMA user_version` is the number of the last step that ran.
struct Migrations {
    private let schema: StoreSchema

    init(_ schema: StoreSchema) { self.schema = schema }

    func isNeeded(_ db: Database) throws -> Bool { try version(db) < schema.version }

    /// Checks that this program can use the store.
    ///
    /// - Parameters:
    ///   - db: The connection to the store.
    ///   - path: The path of the store, for messages.
    ///   - access: The access that the caller requests.
    /// - Throws: `store-not-habitat` if a newer program wrote the store. `store-unavailable` if `access` is `read` and
    ///   the store must be migrated before it can be read.
    func requireKnown(_ db: Database, path: String, access: StoreAccess) throws {
        try schema.requireKnown(version(db), store: path, access: access)
    }

    /// Runs the pending steps inside the caller's transaction.
    func run(_ db: Database) throws {
        let done = try version(db)
        if done == 0 {
            try execute("SELECT InitSpatialMetaData('WGS84_ONLY')", db)
            try db.execute(sql: "PRAGMA application_id = \(SpatiaLiteEngine.applicationID)")
        }
        for sql in schema.steps(after: done) { try execute(sql, db) }
        try announceSchema(db)
        try db.execute(sql: "PRAGMA user_version = \(schema.version)")
    }

    /// Causes other connections to read the schema again.
    ///
    /// SQLite does not detect a direct edit of `sqlite_schema`.
    private func announceSchema(_ db: Database) throws {
        let schema = try Int32.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
        try db.execute(sql: "PRAGMA schema_version = \(schema &+ 1)")
    }

    private func version(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    }

    /// Runs SQL statements and detects failures of SpatiaLite's administrative functions.
    ///
    /// These functions return 0 if they fail, and report the reason only on the standard error.
    private func execute(_ sql: String, _ db: Database) throws {
        let statements = try db.allStatements(sql: sql)
        while let statement = try statements.next() {
            guard let answer = try GRDB.Row.fetchOne(statement)?.databaseValues.first else { continue }
            guard Int64.fromDatabaseValue(answer) != 0 else {
                throw HabitError(.internal, "the schema cannot be created: SpatiaLite rejected '\(statement.sql)'")
            }
        }
    }
}
