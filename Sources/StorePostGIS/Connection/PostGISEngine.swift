import Base
import Foundation
import StoreEngine

/// A store in a PostgreSQL database with PostGIS.
///
/// Each reader has a snapshot. On a cluster it waits for a writer only while that writer commits. Writers run one at a
/// time, so that data checked by a rule does not change before the write. A writer waits up to `wait` for another.
///
/// The class is `@unchecked Sendable`: the connection is used only under `lock`, and the cancellers are read and
/// replaced only under `cancelling`.
public final class PostGISEngine: Engine, @unchecked Sendable {
    private let connection: PostGISConnection
    private let lock = NSLock()
    /// The connection for user-supplied SQL, created on first use.
    private var analyst: PostGISAnalyst?
    private let analystStore: AnalystLogin?
    let schema: StoreSchema
    private var cancellers: [PostGISCanceller]
    private let cancelling = NSLock()
    private let wait: Duration
    private let endpoint: String
    private let access: StoreAccess

    /// The key of the advisory lock that a writer holds: "HABT" in ASCII.
    private static let writerLock = 0x4841_4254
    /// The key of the advisory lock of a cluster, which writers hold while they commit and readers while they begin.
    ///
    /// Citus commits on one server after the other. Without the lock, a reader could see a commit on some servers only.
    private static let commitLock = 0x4841_4255

    /// Opens the store at a connection URL, and creates or migrates it if `access` permits that.
    ///
    /// - Parameters:
    ///   - url: A URL for libpq, `postgresql://user@host:port/database?sslmode=…`. The password may be in `PGPASSWORD`
    ///     or in a password file.
    ///   - access: The access of the caller.
    ///   - wait: Maximum time to wait for another writer.
    ///   - schema: The schema of the store.
    ///   - analyst: The login that runs user-supplied SQL. `nil` rejects such SQL of users.
    /// - Throws: `store-unavailable` if the server cannot be reached, or `store-not-habitat` if the database is not a
    ///   store.
    public init(
        url: String,
        access: StoreAccess,
        wait: Duration,
        schema: StoreSchema,
        analyst: AnalystLogin? = nil
    ) throws {
        self.wait = wait
        self.access = access
        self.schema = schema
        analystStore = analyst
        do {
            connection = try PostGISConnection(url)
            endpoint = connection.endpoint
            cancellers = [connection.canceller]
            try Self.prepare(connection, for: access, schema: schema, endpoint: endpoint)
            if let analyst, access != .read {
                try Self.installViews(for: analyst, on: connection, schema: schema)
            }
        } catch {
            throw Self.explain(error, endpoint: "the database", access: access)
        }
    }

    /// Checks that the database is a store of a known version, or creates or migrates it if `access` permits that.
    private static func prepare(
        _ connection: PostGISConnection,
        for access: StoreAccess,
        schema: StoreSchema,
        endpoint: String
    ) throws {
        let migrations = PostGISMigrations(schema)
        let version = try migrations.version(connection)
        if let version {
            if migrations.isNeeded(version) {
                try PostGISMigrations.requireOneDatabase(connection)
            }
            try schema.requireKnown(version, store: endpoint, access: access)
        } else {
            try requireNewStore(connection, for: access, endpoint: endpoint)
        }
        if access != .read, migrations.isNeeded(version) {
            try migrate(connection, by: migrations)
        }
    }

    /// Requires that a store may be created in a database without one.
    private static func requireNewStore(
        _ connection: PostGISConnection,
        for access: StoreAccess,
        endpoint: String
    ) throws {
        guard access == .create else {
            throw HabitError(
                .storeNotHabitat, "the database \(endpoint) is not a Habitat store", .take(.initializeStore))
        }
        let foreignSchema = try connection.execute("SELECT to_regnamespace('habitat')").text
        guard foreignSchema == nil else {
            throw HabitError(
                .storeNotHabitat,
                "the database \(endpoint) has a schema 'habitat' that is not a store: choose another database"
            )
        }
    }

