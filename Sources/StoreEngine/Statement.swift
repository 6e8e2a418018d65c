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
    /// The statement, if it can be sent with several lists of values at once; `nil` if ``Session/pipeline`` is.
    var pipelined: (any PipelinedStatement)? { get }
}

/// A statement of a session with a ``QueryPipeline``.
public protocol PipelinedStatement {
    /// Sends several lists of values in one network round trip, and returns for each whether it finds a row.
    ///
    /// An answer serves the next ``Statement/bind(_:)`` of its values, once, until ``QueryPipeline/forgetAnswers()``.
    @discardableResult func askAhead(_ questions: [[Value]]) throws -> [Bool]
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

extension Statement {
    /// Returns what `body` makes of the first row; `nil` if there is none.
    package func firstRow<Result>(_ body: (any Row) throws -> Result) throws -> Result? {
        var result: Result?
        try forEach {
            result = try body($0)
            return false
        }
        return result
    }
}
