import Geo
import HabitModel

/// A connection inside a transaction.
public protocol Session: AnyObject {
    var dialect: any Dialect { get }
    /// Compiles `sql`. Its `:name` parameters are bound in the order of their first appearance.
    func prepare(_ sql: String) throws -> any Statement
    /// Reads columns of keys as texts; `nil` if the engine does not, or if a join costs less in this session.
    var keyedTexts: (any KeyedTextReader)? { get }
    /// Finds the newest events of a box without reading all of them; `nil` if the store has no index for that.
    var newestRows: (any NewestRowFinder)? { get }
    /// Maps the store's file into memory; `nil` if the store is not a file.
    var fileMapping: (any FileMapping)? { get }
    /// Sends several questions to a server at once; `nil` if a statement costs no network round trip.
    var pipeline: (any QueryPipeline)? { get }
    /// Runs `body`, which inserts many records and deletes none; indexes may be missing until it returns, and are complete
    /// then. Statements compiled before are of no use inside.
    func deferringIndexes<Result>(_ body: () throws -> Result) throws -> Result
    /// Runs `body` such that the transaction goes on where it throws, without what it wrote.
    func attempt<Result>(_ body: () throws -> Result) throws -> Result
    /// New rows of `table`, to be written together. Where they are `keyed` their keys are the first column, and rise.
    func batch(into table: String, columns: [String], keyed: Bool) throws -> any InsertBatch
    /// Rows to be inserted into a table with a key `id` that the engine gives, of which `didInsert` is told.
    func inserts(
        into table: String, columns: [String], didInsert: @escaping (Int64) -> Void
    ) throws -> any Inserts
    /// Writes out what waits in memory, so that a disk that is full is found before the end of the transaction.
    func flush() throws
    /// Makes table functions known to SQL until the session ends, in place of others of their names.
    func offer(_ functions: [TableFunction]) throws
    /// Compiles a SELECT over the report views, or a statement that explains it. The statement reads only `views`, calls only
    /// registered functions and those that compute a value from their arguments, and changes nothing.
    ///
    /// - Throws: `report-invalid` with the engine's own words if `sql` is anything else; `store-unavailable` if the SQL comes from a
    ///   user and the store has no role that may run it. Running the statement throws `timeout` if it exceeds its time.
    func prepareAnalysis(
        _ sql: String, over views: [AnalysisView], limits: QueryLimits, isExplained: Bool, origin: AnalysisOrigin
    ) throws -> any Statement
    /// The bytes on disk of each table with its indexes. Costs a look at every page.
    func tableSizes() throws -> [String: Int64]
    /// What must hold in a store of this engine beside what its records say: pages, references, indexes.
    var checks: [StoreCheck] { get }
    /// How the engine would run `sql`, a line each, indented by depth.
    func plan(_ sql: SQL) throws -> [String]
    /// The same of a statement that was compiled to explain another.
    func planLines(of statement: any Statement) throws -> [String]
}

/// Reads the texts of keys from memory.
public protocol KeyedTextReader {
    /// As ``Session/prepare(_:)``. The columns of the result with these indexes hold keys and are read as texts of the rows that the keys
    /// name. As in a join, a row whose key names no row is left out.
    func prepare(_ sql: String, reading texts: [Int: TextColumn]) throws -> any Statement
}

/// Finds the newest events of a box by an index on cells and days.
public protocol NewestRowFinder {
    /// Returns a source for FROM, as ``Dialect/candidates(in:of:)`` does: the `count` newest rows of `event` in a box on these days that meet
    /// `condition`, and perhaps others; `nil` if that source is as good.
    func candidates(newest count: Int, in box: BoundingBox, where condition: SQL, days: ClosedRange<Day>) throws -> SQL?
}

/// A store's file that can be mapped into memory.
public protocol FileMapping {
    /// Maps the file for the rest of the process, for a session with hundreds of queries: each finds the pages that others have read.
    ///
    /// The process gets SIGBUS if the file is cut short or its disk fails.
    func mapFile() throws
}

/// Questions whose answers a session keeps.
public protocol QueryPipeline: AnyObject {
    /// Forgets the answers of ``QueryPipelinedStatement/askAhead(_:)``: they may not hold any more.
    func forgetAnswers()
}

extension Session {
    /// Runs `sql` once and hands each row to `body`, until `body` returns false.
    public func query(_ sql: SQL, _ body: (any Row) throws -> Bool) throws {
        try prepare(bound: sql).forEach(body)
    }

    /// Runs `sql` once and returns what `body` makes of the first row; `nil` if there is none.
    public func first<Result>(_ sql: SQL, _ body: (any Row) throws -> Result) throws -> Result? {
        var result: Result?
        try query(sql) {
            result = try body($0)
            return false
        }
        return result
    }

    /// Runs `sql` once and returns the number of rows that it changed.
    @discardableResult
    public func run(_ sql: SQL) throws -> Int { try prepare(bound: sql).run() }

    /// Compiles `sql` and binds its values.
    package func prepare(bound sql: SQL) throws -> any Statement {
        let statement = try compile(sql)
        try statement.bind(sql.values(of: statement))
        return statement
    }

    private func compile(_ sql: SQL) throws -> any Statement {
        guard !sql.texts.isEmpty else { return try prepare(sql.text) }
        guard let keyedTexts else { throw HabitError(.internal, "the session cannot read texts by their keys") }
        return try keyedTexts.prepare(sql.text, reading: sql.texts)
    }
}
