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
/// If HABITAT_TEST_WORKERS contains the URLs of other servers, the server is the coordinator of a Citus cluster, and each
/// store is distributed over the other servers.
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
    public static func analyst(of location: StoreLocation) -> AnalystLogin? {
        guard case .database(let url) = location, let name = url.split(separator: "/").last else { return nil }
        return AnalystLogin(url: self.url(of: String(name), as: analystRole))
    }

    /// The URLs of the workers of the cluster, without a database.
    private static let workers =
        (ProcessInfo.processInfo.environment["HABITAT_TEST_WORKERS"] ?? "").split(separator: ",").map(String.init)

    /// Whether the stores of tests are distributed over several servers.
    public static var isCluster: Bool { isUsed && !workers.isEmpty }

    /// Returns the number of statements that Citus has run on several shards while `body` ran.
    ///
    /// The method turns the counters of Citus on until the end of the transaction.
    public static func multiShardStatements(in session: any Session, _ body: () throws -> Void) throws -> Int64 {
        func count() throws -> Int64 {
            let sql: SQL = "SELECT query_execution_multi_shard FROM citus_stat_counters WHERE name = current_database()"
            return try session.first(sql) { $0.integer(0) } ?? 0
        }
        try session.run("SET LOCAL citus.enable_stat_counters TO on")
        let before = try count()
        try body()
        return try count() - before
    }

    /// A database, which has the same name on all servers of a cluster.
    private struct Database {
        var name: String

        init(_ name: String) { self.name = name }

        /// Creates a copy of a database.
        ///
        /// For small databases, a copy of the files takes less time than a copy through the write-ahead log.
        func create(from template: Database) throws {
            try administerAll("CREATE DATABASE \(name) TEMPLATE \(template.name) STRATEGY FILE_COPY")
            // A copy of a database does not include its permissions.
            try administer("REVOKE CREATE, TEMPORARY ON DATABASE \(name) FROM PUBLIC")
        }

        func drop() throws { try administerAll("DROP DATABASE IF EXISTS \(name)\(isCluster ? " WITH (FORCE)" : "")") }
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
            // Citus keeps connections, which the statement for a cluster ends.
            unused.removeAll { (isCluster || !connected.contains($0.name)) && (try? $0.drop()) != nil }
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
    /// A new database is empty. With `hasSchema`, and on a cluster, it is a store without records. Such a database is
    /// faster to create, because the server copies the tables.
    public static func store(at path: String, hasSchema: Bool = false) throws -> String {
        guard isUsed else { return path }
        return Self.url(of: try database(at: path, hasSchema: hasSchema).name)
    }

    private static func database(at path: String, hasSchema: Bool = false) throws -> Database {
        try databases.withLock { databases in
            if let database = databases.used[path] { return database }
            if databases.count == 0 { try makeTemplates() }
            databases.removeUnused()
            databases.count += 1
            let database = Database("habitat_test_\(ProcessInfo.processInfo.processIdentifier)_\(databases.count)")
            try database.create(from: Database(hasSchema || isCluster ? storeTemplate : template))
            databases.used[path] = database
            return database
        }
    }

    /// Copies a store that no process uses.
    public static func copyStore(at path: String, to copy: String) throws {
        guard isUsed else {
            try? FileManager.default.removeItem(atPath: copy)
            return try FileManager.default.copyItem(atPath: path, toPath: copy)
        }
        let database = try database(at: copy)
        try database.drop()
        try database.create(from: try self.database(at: path))
    }

    /// Returns whether the server is executing a query for the store.
    ///
    /// Sessions of the analyst role hide their state, but not their wait events.
    public static func isExecutingQuery(storeAt path: String) throws -> Bool {
        let database = try database(at: path).name
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
        storeAt path: String, while statement: String, _ body: () async throws -> Result
    ) async throws -> Result {
        let connection = try connect(to: try store(at: path))
        defer { PQfinish(connection) }
        for sql in ["BEGIN", "SELECT pg_advisory_xact_lock(1212236372)", "SET search_path TO habitat", statement] {
            PQclear(PQexec(connection, sql))
        }
        defer { PQclear(PQexec(connection, "COMMIT")) }
        return try await body()
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
        let existing = "SELECT 1 FROM pg_database WHERE datname = '\(storeTemplate)' AND datistemplate"
        guard try administer(existing) == nil else { return }
        try administerAll("CREATE DATABASE \(template)")
        try executeOnAll("CREATE EXTENSION postgis; CREATE EXTENSION pg_trgm", in: template)
        // A small database is copied faster. A store uses only WGS 84 of 8,500 reference systems.
        try executeOnAll("DELETE FROM spatial_ref_sys WHERE srid <> 4326", in: template)
        try executeOnAll("VACUUM FULL spatial_ref_sys", in: template)
        try allowAnalysts(in: template)
        try Database(storeTemplate).create(from: Database(template))
        let location = StoreLocation(url(of: storeTemplate))
        if isCluster { try addWorkers(in: storeTemplate) }
        // The workers do not have the analyst's role.
        let analyst = isCluster ? nil : analyst(of: location)
        let engine = try location.open(.create, wait: .seconds(5), analyst: analyst)
        if isCluster {
            // More shards would only make the tests slower.
            try StoreCluster(engine).distribute(shardCount: 8)
            // The maintenance process of Citus would prevent a copy.
            try administerAll("ALTER DATABASE \(storeTemplate) ALLOW_CONNECTIONS false")
            try administerAll(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(storeTemplate)'")
        }
        try administer("ALTER DATABASE \(storeTemplate) IS_TEMPLATE true")
    }

    /// Makes the database the coordinator of a Citus cluster.
    private static func addWorkers(in database: String) throws {
        try executeOnAll("CREATE EXTENSION citus", in: database)
        let functions = ["citus_set_coordinator_host"] + workers.map { _ in "citus_add_node" }
        for (function, server) in zip(functions, [url ?? ""] + workers) {
            let address = URLComponents(string: server)
            try execute("SELECT \(function)('\(address?.host ?? "")', \(address?.port ?? 5432))", in: database)
        }
    }

    /// Runs the statements that `habitat init` prints for a server's administrator.
    private static func allowAnalysts(in database: String) throws {
        let location = StoreLocation(url(of: database))
        for _ in 1...2 {
            let statements = try location.openStatements(for: AnalystLogin(url: url(of: database, as: analystRole)))
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

    /// Runs SQL on the server and on all workers.
    private static func administerAll(_ sql: String) throws {
        try administer(sql)
        for worker in workers { try execute(sql, at: "\(worker)/postgres") }
    }

    /// Runs SQL in a database of the same name on the server and on all workers.
    private static func executeOnAll(_ sql: String, in database: String) throws {
        for server in [url ?? ""] + workers { try execute(sql, at: "\(server)/\(database)") }
    }

    /// Runs SQL in a database without the program and returns the first value.
    @discardableResult
    public static func execute(_ sql: String, in database: String) throws -> String? {
        try execute(sql, at: url(of: database))
    }

    @discardableResult
    private static func execute(_ sql: String, at url: String) throws -> String? {
        let connection = try connect(to: url)
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
    /// A trait of tests whose results do not depend on the engine, so that they run only with stores in files.
    ///
    /// Such a test needs no store, or each statement that it runs is proved on both engines by another suite. For example,
    /// the suites of the store prove the statements of sessions, so the pages of an account run only with files.
    public static var engineIndependent: Self { .disabled(if: TestServer.isUsed, "does not depend on the engine") }

    /// A trait of tests that need a store in a file.
    public static var fileStoreOnly: Self { .disabled(if: TestServer.isUsed, "requires a file store") }

    /// A trait of tests that need a store on one PostgreSQL server.
    public static var singleServerOnly: Self {
        .enabled(if: TestServer.isUsed && !TestServer.isCluster, "requires a store on one PostgreSQL server")
    }

    /// A trait of tests with user-supplied SQL of signed-in users, which a cluster refuses.
    public static var userSQL: Self {
        .disabled(if: TestServer.isCluster, "a cluster runs no SQL of signed-in users")
    }

    /// A trait of tests that need a Citus cluster.
    public static var clusterOnly: Self { .enabled(if: TestServer.isCluster, "requires a Citus cluster") }

    /// A trait of tests that need a PostgreSQL store.
    public static var serverStoreOnly: Self { .enabled(if: TestServer.isUsed, "requires a PostgreSQL store") }
}
