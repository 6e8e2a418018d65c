import CPostgres
import Foundation
import HabitStore
import StoreEngine
import StorePostGIS
import Synchronization
import Testing

/// The PostgreSQL server in HABITAT_TEST_SERVER.
///
/// If the variable is set, a database replaces each store's file, so that the same tests run on both engines.
/// If HABITAT_TEST_SHARDS is a number, each store is distributed over that many databases.
public enum TestServer {
    /// The URL of the server, without a database.
    private static let url = ProcessInfo.processInfo.environment["HABITAT_TEST_SERVER"]

    /// Whether HABITAT_TEST_SERVER is set, so that tests use databases as stores.
    public static var isUsed: Bool { url != nil }

    /// Returns the URL of a database on the test server.
    public static func url(of database: String) -> String { "\(url ?? "")/\(database)" }

    /// The role that runs user-supplied SQL on the test server.
    public static let analystRole = "habitat_analyst"

    /// Returns the URL of a database for another role.
    public static func url(of database: String, as role: String) -> String {
        guard var address = URLComponents(string: url(of: database)) else { return "" }
        address.user = role
        return address.string ?? ""
    }

    /// Returns the login that runs user-supplied SQL on a store, or `nil` for a file.
    public static func analyst(of location: StoreLocation) -> AnalystStore? {
        guard case .database(let url) = location, let name = url.split(separator: "/").last else { return nil }
        return AnalystStore(url: self.url(of: String(name), as: analystRole))
    }

    /// Number of shards of each store.
    private static let shardCount =
        ProcessInfo.processInfo.environment["HABITAT_TEST_SHARDS"].flatMap { Int($0) } ?? 0

    /// Whether the stores of tests are spread over several databases.
    public static var hasShards: Bool { isUsed && shardCount > 0 }

    /// A database and the databases of its shards.
    private struct Database {
        var name: String
        var shards: [String]

        init(_ name: String, shards count: Int) {
            self.name = name
            shards = (0..<count).map { "\(name)_shard_\($0)" }
        }

        func create(from template: Database) throws {
            try copy(template.name, to: name)
            // A copy of a database does not include its permissions.
            try administer("REVOKE CREATE, TEMPORARY ON DATABASE \(name) FROM PUBLIC")
            for (shard, original) in zip(shards, template.shards) { try copy(original, to: shard) }
        }

        /// Creates a copy of a database.
        ///
        /// For small databases, a copy of the files takes less time than a copy through the write-ahead log.
        private func copy(_ original: String, to name: String) throws {
            try administer("CREATE DATABASE \(name) TEMPLATE \(original) STRATEGY FILE_COPY")
        }

        func drop() throws { for name in [name] + shards { try administer("DROP DATABASE IF EXISTS \(name)") } }
    }

    private struct Databases {
        /// The databases by the paths of their stores.
        var used: [String: Database] = [:]
        var count = 0
        /// Databases whose folder has been removed, and which may still have connections.
        var unused: [Database] = []

        /// Drops unused databases without connections.
        ///
        /// The server would wait 5 s for each database that has a connection.
        mutating func removeUnused() {
            guard !unused.isEmpty else { return }
            let sql = "SELECT string_agg(DISTINCT datname, ' ') FROM pg_stat_activity"
            guard let text = try? administer(sql) else { return }
            let connected = Set(text.split(separator: " ").map(String.init))
            unused.removeAll { connected.isDisjoint(with: [$0.name] + $0.shards) && (try? $0.drop()) != nil }
        }
    }

    private static let databases = Mutex(Databases())
    private static let template = "habitat_test_template"
    /// A template that also has the tables and views of a store.
    private static let storeTemplate = "habitat_test_store"

    struct Failure: Error { var message: String }

    /// Returns the path, or the URL of a database that replaces the file at `path`.
    ///
    /// The first use of a path creates the database.
    ///
    /// A new database is empty, or a store with `count` shards. With `hasSchema` it is a store without records, which
    /// is faster to create, because the server copies the tables.
    public static func store(at path: String, shards count: Int? = nil, hasSchema: Bool = false) throws -> String {
        guard isUsed else { return path }
        return Self.url(of: try database(at: path, shards: count ?? shardCount, hasSchema: hasSchema).name)
    }

    /// Returns the databases that are the shards of the store at `path`.
    public static func shards(ofStoreAt path: String) throws -> [String] {
        try database(at: path, shards: shardCount).shards
    }

    private static func database(at path: String, shards count: Int, hasSchema: Bool = false) throws -> Database {
        try databases.withLock { databases in
            if let database = databases.used[path] { return database }
            if databases.count == 0 { try makeTemplates() }
            databases.removeUnused()
            databases.count += 1
            let number = "habitat_test_\(ProcessInfo.processInfo.processIdentifier)_\(databases.count)"
            let database = Database(number, shards: count)
            var template = Database(hasSchema && count == 0 ? storeTemplate : template, shards: 0)
            template.shards = database.shards.map { _ in template.name }
            try database.create(from: template)
            databases.used[path] = database
            guard count > 0 else { return database }
            let engine = try StoreLocation(url(of: database.name)).open(.create, wait: .seconds(5))
            try StoreCluster(engine).distribute(over: database.shards.map(url(of:))) { _ in }
            return database
        }
    }

