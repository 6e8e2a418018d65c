import Base
import CSQLite
import GRDB
import Geo
import StoreEngine

/// A SpatiaLite connection inside a transaction.
final class SpatiaLiteSession: Session {
    private let db: Database
    private let schema: StoreSchema
    private var declaration: SchemaDeclaration { schema.declaration }
    private let functions: FunctionTable
    private var analysis: SpatiaLiteAnalysis?
    private let cache: StatementCache
    /// The text caches, which stay valid because the session reads one snapshot of the store.
    private var texts: [TextReader: TextLookupCache] = [:]

    /// The key of a text cache: a column of a result and the column that is read for it.
    private struct TextReader: Hashable {
        var index: Int
        var column: TextColumn
    }

    /// Creates a session in the current transaction of a connection.
    ///
    /// With a cache of the connection, a statement is compiled once for all its sessions.
    init(_ db: Database, schema: StoreSchema, functions: FunctionTable, cache: StatementCache = StatementCache()) {
        self.db = db
        self.schema = schema
        self.functions = functions
        self.cache = cache
    }

    /// Unregisters the table functions, which refer to the session, and stops the deadline of its last query.
    func end() {
        functions.unregister()
        analysis?.watch.end(db.sqliteConnection)
        analysis = nil
    }

    private(set) lazy var dialect: any Dialect = SpatiaLiteDialect(declaration, indexes: indexes)

    /// The indexes that exist, of those that queries name explicitly.
    ///
    /// A reader opens an older store without a migration, and reads a damaged store as far as possible.
    private lazy var indexes: Set<String> = {
        var indexes: Set<String> = []
        let names = declaration.optionalIndexes.sorted().map { name in "'\(name)'" }.joined(separator: ", ")
        let sql = "SELECT name FROM sqlite_schema WHERE name IN (\(names))"
        try? statement(sql).forEach { row in
            if let name = row.text(0) {
                indexes.insert(name)
            }
            return true
        }
        return indexes
    }()

    /// Whether columns of keys are read as texts, which is never so for a writer.
    ///
    /// A writer can change a text after the session has cached it.
    private lazy var supportsTextLookup = db.configuration.readonly && (try? hasFewTexts) ?? false

    var keyedTexts: (any KeyedTextReader)? { supportsTextLookup ? self : nil }
    var newestRows: (any NewestRowFinder)? { indexes.contains(declaration.cellIndex.index) ? self : nil }
    var fileMapping: (any FileMapping)? { self }
    // Debian's SQLite is compiled without sqlite3_snapshot_get.
    var snapshotExporter: (any SnapshotExporter)? { nil }
    var pipeline: (any QueryPipeline)? { nil }

    var checks: [StoreCheck] { SpatiaLiteChecks(db, schema).all }

    func prepare(_ sql: String) throws -> any Statement { try statement(sql) }

    func prepare(_ sql: String, reading columns: [Int: TextColumn]) throws -> any Statement {
        var sources: [Int: TextLookupCache] = [:]
        for (index, column) in columns { sources[index] = try texts(of: column, at: index) }
        return try statement(sql, texts: RowTextLookups(sources))
    }

    /// Whether the cache has room for all keys to which results refer.
    ///
    /// Cost: two index descents.
    private var hasFewTexts: Bool {
        get throws {
            try declaration.referencedTables.allSatisfy { table in
                try statement("SELECT max(id) FROM \(table)").firstRow { $0.integer(0) } ?? 0 < TextLookupCache.keyLimit
            }
        }
    }

    func candidates(
        newest count: Int, in box: BoundingBox, where condition: SQL, days: ClosedRange<Day>
    ) throws -> SQL? {
        let index = declaration.cellIndex
        let search = NewestRowSearch(
            session: self,
            index: index,
            box: box,
            condition: condition,
            days: days,
            count: count)
        guard let keys = try search.keys() else {
            return nil
        }
        return """
            json_each(\(.list(keys), as: "newest")) AS candidate -- found by their cells and days
            CROSS JOIN \(raw: index.table) ON \(raw: index.table).id = candidate.value
            """
    }

    private func texts(of column: TextColumn, at index: Int) throws -> TextLookupCache {
        let reader = TextReader(index: index, column: column)
        if let texts = texts[reader] { return texts }
        let new = TextLookupCache(
            try statement("SELECT id, \(column.name) FROM \(column.table) WHERE id BETWEEN :first AND :last"))
        texts[reader] = new
        return new
    }

    private func statement(_ sql: String, texts: consuming RowTextLookups = RowTextLookups()) throws
        -> SpatiaLiteStatement
    {
        guard StatementCache.keeps(sql) else {
            return SpatiaLiteStatement(try cache.checkOut(sql, on: db), on: db, texts: texts)
        }
        return SpatiaLiteStatement(try cache.checkOut(sql, on: db), on: db, home: (cache, sql), texts: texts)
    }

    func mapFile() throws {
        try db.execute(sql: "PRAGMA mmap_size = \(SpatiaLiteConnection.mapped)")
    }

    func attempt<Result>(_ body: () throws -> Result) throws -> Result {
        var result: Swift.Result<Result, any Error>?
        do {
            try db.inSavepoint {
                result = .init { try body() }
                if case .success = result { return .commit } else { return .rollback }
            }
        } catch {
            // An error that ends the transaction, such as one of memory, also removes the savepoint. The error of
            // `body` is then the reason.
            if case .failure(let reason)? = result { throw reason }
            throw error
        }
        guard let result else { throw HabitError(.internal, "the savepoint ended without a result") }
        return try result.get()
    }

