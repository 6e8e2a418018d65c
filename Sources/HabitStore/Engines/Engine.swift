import Geo
import HabitModel

/// What is to be done with a store.
public enum StoreAccess: Sendable {
    case read
    case write
    /// Makes the store where there is none.
    case create
}

/// What keeps the records: a SpatiaLite file, or a PostgreSQL database with PostGIS.
///
/// Queries and writes are SQL with named bindings that both dialects take. What must differ between them is what this
/// protocol and ``Dialect`` ask for.
public protocol Engine: Sendable {
    /// Runs `body` on one consistent state of the store, unaffected by writers.
    func read<Result>(_ body: (any Session) throws -> Result) throws -> Result

    /// As ``read(_:)``, in a session that may run user-supplied SQL for the viewer of `scope`.
    func analyze<Result>(_ scope: AnalysisScope, _ body: (any Session) throws -> Result) throws -> Result

    /// Runs `body` in a transaction that begins as a writer; a throw undoes all of it, a return is durable.
    func write<Result>(_ body: (any Session) throws -> Result) throws -> Result

    /// As ``write(_:)``, for many rows. Constraints are enforced. Readers may have to wait if the store is nearly
    /// empty.
    func bulkWrite<Result>(_ body: (any Session) throws -> Result) throws -> Result

    /// A number that is another one after each change of the store by anybody else; of use only beside others of this engine.
    func dataVersion() throws -> Int64

    /// Stops what this engine does at the moment, from any thread: it throws `timeout`.
    func interrupt()

    /// Moves committed changes from a log into the store's own file and empties the log, as far as other connections allow within
    /// `wait`. Has no effect on an engine that reads, or that keeps no log of its own.
    func checkpoint(wait: Duration) throws

    /// Makes the empty file at `path` a complete store that needs no other file beside it, with one state of this one,
    /// unaffected by writers, and looks at every page of it. `progress` is called now and then; its error stops the copy.
    func copy(to path: String, progress: () throws -> Void) throws
}

/// A connection inside a transaction.
public protocol Session: AnyObject {
    var dialect: any Dialect { get }
    /// Compiles `sql`; its `:name` parameters are bound in the order of their first appearance. The columns of its result with
    /// these indexes hold keys and are read as texts, where ``Session/readsTextsByKey`` is true.
    func prepare(_ sql: String, reading texts: [Int: TextColumn]) throws -> any Statement
    /// The rows of `event` that are the newest `count` of those in a box on these days that meet `condition`, and perhaps others: a
    /// source for FROM, as ``Dialect/candidates(in:of:)`` is one. Nil where that one is as good.
    func candidates(
        newest count: Int, in box: BoundingBox, where condition: SQL, days: ClosedRange<Day>
    ) throws -> SQL?
    /// Whether a column of keys can be read as a text of the rows that they are of.
    var readsTextsByKey: Bool { get }
    /// Lets questions look at what others have looked at without reading it again: of use where one session asks hundreds. The
    /// store's file may be mapped into memory then, and where it is cut short or its disk fails, SIGBUS comes.
    func expectManyQuestions() throws
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
    /// What was asked ahead may not hold any more.
    func forgetAnswers()
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

/// A compiled statement: prepared once, run many times.
public protocol Statement: AnyObject {
    /// The parameters' names, in the order of their first appearance.
    var parameters: [String] { get }
    /// The result's columns. To be asked after ``bind(_:)``.
    var columnNames: [String] { get throws }
    /// Binds all parameters anew, in the order of ``parameters``.
    func bind(_ values: [Value]) throws
    /// Hands each row to `body`, until `body` returns false.
    func forEach(_ body: (any Row) throws -> Bool) throws
    /// Goes to the next row, the first after ``bind(_:)``; nil where there is none, and from the beginning after that.
    func next() throws -> (any Row)?
    /// Runs a statement without rows, and says how many rows it changed.
    @discardableResult func run() throws -> Int
    /// Asks for several lists of values at once, where each by itself would be a way to a server and back, and says which of
    /// them find a row; nothing elsewhere. An answer serves the next ``bind(_:)`` of its values, once, until
    /// ``Session/forgetAnswers()``.
    @discardableResult func askAhead(_ questions: [[Value]]) throws -> [Bool]
}

extension Engine {
    /// An engine whose readers cannot leave the report views needs nothing else.
    public func analyze<Result>(_ scope: AnalysisScope, _ body: (any Session) throws -> Result) throws -> Result {
        try read(body)
    }
}

extension Statement {
    public func askAhead(_ questions: [[Value]]) -> [Bool] { [] }
}

/// New rows of one table, stored at once or before anything else is asked, as suits the engine.
public protocol Inserts: AnyObject {
    /// Stores a row, its values in the order of the columns.
    func insert(_ values: [Value]) throws
}

/// New rows of one table that are written together, in the order that suits the engine.
public protocol InsertBatch: AnyObject {
    /// Whether so many rows wait that they should be written.
    var isFull: Bool { get }
    /// Keeps a row, its values in the order of the columns.
    func add(_ values: [Value]) throws
    /// Writes the rows that wait, and gives the keys of all of them that had none, in the order in which they came.
    func write() throws -> [Int64]
}

/// A value bound to a parameter.
public enum Value: Sendable, Hashable {
    case null
    case integer(Int64)
    case number(Double)
    case text(String)
    case blob([UInt8])
    /// In the engine's own form of a geometry.
    case point(Position)

