import CSQLite
import GRDB
import HabitModel

/// The schema's numbered files, run in their order; `PRAGMA user_version` is the number of the last one that ran.
enum Migrations {
    private static let files: [[UInt8]] = [
        PackageResources._01_records_sql, PackageResources._02_skipped_days_sql,
        PackageResources._03_short_comments_sql, PackageResources._04_sign_in_sql,
        PackageResources._05_comment_edits_sql, PackageResources._06_event_cells_sql,
        PackageResources._07_wide_integers_sql, PackageResources._08_accounts_sql,
    ]

    static func isNeeded(_ db: Database) throws -> Bool { try version(db) < files.count }

    /// Throws where the store was written by a newer program than this.
    static func requireKnown(_ db: Database, path: String) throws {
        let version = try version(db)
        guard version <= files.count else { throw HabitError.newerSchema(version, of: path, known: files.count) }
    }

    /// Runs what has not run yet, inside the caller's transaction.
    static func run(_ db: Database) throws {
        let done = try version(db)
        if done == 0 {
            try execute("SELECT InitSpatialMetaData('WGS84_ONLY')", db)
            try db.execute(sql: "PRAGMA application_id = \(SpatiaLiteEngine.applicationID)")
        }
        for file in files.dropFirst(done) { try execute(String(decoding: file, as: UTF8.self), db) }
        try announceSchema(db)
        try db.execute(sql: "PRAGMA user_version = \(files.count)")
    }

    /// Makes other connections read the schema again. SQLite does not notice an edit of `sqlite_schema` itself.
    private static func announceSchema(_ db: Database) throws {
        let schema = try Int32.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
        try db.execute(sql: "PRAGMA schema_version = \(schema &+ 1)")
    }

    private static func version(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    }

    /// SpatiaLite's administrative functions answer 0 where they fail, and say why only on the standard error.
    private static func execute(_ sql: String, _ db: Database) throws {
        let statements = try db.allStatements(sql: sql)
        while let statement = try statements.next() {
            guard let answer = try GRDB.Row.fetchOne(statement)?.databaseValues.first else { continue }
            guard Int64.fromDatabaseValue(answer) != 0 else {
                throw HabitError(.internal, "the schema could not be made: SpatiaLite refused '\(statement.sql)'")
            }
        }
    }
}
