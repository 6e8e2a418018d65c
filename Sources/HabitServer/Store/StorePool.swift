import HabitStore
import StoreEngine

/// Connections to one store for concurrent requests: several that read, one that writes.
///
/// Engines are synchronous. Their work is done on threads of their own; a request that waits for a connection blocks no thread.
/// Requesters are served in turn, and none may use more than half of the connections at the same time.
final class StorePool: Sendable {
    private let readers: Lane
    private let writers: Lane
    /// For responses that are sent while they are read.
    private let streams: Lane
    /// Reports whether the store has changed. It serves no other request, so that its versions can be compared.
    private let watcher: any Engine

    /// - Parameters:
    ///   - count: the number of connections for reading, and again for streams.
    ///   - queue: the number of requests that may wait for each kind of connection.
    ///   - deadline: the time that a request may wait and run.
    ///   - open: returns a new engine for reading, or for writing.
    init(readers count: Int, queue: Int, deadline: Duration, open: (_ writes: Bool) throws -> any Engine) throws {
        // The writer first: it migrates an older store.
        let writer = try open(true)
        watcher = try open(false)
        readers = Lane(try (0..<count).map { _ in try open(false) }, queue: queue, deadline: deadline)
        streams = Lane(try (0..<count).map { _ in try open(false) }, queue: queue, deadline: deadline)
        writers = Lane([writer], queue: queue, deadline: deadline)
    }

    /// A number that changes with each change of the store by any process.
    func version() throws -> Int64 { try watcher.dataVersion() }

    /// Runs `body` on one state of the store.
    ///
    /// - Throws: `timeout` if the request waits and runs longer than it may, ``Overload`` if too many requests wait.
    func read<Result: Sendable>(
        for requester: Requester, _ body: @escaping @Sendable (any Session) throws -> Result
    ) async throws -> Result {
        try await readers.run(for: requester) { try $0.read(body) }
    }

    /// Runs `body` on one state of the store and passes the version of that state.
    ///
    /// - Parameters:
    ///   - isStream: whether `body` waits for a client.
    ///   - scope: the viewer of the user-supplied SQL that `body` runs; `nil` if it runs none.
    func read<Result: Sendable>(
        for requester: Requester, streams isStream: Bool = false, as scope: AnalysisScope? = nil,
        _ body: @escaping @Sendable (any Session, _ version: Int64) throws -> Result
    ) async throws -> Result {
        try await (isStream ? streams : readers).run(for: requester) { [self] engine in
            while true {
                let version = try version()
                let read = { (session: any Session) throws -> Result? in
                    // The first look at a table fixes the state.
                    _ = try session.first("SELECT 1 FROM account LIMIT 1") { _ in true }
                    return try self.version() == version ? try body(session, version) : nil
                }
                let result = try scope.map { try engine.analyze($0, read) } ?? engine.read(read)
                if let result { return result }
            }
        }
    }

    /// Runs `body` in a transaction; an error rolls it back.
    func write<Result: Sendable>(
        for requester: Requester, _ body: @escaping @Sendable (any Session) throws -> Result
    ) async throws -> Result {
        try await writers.run(for: requester) { try $0.write(body) }
    }

    /// The number of requests that read, and of those that wait for a connection.
    var load: (running: Int, waiting: Int) { readers.load }

    /// Empties the store's write-ahead log at regular intervals until the task is cancelled.
    func maintain(every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil {
            try? await writers.run(for: .server) { try $0.writeAheadLog?.checkpoint(wait: .seconds(1)) }
        }
    }

    /// Closes the connections and moves all committed changes into the store's file.
    func shutdown() async {
        await readers.shutdown()
        await streams.shutdown()
        try? await writers.run(for: .server) { try $0.writeAheadLog?.checkpoint(wait: .seconds(5)) }
        await writers.shutdown()
    }
}

/// The number of waiting requests exceeds the limit.
struct Overload: Error {}
