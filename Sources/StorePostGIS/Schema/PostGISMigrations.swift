import Base
import StoreEngine

/// The migrations of the schema, followed by the functions.
///
/// `habitat.store` contains the number of the last migration.
struct PostGISMigrations {
    /// The SQLSTATE of a store that an earlier version of the program has distributed over other databases.
    static let shardedState = "HB002"

    private let schema: StoreSchema

    init(_ schema: StoreSchema) { self.schema = schema }

    /// Returns the number of the last migration that ran, or `nil` if the database is not a store.
    func version(_ connection: PostGISConnection) throws -> Int? {
        guard try connection.execute("SELECT to_regclass('habitat.store')").text != nil else { return nil }
        return try connection.execute("SELECT schema_version FROM habitat.store").text.flatMap { Int($0) } ?? 0
    }

    func isNeeded(_ version: Int?) -> Bool { version ?? 0 < schema.version }

    /// Checks that the rows of the store are in this database, the only one whose tables a step changes.
    ///
    /// - Throws: `PostGISError` with the state ``shardedState`` if they are in other databases.
    static func requireOneDatabase(_ connection: PostGISConnection) throws {
        let shards = "SELECT 1 FROM pg_inherits WHERE inhparent = to_regclass('habitat.shard') LIMIT 1"
        guard try connection.execute(shards).text == nil else {
            throw PostGISError(state: shardedState, message: "sharded store")
        }
    }

    /// Runs the pending migrations inside the caller's transaction.
    func run(_ connection: PostGISConnection) throws {
        let done = try version(connection)
        if done == nil {
            try Self.addExtensions(connection)
            try connection.execute("CREATE SCHEMA habitat; CREATE SCHEMA habitat_functions")
        }
        // No view may depend on a table that a migration changes. The engine later installs the new views.
        try connection.execute(AnalystViews.removal)
        // Without Citus, these settings have no effect.
        try connection.execute(PostGISCluster.writeSettings)
        try connection.findPostGIS()
        try connection.use(.store)
        for sql in schema.steps(after: done ?? 0) { try connection.execute(sql) }
        let functions = String(decoding: PackageResources.postgis_functions_sql, as: UTF8.self)
        try connection.execute(functions.replacing("postgis.", with: "\(connection.postgisSchema)."))
        try connection.execute(FoldFunction.sql)
        try connection.execute("UPDATE habitat.store SET schema_version = \(schema.version)")
    }

    /// Creates the extensions that a store requires.
    static func addExtensions(_ connection: PostGISConnection) throws {
        try addExtension("postgis", connection)
        try addExtension("pg_trgm", connection)
    }

    static func addExtension(_ name: String, _ connection: PostGISConnection) throws {
        do {
            try connection.execute("CREATE EXTENSION IF NOT EXISTS \(name)")
        } catch let error as PostGISError where error.state == "42501" {
            throw HabitError(
                .storeUnavailable,
                "the database does not have the extension \(name): ask its administrator to run 'CREATE EXTENSION \(name)'"
            )
        } catch let error as PostGISError where ["0A000", "58P01"].contains(error.state) {
            throw HabitError(
                .storeUnavailable,
                "the server does not have the extension \(name): install it on the server (Debian packages postgresql-15 and postgresql-15-postgis-3)"
            )
        }
    }
}
