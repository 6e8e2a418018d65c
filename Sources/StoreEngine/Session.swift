import Base
import Geo

/// A connection inside a transaction.
public protocol Session: AnyObject {
    /// The SQL dialect of the engine.
    var dialect: any Dialect { get }
    /// Compiles `sql`, whose `:name` parameters are bound in the order of their first appearance.
    func prepare(_ sql: String) throws -> any Statement
    /// The ability to read columns of keys as texts.
    ///
    /// The value is `nil` if the engine does not have the ability, or if a join costs less in this session.
    var keyedTexts: (any KeyedTextReader)? { get }
    /// The ability to find the newest rows in a box without reading all rows in it.
    ///
    /// The value is `nil` if the store has no index for it.
    var newestRows: (any NewestRowFinder)? { get }
    /// The ability to map the store's file into memory, or `nil` if the store is not a file.
    var fileMapping: (any FileMapping)? { get }
    /// The ability to send several queries in one round trip, or `nil` if a statement costs no network round trip.
    var pipeline: (any QueryPipeline)? { get }
    /// The ability to let other connections read the state of this session, or `nil` if the engine does not have it.
    var snapshotExporter: (any SnapshotExporter)? { get }
    /// Runs `body`, which inserts many records and deletes none.
    ///
    /// Indexes may be missing until the method returns, and are complete afterward. `body` must not use statements that
    /// were compiled before the call.
    func deferringIndexes<Result>(_ body: () throws -> Result) throws -> Result
    /// Runs `body` in a savepoint, so that an error in it does not end the transaction.
    ///
    /// If `body` throws, its writes are rolled back and the transaction continues.
    func attempt<Result>(_ body: () throws -> Result) throws -> Result
    /// Creates a batch of new rows of `table`.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - columns: The columns of the values.
    ///   - keyed: Whether the first column contains the keys, in ascending order. If not, the engine assigns the keys.
    /// - Returns: An empty batch.
    /// - Throws: An error of the engine.
    func batch(into table: String, columns: [String], keyed: Bool) throws -> any InsertBatch
    /// Creates an inserter for rows of a table whose key `id` the engine assigns.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - columns: The columns of the values.
    ///   - didInsert: A closure that is called with the key of each row when the row is stored.
    /// - Returns: The inserter.
    /// - Throws: An error of the engine.
    func inserts(
        into table: String,
        columns: [String],
        didInsert: @escaping (Int64) -> Void
    ) throws -> any Inserts
    /// Writes pending data from memory, so that a full disk is detected before the end of the transaction.
    func flush() throws
    /// Registers table functions for SQL until the session ends, replacing functions with the same names.
    func register(_ functions: [TableFunction]) throws
    /// Compiles a SELECT over the report views, or a statement that explains it.
    ///
    /// The statement reads only `views`. It calls only registered functions and functions that compute a value from
    /// their arguments. It changes nothing. It throws `timeout` when it exceeds its time limit.
    ///
    /// - Parameters:
    ///   - sql: The text of the SELECT.
    ///   - views: The views that the SELECT can read.
    ///   - limits: The limits of the statement.
    ///   - isExplained: Whether to compile a statement that explains the SELECT.
    ///   - origin: The origin of the text.
    /// - Returns: The compiled statement. Its parameters are not bound.
    /// - Throws: `report-invalid` with the message of the engine if `sql` is not such a SELECT. `store-unavailable` if
    ///   the SQL comes from a user and the store has no role that can run it.
    func prepareAnalysis(
        _ sql: String,
        over views: [AnalysisView],
        limits: QueryLimits,
        isExplained: Bool,
        origin: AnalysisOrigin
    ) throws -> any Statement
    /// Returns the size on disk of each table with its indexes, in bytes.
    ///
    /// The call reads every page of the store.
    func tableSizes() throws -> [String: Int64]
    /// The checks of the engine's own structures: pages, references and indexes.
    ///
    /// Checks of the records are separate.
    var checks: [StoreCheck] { get }
    /// Returns the engine's plan for `sql`, one line for each step, indented by depth.
    func plan(_ sql: SQL) throws -> [String]
    /// Returns the plan lines of a statement that was compiled to explain another statement.
    func planLines(of statement: any Statement) throws -> [String]
}