    /// Runs the migrations in a transaction, unless another process has run them before.
    private static func migrate(_ connection: PostGISConnection, by migrations: PostGISMigrations) throws {
        try connection.execute("BEGIN")
        do {
            try connection.execute("SELECT pg_advisory_xact_lock(\(writerLock))")
            let version = try migrations.version(connection)
            if migrations.isNeeded(version) {
                try migrations.run(connection)
            }
            try connection.execute("COMMIT")
        } catch {
            _ = try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// Creates the views for the analyst's role if the role exists.
    ///
    /// Only an administrator can create the role.
    private static func installViews(
        for analyst: AnalystLogin,
        on connection: PostGISConnection,
        schema: StoreSchema
    ) throws {
        let role = try PostGISConnection.role(in: analyst.url)
        let name = connection.literal(role)
        let found = try connection.execute("SELECT 1 FROM pg_roles WHERE rolname = \(name)").text
        guard found != nil else { return }
        guard try !isDistributed(connection) else { return }
        let dialect = PostGISDialect(
            schema.declaration,
            postgis: connection.postgisSchema,
            isDistributed: false)
        try AnalystViews(schema, dialect).install(connection, for: role)
    }

    /// Returns the statements that an administrator has to run before the analyst's login may run user-supplied SQL.
    package static func openStatements(
        for analyst: AnalystLogin, at url: String, schema: StoreSchema
    ) throws -> [String] {
        do {
            let connection = try PostGISConnection(url)
            let role = try PostGISConnection.role(in: analyst.url)
            let dialect = PostGISDialect(
                schema.declaration,
                postgis: connection.postgisSchema,
                isDistributed: false)
            let functions = AnalystViews(schema, dialect).functions
            return try AnalystRole.openStatements(
                connection, role: role, owner: connection.role, functions: functions)
        } catch {
            throw explain(error, endpoint: "the database", access: .read)
        }
    }

    /// Runs `body` in a transaction on one snapshot of the store.
    public func read<Result>(
        at snapshot: () throws -> String?,
        _ body: (any Session) throws -> Result
    ) throws -> Result {
        try guarding { connection in
            try readTransaction(on: connection, at: snapshot, body)
        }
    }

    /// Runs `body` in a read transaction that cannot run SQL as the analyst.
    private func readTransaction<Result>(
        on connection: PostGISConnection,
        at snapshot: () throws -> String?,
        _ body: (any Session) throws -> Result
    ) throws -> Result {
        try transaction(on: connection) {
            try beginReading(connection, at: snapshot())
            return PostGISSession(connection, schema: schema)
        } _: { session in
            try body(session)
        }
    }

    /// Begins a transaction on one state of all servers, or on a snapshot of another connection.
    private func beginReading(_ connection: PostGISConnection, at snapshot: String?) throws {
        var statements = ["BEGIN ISOLATION LEVEL REPEATABLE READ"]
        if let snapshot {
            statements.append("SET TRANSACTION SNAPSHOT \(connection.literal(snapshot))")
        }
        statements.append(Self.distributionQuery)
        let begin = statements.joined(separator: "; ")
        connection.isDistributed = try connection.execute(begin).text == "t"
        guard connection.isDistributed else { return }
        // The snapshot must be newer than the lock.
        try connection.execute("ROLLBACK")
        try connection.execute("SELECT pg_advisory_lock_shared(\(Self.commitLock))")
        do {
            try connection.execute(begin)
            try PostGISCluster.beginOnAllNodes(connection, schema.declaration.partitions)
            try connection.execute("SELECT pg_advisory_unlock_shared(\(Self.commitLock))")
        } catch {
            _ = try? connection.execute("ROLLBACK")
            _ = try? connection.execute("SELECT pg_advisory_unlock_shared(\(Self.commitLock))")
            throw error
        }
    }

    private static let distributionQuery = "SELECT is_distributed FROM habitat.store"

    private static func isDistributed(_ connection: PostGISConnection) throws -> Bool {
        try connection.execute(distributionQuery).text == "t"
    }

    /// Runs `body` in a read transaction that may run user-supplied SQL for the reader of `scope`.
    ///
    /// Without an analyst's login, and on a cluster, this is the same as ``read(at:_:)``.
    public func analyze<Result>(
        _ scope: AnalysisScope,
        at snapshot: () throws -> String?,
        _ body: (any Session) throws -> Result
    ) throws -> Result {
        guard let analystStore else { return try read(at: snapshot, body) }
        return try guarding { connection in
            guard try !Self.isDistributed(connection) else {
                return try readTransaction(on: connection, at: snapshot, body)
            }
            let analyst = try connectAnalyst(analystStore, connection)
            defer { analyst.end(connection) }
            try analyst.register(scope, connection)
            return try transaction(on: connection) {
                try beginReading(connection, at: snapshot())
                try analyst.begin(scope, connection)
                let path: PostGISConnection.SearchPath = scope.reader == nil ? .operatorViews : .readerViews
                return PostGISSession(
                    connection,
                    schema: schema,
                    analyst: (analyst.connection, path))
            } _: { session in
                try body(session)
            }
        }
    }

    private func connectAnalyst(_ store: AnalystLogin, _ connection: PostGISConnection) throws -> PostGISAnalyst {
        do {
            let analyst = try self.analyst ?? PostGISAnalyst(store, schema, owner: connection)
            self.analyst = analyst
            try analyst.restore(owner: connection)
            let both = [connection.canceller, analyst.connection.canceller]
            cancelling.withLock { cancellers = both }
            return analyst
        } catch let error as PostGISError {
            analyst = nil
            throw HabitError(
                .storeUnavailable,
                "the analyst's login failed (\(error.messageOnOneLine))",
                .take(.setUpAnalyst))
        }
    }

    /// Runs `body` in a write transaction.
    ///
    /// Its statements are lookups by key, so that one server plans each only once. Citus plans each lookup for the
    /// server that has the key.
    public func write<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        try guarding { connection in
            try transaction(on: connection) {
                let begin = "\(beginAsWriter); \(Self.distributionQuery)"
                connection.isDistributed = try connection.execute(begin).text == "t"
                let settings =
                    connection.isDistributed
                    ? PostGISCluster.writeSettings
                    : "SET LOCAL plan_cache_mode TO force_generic_plan"
                try connection.execute(settings)
                return PostGISSession(connection, schema: schema)
            } _: { session in
                let result = try body(session)
                try session.flushPending()
                if connection.hasChangedRows {
                    try countChange(in: session)
                }
                return result
            }
        }
    }

    /// Increments the number of the last change, which ``dataVersion()`` returns.
    private func countChange(in session: PostGISSession) throws {
        try session.connection.execute("UPDATE habitat.store SET change = change + 1")
        if session.isDistributed {
            try session.connection.execute("SELECT pg_advisory_xact_lock(\(Self.commitLock))")
        }
    }

    /// Runs `body` as ``write(_:)`` does.
    public func bulkWrite<Result>(_ body: (any Session) throws -> Result) throws -> Result { try write(body) }

    private var beginAsWriter: String {
        let milliseconds = max(1, Int((wait / .milliseconds(1)).rounded(.up)))
        return "BEGIN; SET LOCAL lock_timeout TO \(milliseconds); SELECT pg_advisory_xact_lock(\(Self.writerLock))"
    }

    /// Returns the number of the last change of the store.
    public func dataVersion() throws -> Int64 {
        try guarding { connection in
            guard let change = try connection.execute("SELECT change FROM habitat.store").text else { return 0 }
            return Int64(change) ?? 0
        }
    }

    /// Cancels the running statements of all connections, from any thread.
    public func interrupt() {
        cancelling.withLock {
            for canceller in cancellers {
                canceller.cancel()
            }
        }
    }

    /// `nil`, because the server manages its own log.
    public var writeAheadLog: (any WriteAheadLog)? { nil }
    /// `nil`, because the store is not a file.
    public var fileCopier: (any FileCopier)? { nil }

    // MARK: Transactions

    /// Runs `body` in the session that `begin` returns after the beginning of a transaction.
    private func transaction<Result>(
        on connection: PostGISConnection,
        begin: () throws -> PostGISSession,
        _ body: (PostGISSession) throws -> Result
    ) throws -> Result {
        try undoingOnFailure(connection) {
            connection.hasChangedRows = false
            let session = try begin()
            try connection.use(.store)
            defer { session.end() }
            let result = try body(session)
            try commit(connection)
            return result
        }
    }

    private func undoingOnFailure<Result>(
        _ connection: PostGISConnection, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            connection.abandon()
            _ = try? connection.execute("ROLLBACK")
            connection.forgetPath()
            throw error
        }
    }

