/// A compiled statement that can be run many times.
public protocol Statement: AnyObject {
    /// The names of the parameters, in the order of their first appearance.
    var parameters: [String] { get }
    /// The names of the result's columns, valid only after ``bind(_:)``.
    var columnNames: [String] { get throws }
    /// Replaces the values of all parameters, in the order of ``parameters``.
    func bind(_ values: [Value]) throws
    /// Calls `body` with each row until `body` returns `false`.
    func forEach(_ body: (any Row) throws -> Bool) throws
    /// Advances to the next row, which is the first row after ``bind(_:)``.
    ///
    /// Returns `nil` after the last row. The next call then starts from the beginning.
    func next() throws -> (any Row)?
    /// Runs a statement that returns no rows, and returns the number of rows that it changed.
    @discardableResult func run() throws -> Int
    /// The statement as one that can be sent with several lists of values, or `nil` if ``Session/pipeline`` is `nil`.
    var pipelined: (any PipelinedStatement)? { get }
}

/// A statement of a session that has a ``QueryPipeline``.
public protocol PipelinedStatement {
    /// Prefetches the results for several lists of values in one network round trip.
    ///
    /// The next ``Statement/bind(_:)`` of the same values uses a prefetched result, once at most.
    /// ``QueryPipeline/invalidatePrefetch()`` discards the results.
    ///
    /// - Parameter lists: The lists of values, each in the order of ``Statement/parameters``.
    /// - Returns: Whether the result has rows, for each list.
    /// - Throws: An error of the engine.
    @discardableResult func prefetch(_ lists: [[Value]]) throws -> [Bool]
}

/// An inserter for rows of one table.
///
/// The engine stores each row immediately, or at the latest before it runs another statement.
public protocol Inserts: AnyObject {
    /// Inserts a row whose values are in the order of the columns.
    func insert(_ values: [Value]) throws
}

/// A batch of new rows of one table that are written together, in the order that suits the engine.
public protocol InsertBatch: AnyObject {
    /// Whether the pending rows have reached the capacity, so that the caller should write them.
    var isFull: Bool { get }
    /// Adds a row whose values are in the order of the columns.
    func add(_ values: [Value]) throws
    /// Writes the pending rows and returns the keys that the engine assigned.
    ///
    /// The keys are in the order in which the rows were added. The result is empty if the rows have their own keys.
    func write() throws -> [Int64]
}

extension Statement {
    /// Returns the result of `body` for the first row, or `nil` if the result is empty.
    package func firstRow<Result>(_ body: (any Row) throws -> Result) throws -> Result? {
        var result: Result?
        try forEach { row in
            result = try body(row)
            return false
        }
        return result
    }
}