    /// Copies a store that no process uses.
    public static func copyStore(at path: String, to copy: String) throws {
        guard isUsed else {
            try? FileManager.default.removeItem(atPath: copy)
            return try FileManager.default.copyItem(atPath: path, toPath: copy)
        }
        let original = try database(at: path, shards: shardCount)
        let database = try database(at: copy, shards: original.shards.count)
        try database.drop()
        try database.create(from: original)
        for (number, shard) in database.shards.enumerated() {
            try execute("ALTER SERVER habitat_shard_\(number) OPTIONS (SET dbname '\(shard)')", in: database.name)
            let place = try execute("SELECT habitat_functions.store_place()", in: database.name) ?? ""
            try execute("UPDATE habitat.shard SET store = '\(place)'", in: shard)
        }
    }

    /// Returns whether the server is executing a query for the store.
    ///
    /// Sessions of the analyst role hide their state, but not their wait events.
    public static func isExecutingQuery(storeAt path: String) throws -> Bool {
        let database = try database(at: path, shards: shardCount).name
        let sql = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = '\(database)' AND backend_type = 'client backend'
              AND (state = 'active' OR (state = 'disabled' AND wait_event_type IS DISTINCT FROM 'Client'))
            """
        return try administer(sql) != "0"
    }

    /// Returns the bytes of a store's file, or the number of the last change of the database.
    public static func state(ofStoreAt path: String) throws -> Data? {
        guard isUsed else { return FileManager.default.contents(atPath: path) }
        let engine = try StoreLocation(try store(at: path)).open(.read, wait: .zero)
        return Data(String(try engine.dataVersion()).utf8)
    }

    /// Holds the write lock of a store while `body` runs, and executes `statement` in the same transaction.
    public static func withWriteLock<Result>(
        storeAt path: String, while statement: String, _ body: () throws -> Result
    ) throws -> Result {
        let connection = try connect(to: try store(at: path))
        defer { PQfinish(connection) }
        for sql in ["BEGIN", "SELECT pg_advisory_xact_lock(1212236372)", "SET search_path TO habitat", statement] {
            PQclear(PQexec(connection, sql))
        }
        defer { PQclear(PQexec(connection, "COMMIT")) }
        return try body()
    }

    private static func connect(to url: String) throws -> OpaquePointer? {
        if let problem = habitat_libpq_problem() { throw Failure(message: String(cString: problem)) }
        return PQconnectdb(url)
    }

    /// Removes the databases of the stores in a folder.
    static func remove(under folder: String) {
        databases.withLock { databases in
            for (path, database) in databases.used where path.hasPrefix(folder + "/") {
                databases.used[path] = nil
                databases.unused.append(database)
            }
        }
    }

    /// Creates the templates, unless another test process has created them.
    ///
    /// They include the statements that an administrator runs.
    private static func makeTemplates() throws {
        let connection = try connect(to: url(of: "postgres"))
        defer { PQfinish(connection) }
        // The lock ends with the connection.
        PQclear(PQexec(connection, "SELECT pg_advisory_lock(1)"))
        let isMade = "SELECT 1 FROM pg_database WHERE datname = '\(storeTemplate)' AND datistemplate"
        guard try administer(isMade) == nil else { return }
        try administer("CREATE DATABASE \(template)")
        try execute("CREATE EXTENSION postgis; CREATE EXTENSION pg_trgm", in: template)
        // A small database is copied faster. A store uses only WGS 84 of 8,500 reference systems.
        try execute("DELETE FROM spatial_ref_sys WHERE srid <> 4326", in: template)
        try execute("VACUUM FULL spatial_ref_sys", in: template)
        try allowAnalysts(in: template)
        try Database(storeTemplate, shards: 0).create(from: Database(template, shards: 0))
        let location = StoreLocation(url(of: storeTemplate))
        _ = try location.open(.create, wait: .seconds(5), analyst: analyst(of: location))
        try administer("ALTER DATABASE \(storeTemplate) IS_TEMPLATE true")
    }

    /// Runs the statements that `habitat init` prints for a server's administrator.
    private static func allowAnalysts(in database: String) throws {
        let location = StoreLocation(url(of: database))
        for _ in 1...2 {
            let statements = try location.openStatements(for: AnalystStore(url: url(of: database, as: analystRole)))
            for statement in statements { try execute(statement, in: database) }
        }
    }

    /// The connection of all statements that create, drop and observe databases.
    private nonisolated(unsafe) static let administrator = Result { try connect(to: url(of: "postgres")) }
    private static let isAdministering = Mutex(())

    /// Runs SQL on the server and returns the first value.
    @discardableResult
    private static func administer(_ sql: String) throws -> String? {
        try isAdministering.withLock { _ in try execute(sql, on: administrator.get()) }
    }

    /// Runs SQL in a database without the program and returns the first value.
    @discardableResult
    public static func execute(_ sql: String, in database: String) throws -> String? {
        let connection = try connect(to: url(of: database))
        defer { PQfinish(connection) }
        return try execute(sql, on: connection)
    }

    private static func execute(_ sql: String, on connection: OpaquePointer?) throws -> String? {
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
            throw Failure(message: String(cString: PQerrorMessage(connection)))
        }
        return PQntuples(result) > 0 && PQgetisnull(result, 0, 0) == 0 ? String(cString: PQgetvalue(result, 0, 0)) : nil
    }
}

extension Trait where Self == ConditionTrait {
    /// A trait of tests that need a store in a file.
    public static var fileStoreOnly: Self { .disabled(if: TestServer.isUsed, "requires a file store") }

    /// A trait of tests that need a PostgreSQL store.
    public static var serverStoreOnly: Self { .enabled(if: TestServer.isUsed, "requires a PostgreSQL store") }
}