    private func commit(_ connection: PostGISConnection) throws {
        do {
            try connection.execute("COMMIT")
        } catch let error as PostGISError where error.state.isEmpty {
            throw HabitError(
                .storeUnavailable,
                "the connection to \(endpoint) was lost during the commit, so the changes may or may not be stored: check the records, or repeat the command"
            )
        }
    }

    /// Runs `body` under the lock, restores a lost connection first, and converts errors into errors of the store.
    func guarding<Result>(_ body: (PostGISConnection) throws -> Result) throws -> Result {
        do {
            return try lock.withLock {
                let isNew = try connection.restore()
                if isNew {
                    cancelling.withLock { cancellers = [connection.canceller] }
                }
                return try body(connection)
            }
        } catch {
            throw Self.explain(error, endpoint: endpoint, access: access)
        }
    }

    // MARK: Errors

    /// Converts an error of the server into an error of the store that contains the remedy.
    private static func explain(_ error: any Error, endpoint: String, access: StoreAccess) -> any Error {
        guard let error = error as? PostGISError else { return error }
        var explanation = explanation(of: error, endpoint: endpoint, access: access)
        explanation.cause = error
        return explanation
    }

    private static func explanation(of error: PostGISError, endpoint: String, access: StoreAccess) -> HabitError {
        if let node = error.unavailableNode {
            return HabitError(
                .storeUnavailable,
                "the server \(node) of the cluster \(endpoint) does not respond (nothing was changed): try again when it runs"
            )
        }
        switch error.state {
        case _ where error.hasLostNode:
            return HabitError(
                .storeUnavailable,
                "a server of the cluster \(endpoint) has failed or does not respond (nothing was changed): try again",
                .take(.showCluster))
        case "":
            return HabitError(
                .storeUnavailable, "the store cannot be reached: \(error.messageOnOneLine)")
        case "55P03", "40P01", "40001":
            return HabitError(
                .busy, "another process is writing to \(endpoint)", .advice("try again"), .give(.wait))
        case "57014": return HabitError(.timeout, "the query was interrupted")
        // A prepared statement exists already, or no longer.
        case "42P05", "26000":
            return HabitError(
                .storeUnavailable,
                "a connection pooler uses one session of \(endpoint) for several clients: set its mode to session pooling"
            )
        case "53100":
            return HabitError(
                .noSpace,
                "no disk space is left for \(endpoint) (nothing was changed): free some space on the server and try again"
            )
        case "42501", "25006":
            return HabitError(
                access == .read ? .storeUnavailable : .storeReadOnly,
                "you do not have the permission in \(endpoint): the server reports '\(error.message)'")
        case PostGISMigrations.shardedState:
            return HabitError(
                .storeUnavailable,
                "an earlier version of Habitat has sharded \(endpoint), and this version cannot read the shards: copy the store into a file or an empty database with the earlier version"
            )
        case "22021":
            return HabitError(
                .textInvalid, "PostgreSQL does not store texts with a NUL character (U+0000): remove the character")
        case let state where state.hasPrefix("57P") || state.hasPrefix("08"):
            return HabitError(
                .storeUnavailable, "the connection to \(endpoint) was lost (nothing was changed): try again")
        default:
            // The message of the server would reveal tables and values.
            return HabitError(
                .internal,
                "PostgreSQL reports error \(error.state) for the store \(endpoint) (nothing was changed)",
                .take(.checkStore))
        }
    }
}