    public static func text(_ value: String?) -> Value { value.map { .text($0) } ?? .null }
    public static func integer(_ value: Int64?) -> Value { value.map { .integer($0) } ?? .null }
    public static func boolean(_ value: Bool) -> Value { .integer(value ? 1 : 0) }
    public static func day(_ value: Day?) -> Value { .text(value?.description) }
    public static func point(_ value: Position?) -> Value { value.map { .point($0) } ?? .null }
}

extension Engine {
    public func checkpoint(wait: Duration) {}
}

extension Session {
    public func forgetAnswers() {}
    public var readsTextsByKey: Bool { false }

    public func candidates(
        newest count: Int, in box: BoundingBox, where condition: SQL, days: ClosedRange<Day>
    ) throws -> SQL? { nil }

    public func prepare(_ sql: String) throws -> any Statement { try prepare(sql, reading: [:]) }

    /// Runs `sql` once and hands each row to `body`, until `body` returns false.
    public func query(_ sql: SQL, _ body: (any Row) throws -> Bool) throws {
        try prepare(bound: sql).forEach(body)
    }

    /// Runs `sql` once and gives what `body` makes of the first row; nil where there is none.
    public func first<Result>(_ sql: SQL, _ body: (any Row) throws -> Result) throws -> Result? {
        var result: Result?
        try query(sql) {
            result = try body($0)
            return false
        }
        return result
    }

    @discardableResult
    public func run(_ sql: SQL) throws -> Int { try prepare(bound: sql).run() }

    func prepare(bound sql: SQL) throws -> any Statement {
        let statement = try prepare(sql.text, reading: sql.texts)
        try statement.bind(sql.values(of: statement))
        return statement
    }
}

/// A statement's text with the values of its `:name` parameters; put together from fixed fragments, never from values.
public struct SQL: Sendable, ExpressibleByStringLiteral {
    public var text: String
    public var bindings: [String: Value]
    /// The columns of the result, by their indexes, that hold keys of another table and are read as a text of its rows: of many
    /// rows that refer to few, that costs less than a join. As by a join, a row whose key is of nothing is left out. Of use where
    /// ``Session/readsTextsByKey`` is true.
    var texts: [Int: TextColumn] = [:]

    public init(_ text: String, _ bindings: [String: Value] = [:]) {
        self.text = text
        self.bindings = bindings
    }

    public init(stringLiteral text: String) { self.init(text) }

    /// An INSERT of one row, with a parameter for each column.
    static func insert(into table: String, columns: [String]) -> String {
        """
        INSERT INTO \(table) (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { ":\($0)" }.joined(separator: ", ")))
        """
    }

    public static func += (a: inout SQL, b: SQL) {
        a.text += b.text
        a.bind(b.bindings)
    }

