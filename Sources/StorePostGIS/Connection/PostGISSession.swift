import Base
import StoreEngine

/// A connection to PostgreSQL inside a transaction.
final class PostGISSession: Session, QueryPipeline, SnapshotExporter {
    let connection: PostGISConnection
    private let schema: StoreSchema
    /// Whether Citus distributes the store over several servers.
    var isDistributed: Bool { connection.isDistributed }
    /// The connection for user-supplied SQL with its search path, or `nil` if the store has no analyst's role.
    let analyst: (connection: PostGISConnection, path: PostGISConnection.SearchPath)?
    private var functions: [String: TableFunction] = [:]
    /// Buffers of new rows that are sent together.
    private var inserts: [PostGISInserts] = []
    /// The generation of prefetched results.
    ///
    /// A new number invalidates the earlier results.
    private(set) var questions = 0

    init(
        _ connection: PostGISConnection,
        schema: StoreSchema,
        analyst: (connection: PostGISConnection, path: PostGISConnection.SearchPath)? = nil
    ) {
        self.connection = connection
        self.schema = schema
        self.analyst = analyst
        let words = RowsWithWords(session: self, index: schema.declaration.textIndex).function
        functions[words.name] = words
    }

    /// Removes the buffers and the registered functions, because the functions hold references to the session.
    func end() {
        functions = [:]
        inserts = []
    }

    var dialect: any Dialect {
        PostGISDialect(schema.declaration, postgis: connection.postgisSchema, isDistributed: isDistributed)
    }

    var checks: [StoreCheck] { PostGISChecks(schema.declaration).all }

    func prepare(_ sql: String) throws -> any Statement {
        PostGISStatement(PostGISTranslation(sql, functions: functions), in: self)
    }

    // The server joins tables in its own memory, and does not have an index of cells.
    var keyedTexts: (any KeyedTextReader)? { nil }
    var newestRows: (any NewestRowFinder)? { nil }
    var fileMapping: (any FileMapping)? { nil }
    var pipeline: (any QueryPipeline)? { self }
    // Citus has no snapshot of all servers.
    var snapshotExporter: (any SnapshotExporter)? { isDistributed ? nil : self }

    func attempt<Result>(_ body: () throws -> Result) throws -> Result {
        try flushPending()
        var connections = [connection]
        if let analyst { connections.append(analyst.connection) }
        for connection in connections {
            try connection.execute("SAVEPOINT attempt")
        }
        do {
            let result = try body()
            try flushPending()
            for connection in connections {
                try connection.execute("RELEASE SAVEPOINT attempt")
            }
            return result
        } catch {
            for insert in inserts {
                insert.forget()
            }
            invalidatePrefetch()
            for connection in connections {
                connection.abandon()
                try connection.execute("ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt")
                connection.forgetPath()
            }
            throw error
        }
    }

    func batch(into table: String, columns: [String], keyed: Bool) throws -> any InsertBatch {
        CopyBatch(connection, table: table, columns: columns, keyed: keyed)
    }

    func inserts(
        into table: String, columns: [String], didInsert: @escaping (Int64) -> Void
    ) throws -> any Inserts {
        let new = PostGISInserts(into: table, columns: columns, in: self, didInsert: didInsert)
        inserts.append(new)
        return new
    }

    /// Sends the pending rows.
    ///
    /// Call this before any other statement that may depend on them.
    func flushPending() throws {
        for insert in inserts { try insert.write() }
    }

    func exportSnapshot() throws -> String { try connection.exportSnapshot() }

    func invalidatePrefetch() { questions += 1 }

    func deferringIndexes<Result>(_ body: () throws -> Result) throws -> Result {
        let declaration = schema.declaration
        let loads = try declaration.locatedTables.map { table in
            try PostGISBulkLoad(
                connection,
                table: table,
                declaration: declaration,
                isDistributed: isDistributed)
        }
        let result = try body()
        try flushPending()
        for load in loads { try load.finish() }
        return result
    }

