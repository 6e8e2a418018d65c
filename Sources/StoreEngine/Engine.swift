import Geo
import HabitModel

/// What a caller does with a store.
public enum StoreAccess: Sendable {
    case read
    case write
    /// Creates the store if it does not exist.
    case create
}

/// A database that keeps the records: a SpatiaLite file, or a PostgreSQL database with PostGIS.
///
/// Queries and writes are SQL with named bindings that both dialects accept. ``Dialect`` words what must differ. An ability that only
/// some engines have is a protocol of its own, which an optional property returns: `nil` if the engine does not have the ability.
public protocol Engine: Sendable {
    /// Runs `body` on one consistent state of the store, unaffected by writers.
    func read<Result>(_ body: (any Session) throws -> Result) throws -> Result

    /// As ``read(_:)``, in a session that may run user-supplied SQL for the viewer of `scope`.
    func analyze<Result>(_ scope: AnalysisScope, _ body: (any Session) throws -> Result) throws -> Result

    /// Runs `body` in a write transaction: an error undoes all of it, a return is durable.
    func write<Result>(_ body: (any Session) throws -> Result) throws -> Result

    /// As ``write(_:)``, for many rows. Constraints are enforced. Readers may have to wait if the store is nearly
    /// empty.
    func bulkWrite<Result>(_ body: (any Session) throws -> Result) throws -> Result

    /// A number that changes with each change of the store by another connection. Compare it only with others of this engine.
    func dataVersion() throws -> Int64

    /// Stops the statement that runs now, from any thread. That statement throws `timeout`.
    func interrupt()

    /// The log of committed changes beside the store's file; `nil` for an engine that reads, or that is a database server.
    var writeAheadLog: (any WriteAheadLog)? { get }

    /// Copies the store into one file; `nil` if the store is not a file.
    var fileCopier: (any FileCopier)? { get }
}

/// A log of committed changes that are not yet in the store's own file.
public protocol WriteAheadLog {
    /// Moves committed changes into the store's file and empties the log, as far as other connections allow within `wait`.
    func checkpoint(wait: Duration) throws
}

/// Copies a store that is a file.
public protocol FileCopier {
    /// Makes the empty file at `path` a complete store with one state of this one, unaffected by writers, and checks every page of it.
    ///
    /// - Parameter progress: Is called after every few MiB; its error stops the copy.
    func copy(to path: String, progress: () throws -> Void) throws
}