    /// The values of the statement's parameters, in their order.
    func values(of statement: any Statement) throws -> [Value] {
        try statement.parameters.map { name in
            guard let value = bindings[name] else {
                throw HabitError(.internal, "the query has no value for its parameter ':\(name)'")
            }
            return value
        }
    }

    /// A name bound twice must mean the same value: fragments that differ use names of their own.
    public mutating func bind(_ more: [String: Value]) { bindings.merge(more) { _, new in new } }
}

/// A column of a table that is never null, and its rows a key `id`.
public struct TextColumn: Hashable, Sendable {
    var name: String
    var table: String
}

/// The key of an event with the key of its user, by which some engines partition events.
public struct EventKey: Sendable, Hashable {
    var event: Int64
    var user: Int64
}

extension Dialect {
    var hasShards: Bool { false }

    var skippedEvents: String { "event" }

    func events(ofHabits keys: String) -> String {
        "event\nWHERE event.habit_id IN (\(keys)) AND event.day >= :from_day"
    }
}

extension BoundingBox {
    /// `:…_south` and `:…_north`, and `:…_west0` and `:…_east0` of each of its parts.
    func bindings(prefix: String) -> [String: Value] {
        var bindings: [String: Value] = ["\(prefix)_south": .number(south), "\(prefix)_north": .number(north)]
        for (part, box) in parts.enumerated() {
            bindings["\(prefix)_west\(part)"] = .number(box.west)
            bindings["\(prefix)_east\(part)"] = .number(box.east)
        }
        return bindings
    }
}

extension HabitError {
    /// What opening a store says that a newer program has written.
    static func newerSchema(_ version: Int, of place: String, known: Int) -> HabitError {
        HabitError(
            .storeNotHabitat,
            "the store '\(place)' was written by a newer Habitat (schema \(version), this one knows \(known)): update the program"
        )
    }
}

/// What the two SQL dialects say differently.
public protocol Dialect: Sendable {
    /// The rows of `table` that the spatial index on its `geometry` finds in a box, and perhaps a few beside it: a source
    /// for FROM that has the table under its own name.
    func candidates(in box: BoundingBox, of table: String) -> SQL

    /// Whether the point `geometry` lies in the box, edges included: a condition.
    func isInside(_ box: BoundingBox, geometry: String) -> SQL

    /// Metres on the WGS 84 geodesic from `:longitude`, `:latitude` to `geometry`: an expression.
    func distance(to geometry: String) -> String

    /// The rows of `table` that its search index finds for `text` (folded): a source for FROM as the other candidates are, for
    /// where nothing else narrows the rows, and whether all of them hold the text. Nil where no such source is of use.
    func candidates(holding text: String, of table: String) -> (from: SQL, areAll: Bool)?

    /// Whether `column` (folded) contains `text` (folded): a condition.
    func contains(_ text: String, in column: String, of table: String) -> SQL

    /// Whether the comment of a row of `table` (folded) contains `word` (folded) as whole words: a condition.
    func containsWord(_ word: String, in table: String) -> SQL

    /// Degrees on WGS 84 of the point `geometry`: an expression.
    func longitude(of geometry: String) -> String
    func latitude(of geometry: String) -> String

    /// A JOIN … ON whose left side should be looked at first.
    var orderedJoin: String { get }

    /// Joins the newest `event` of each `habit`.
    var newestEventJoin: String { get }

    /// The rows `event` of the habits with these keys, and behind those from `:from_day` on: what stands behind FROM.
    func events(ofHabits keys: String) -> String

    /// `event`, where the skipped ones of a habit are asked for: what stands behind FROM.
    var skippedEvents: String { get }

    /// The events with these keys, each with the key of its user: a source for FROM. Binds `:event_keys`.
    func events(withKeys keys: [EventKey]) -> SQL

    /// Whether the events are stored on several servers.
    var hasShards: Bool { get }

    /// Whether each statement is a way to a server and back.
    var isDistant: Bool { get }

    /// Of how many habits the events are best read by one statement: 1 where a statement costs no more than a look-up.
    var habitsAtOnce: Int { get }

    /// The end of a SELECT that the engine must work out before it looks at any condition from outside: a function that fails
    /// on a row must never see one that the SELECT leaves out.
    var barrier: String { get }
}