    func batch(into table: String, columns: [String], keyed: Bool) throws -> any InsertBatch {
        keyed
            ? try KeyedInsertBatch(db, table: table, columns: columns)
            : try RowBatch(db, table: table, columns: columns)
    }

    func inserts(
        into table: String, columns: [String], didInsert: @escaping (Int64) -> Void
    ) throws -> any Inserts {
        try SpatiaLiteInserts(db, table: table, columns: columns, didInsert: didInsert)
    }

    func deferringIndexes<Result>(_ body: () throws -> Result) throws -> Result {
        let logTriggers = try DroppedTriggers(declaration.logTriggers, in: db)
        let loads = try declaration.locatedTables.map { table in
            try BulkLoad(db, table: table, declaration: declaration)
        }
        let result = try body()
        for load in loads { try load.finish() }
        try logTriggers.restore()
        return result
    }

    func flush() throws {
        let code = sqlite3_db_cacheflush(db.sqliteConnection)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    func register(_ registered: [TableFunction]) throws {
        functions.register(
            registered, on: db.sqliteConnection,
            trusted: { [unowned self] body in
                guard let analysis else { return try body() }
                try analysis.authorizer.withoutAuthorization(body)
            },
            report: { [unowned self] in analysis?.failure = $0 })
    }

    func prepareAnalysis(
        _ sql: String, over views: [AnalysisView], limits: QueryLimits, isExplained: Bool, origin: AnalysisOrigin
    ) throws -> any Statement {
        let text = isExplained ? "EXPLAIN QUERY PLAN " + sql : sql
        let names = SQLNames(sql)
        do {
            return try compileAnalysis(text, over: views, limits: limits) {
                names.contains(view: $0.name) ? $0.select(names.contains(column:)) : nil
            }
        } catch  where !names.isAnything {
            // The complete views decide whether the SQL is valid.
            return try compileAnalysis(text, over: views, limits: limits) { $0.select() }
        }
    }

    /// Compiles the SQL of an author after it has created the temporary views.
    ///
    /// - Parameters:
    ///   - sql: The SQL.
    ///   - views: All views that the SQL can read.
    ///   - limits: The limits on the execution.
    ///   - definition: A closure that returns the SELECT of a view, or `nil` if the SQL does not name the view.
    /// - Returns: The compiled statement.
    /// - Throws: `report-invalid` if the SQL is not one SELECT over the views.
    private func compileAnalysis(
        _ sql: String, over views: [AnalysisView], limits: QueryLimits, definition: (AnalysisView) -> String?
    ) throws -> any Statement {
        var defined: [String] = []
        for view in views {
            try db.execute(sql: "DROP VIEW IF EXISTS temp.\(view.name)")
            guard let select = definition(view) else { continue }
            try db.execute(sql: "CREATE TEMP VIEW \(view.name) AS\n\(select)")
            defined.append(view.name)
        }
        let new = try SpatiaLiteAnalysis(
            reading: views, defined: defined, calling: functions.registered, limits: limits, of: db)
        analysis?.watch.end(db.sqliteConnection)
        analysis = new
        new.watch.begin(db.sqliteConnection)
        return SpatiaLiteStatement(try new.compile(sql, of: db), on: db, analysis: new)
    }

    func tableSizes() throws -> [String: Int64] {
        var sizes: [String: Int64] = [:]
        let sql: SQL = """
            SELECT object.tbl_name, sum(dbstat.pgsize)
            FROM dbstat
            JOIN sqlite_schema AS object ON object.name = dbstat.name
            WHERE dbstat.aggregate = 1
            GROUP BY object.tbl_name
            ORDER BY object.tbl_name
            """
        try query(sql) { row in
            sizes[row.text(0) ?? ""] = row.integer(1)
            return true
        }
        return sizes
    }

    func plan(_ sql: SQL) throws -> [String] {
        try planLines(of: prepare(bound: "EXPLAIN QUERY PLAN \(sql)"))
    }

    func planLines(of statement: any Statement) throws -> [String] {
        var depths: [Int64: Int] = [0: 0]
        var lines: [String] = []
        try statement.forEach { row in
            let depth = depths[row.integer(1)] ?? 0
            depths[row.integer(0)] = depth + 1
            lines.append(String(repeating: "  ", count: depth) + (row.text(3) ?? ""))
            return true
        }
        return lines
    }
}

extension SpatiaLiteSession: KeyedTextReader, NewestRowFinder, FileMapping {}

/// An inserter that stores each row immediately.
private final class SpatiaLiteInserts: Inserts {
    private let statement: SpatiaLiteStatement
    private let didInsert: (Int64) -> Void

    init(_ db: Database, table: String, columns: [String], didInsert: @escaping (Int64) -> Void) throws {
        statement = SpatiaLiteStatement(
            try db.makeStatement(sql: SQL.insert(into: table, columns: columns)), on: db)
        self.didInsert = didInsert
    }

    func insert(_ values: [Value]) throws {
        try statement.bind(values)
        didInsert(try statement.insert())
    }
}