/// A session that reads the texts of keys from memory.
public protocol KeyedTextReader {
    /// Compiles `sql` like ``Session/prepare(_:)`` and reads some columns of keys as texts.
    ///
    /// A row is omitted if one of its keys does not exist, as in an inner join.
    ///
    /// - Parameters:
    ///   - sql: The text of the statement.
    ///   - texts: The columns of the result that contain keys, by index, with the columns to read instead.
    /// - Returns: The compiled statement.
    /// - Throws: An error of the engine.
    func prepare(_ sql: String, reading texts: [Int: TextColumn]) throws -> any Statement
}

/// A session that finds the newest rows in a box by an index on cells and days.
public protocol NewestRowFinder {
    /// Returns a source for FROM with the newest rows of the table with the index that meet all conditions.
    ///
    /// The source has the form of ``Dialect/candidates(in:of:column:orKeys:)``. It contains the `count` newest rows and possibly
    /// others.
    ///
    /// - Parameters:
    ///   - count: The number of rows to find.
    ///   - box: The box that contains the rows.
    ///   - condition: A condition on the table, which must include the exact area.
    ///   - days: The days of the rows.
    /// - Returns: The source, or `nil` if the source ``Dialect/candidates(in:of:column:orKeys:)`` is as fast.
    /// - Throws: An error of the engine.
    func candidates(
        newest count: Int,
        in box: BoundingBox,
        where condition: SQL,
        days: ClosedRange<Day>
    ) throws -> SQL?
}

/// A session whose store is a file that can be mapped into memory.
public protocol FileMapping {
    /// Maps the file for the rest of the process, for sessions with hundreds of queries.
    ///
    /// Each query then shares the pages that other queries have read. The process receives SIGBUS if the file is
    /// truncated or its disk fails.
    func mapFile() throws
}

/// A session whose state other connections can read.
public protocol SnapshotExporter {
    /// Returns the name of a snapshot for ``Engine/read(at:_:)``, which is valid until the end of this session.
    ///
    /// - Throws: An error of the engine.
    func exportSnapshot() throws -> String
}

/// A session that stores prefetched results.
public protocol QueryPipeline: AnyObject {
    /// Discards the results of ``PipelinedStatement/prefetch(_:)``, which may be out of date.
    func invalidatePrefetch()
}

extension Session {
    /// Runs `sql` once and calls `body` with each row until `body` returns `false`.
    public func query(_ sql: SQL, _ body: (any Row) throws -> Bool) throws {
        try prepare(bound: sql).forEach(body)
    }

    /// Runs `sql` once and returns the result of `body` for the first row, or `nil` if the result is empty.
    public func first<Result>(_ sql: SQL, _ body: (any Row) throws -> Result) throws -> Result? {
        var result: Result?
        try query(sql) { row in
            result = try body(row)
            return false
        }
        return result
    }

    /// Runs `sql` once and returns the number of rows that it changed.
    @discardableResult
    public func run(_ sql: SQL) throws -> Int {
        try prepare(bound: sql).run()
    }

    /// Compiles `sql` and binds its values.
    package func prepare(bound sql: SQL) throws -> any Statement {
        let rendered = sql.rendered()
        let statement = try compile(rendered.text, reading: sql.texts)
        try statement.bind(sql.values(of: statement, in: rendered.values))
        return statement
    }

    private func compile(_ text: String, reading texts: [Int: TextColumn]) throws -> any Statement {
        guard !texts.isEmpty else {
            return try prepare(text)
        }
        guard let keyedTexts else {
            throw HabitError(.internal, "the session cannot read texts by their keys")
        }
        return try keyedTexts.prepare(text, reading: texts)
    }
}