    /// Sends the pending rows.
    ///
    /// The server detects a full disk when it writes its log, before the transaction ends.
    func flush() throws { try flushPending() }

    func register(_ registered: [TableFunction]) throws {
        for function in registered { functions[function.name] = function }
    }

    func function(_ name: String) throws -> TableFunction {
        guard let function = functions[name] else {
            throw HabitError(.internal, "the function '\(name)' is not registered in this session")
        }
        return function
    }

    func prepareAnalysis(
        _ sql: String,
        over views: [AnalysisView],
        limits: QueryLimits,
        isExplained: Bool,
        origin: AnalysisOrigin
    ) throws -> any Statement {
        let target = try connection(for: origin)
        let connection = target.connection
        let callable = functions.filter { name, _ in name != RowsWithWords.name }
        let analysis = PostGISAnalysis(
            views: views,
            functions: callable,
            catalog: target.path.viewSchema,
            isDistributed: isDistributed)
        let text = try analysis.statement(of: sql)
        try limit(connection, to: limits)
        if connection !== self.connection {
            try limit(self.connection, to: limits)
        }
        let sorted = callable.values.sorted { first, second in first.name < second.name }
        return PostGISStatement(
            analysis: text,
            on: connection,
            in: target.path,
            limits: limits,
            isExplained: isExplained,
            columns: AnalysisColumns(in: sql, views: views, functions: sorted),
            in: self)
    }

    /// Makes the rest of a transaction read-only, and limits the time of its statements.
    private func limit(_ connection: PostGISConnection, to limits: QueryLimits) throws {
        let milliseconds = Int((limits.timeout / .milliseconds(1)).rounded(.up))
        try connection.execute(
            "SET LOCAL transaction_read_only TO on; SET LOCAL statement_timeout TO \(milliseconds)")
    }

    /// Returns the connection that runs SQL of this origin, and its search path.
    private func connection(
        for origin: AnalysisOrigin
    ) throws -> (connection: PostGISConnection, path: PostGISConnection.SearchPath) {
        if origin == .program { return (connection, .functions) }
        if let analyst { return analyst }
        // The operator can read and change all data in any case.
        if origin == .operator { return (connection, .functions) }
        // Citus replaces a view by its tables, which the analyst's role must not read.
        guard !isDistributed else {
            throw HabitError(
                .formatNotAvailable,
                "user-supplied SQL of a signed-in user is not available on a cluster: use a built-in report")
        }
        throw HabitError(
            .storeUnavailable, "user-supplied SQL for a signed-in user requires a separate login role on PostgreSQL",
            .take(.setUpAnalyst), .give(.analystStore))
    }

    func plan(_ sql: SQL) throws -> [String] {
        try planLines(of: prepare(bound: "EXPLAIN (COSTS OFF) \(sql)"))
    }

    func planLines(of statement: any Statement) throws -> [String] {
        var lines: [String] = []
        try statement.forEach { row in
            lines.append(row.text(0) ?? "")
            return true
        }
        return lines
    }

    func tableSizes() throws -> [String: Int64] {
        var sizes: [String: Int64] = [:]
        let sql: SQL =
            isDistributed
            ? PostGISCluster.tableSizes
            : """
            SELECT coalesce(parent.relname, part.relname), sum(pg_total_relation_size(part.oid))
            FROM pg_class AS part
            JOIN pg_namespace ON pg_namespace.oid = part.relnamespace AND pg_namespace.nspname = 'habitat'
            LEFT JOIN pg_inherits ON pg_inherits.inhrelid = part.oid
            LEFT JOIN pg_class AS parent ON parent.oid = pg_inherits.inhparent
            WHERE part.relkind = 'r'
            GROUP BY coalesce(parent.relname, part.relname)
            """
        try query(sql) { row in
            sizes[row.text(0) ?? ""] = row.integer(1)
            return true
        }
        return sizes
    }
}
