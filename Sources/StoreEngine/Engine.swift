import Base
import Geo

/// A database that stores the records: a SpatiaLite file, or a PostgreSQL database with PostGIS.
///
/// Queries and writes are SQL with named bindings that both dialects accept. ``Dialect`` provides the fragments that
/// differ. An ability that only some engines have is a protocol of its own. The property for the ability is `nil` if
/// the engine does not have it.
public protocol Engine: Sendable {
    /// Runs `body` in a read transaction on one consistent state of the store.
    ///
    /// Concurrent writers do not affect the state.
    ///
    /// - Parameters:
    ///   - snapshot: A closure that the engine calls once, immediately before the transaction begins. It returns the name
    ///     of a snapshot of ``SnapshotExporter``, or `nil` for the current state.
    ///   - body: A closure that reads. Its session is valid only until the closure returns.
    /// - Returns: The result of `body`.
    /// - Throws: The error thrown by `body` or `snapshot`, or an error of the engine.
    func read<Result>(
        at snapshot: () throws -> String?,
        _ body: (any Session) throws -> Result
    ) throws -> Result

    /// Runs `body` like ``read(at:_:)``, in a session that can run user-supplied SQL.
    ///
    /// - Parameters:
    ///   - scope: The reader and the clock of the SQL.
    ///   - snapshot: A closure that returns the name of a snapshot, or `nil` for the current state.
    ///   - body: A closure that reads. Its session is valid only until the closure returns.
    /// - Returns: The result of `body`.
    /// - Throws: The error thrown by `body` or `snapshot`, or an error of the engine.
    func analyze<Result>(
        _ scope: AnalysisScope,
        at snapshot: () throws -> String?,
        _ body: (any Session) throws -> Result
    ) throws -> Result

    /// Runs `body` in a write transaction.
    ///
    /// The transaction is durable when the method returns.
    ///
    /// - Parameter body: A closure that writes. Its session is valid only until the closure returns.
    /// - Returns: The result of `body`, after the commit.
    /// - Throws: The error thrown by `body`, after a rollback, or an error of the engine such as `busy` or `no-space`.
    func write<Result>(_ body: (any Session) throws -> Result) throws -> Result

    /// Runs `body` like ``write(_:)``, optimized for many rows.
    ///
    /// Constraints are enforced. If the store is nearly empty, readers may have to wait until the method returns.
    ///
    /// - Parameter body: A closure that writes. Its session is valid only until the closure returns.
    /// - Returns: The result of `body`, after the commit.
    /// - Throws: The error thrown by `body`, after a rollback, or an error of the engine such as `busy` or `no-space`.
    func bulkWrite<Result>(_ body: (any Session) throws -> Result) throws -> Result

    /// Returns a number that changes with each change of the store by another connection.
    ///
    /// Compare the number only with other numbers of this engine.
    func dataVersion() throws -> Int64

    /// Stops the running statement, which throws `timeout`.
    ///
    /// The method can be called from any thread.
    func interrupt()

    /// The log of committed changes next to the store's file.
    ///
    /// The value is `nil` if the engine only reads, or if the store is on a database server.
    var writeAheadLog: (any WriteAheadLog)? { get }

    /// The ability to copy the store into one file, or `nil` if the store is not a file.
    var fileCopier: (any FileCopier)? { get }
}

extension Engine {
    /// Runs `body` like ``read(at:_:)`` on the current state of the store.
    public func read<Result>(
        _ body: (any Session) throws -> Result
    ) throws -> Result {
        try read(at: { nil }, body)
    }

    /// Runs `body` like ``analyze(_:at:_:)`` on the current state of the store.
    public func analyze<Result>(
        _ scope: AnalysisScope,
        _ body: (any Session) throws -> Result
    ) throws -> Result {
        try analyze(scope, at: { nil }, body)
    }
}

/// A log of committed changes that are not yet in the store's own file.
public protocol WriteAheadLog {
    /// Moves committed changes into the store's file and empties the log.
    ///
    /// Open transactions of other connections can prevent part of this. That is not an error.
    ///
    /// - Parameter wait: The maximum time to wait for the transactions of other connections.
    /// - Throws: An error of the engine.
    func checkpoint(wait: Duration) throws
}

/// An engine whose store is a file that it can copy.
public protocol FileCopier {
    /// Copies one consistent state of the store into the empty file at `path`.
    ///
    /// The copy is a complete store. Concurrent writers do not affect it. The method checks every page of the copy.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The path that errors name. It differs from `path` if the file gets its name later.
    ///   - progress: A closure that is called after every few MiB. An error that it throws stops the copy.
    /// - Throws: The error thrown by `progress`, or an error of the engine such as `store-damaged`.
    func copy(to path: String, named name: String, progress: () throws -> Void) throws
}
