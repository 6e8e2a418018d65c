import HabitStore
import StoreEngine

/// Connections to one store for concurrent requests: several for reading and one for writing.
///
/// Engines are synchronous. They run on their own threads, and a request that waits for a connection blocks no thread.
/// Requesters are served in turn, and none may use more than half of the connections at the same time.
final class StorePool: Sendable {
    private let requests: Lane
    private let writers: Lane
    private let responses: Lane
    private let changes: Lane
    private let watcher: StoreWatcher

    /// A group of connections for reading.
    enum ReadLane {
        /// Requests whose result is held in memory.
        case requests
        /// Responses that are sent while they are read, so that their connection waits for the client.
        case responses
        /// Streams of changes.
        ///
        /// After a change of the store, all streams wait at the same time. They share one connection, so that they
        /// delay no request, and none of them is refused.
        case changes
    }

    /// Opens the connections.
    ///
    /// - Parameters:
    ///   - count: The number of connections for requests, and the number of connections for responses.
    ///   - queue: Maximum number of requests that wait for each of these kinds of connections.
    ///   - deadline: Maximum time for which a request waits and runs.
    ///   - open: Returns a new engine: for writing if its argument is `true`, otherwise for reading.
    /// - Throws: The errors of `open`.
    init(readers count: Int, queue: Int, deadline: Duration, open: (_ writes: Bool) throws -> any Engine) throws {
        // The writer is opened first, because it migrates an older store.
        let writer = try open(true)
        watcher = StoreWatcher(try open(false))
        requests = Lane(try (0..<count).map { _ in try open(false) }, queue: queue, deadline: deadline)
        responses = Lane(try (0..<count).map { _ in try open(false) }, queue: queue, deadline: deadline)
        changes = Lane([try open(false)], queue: .max, deadline: deadline)
        writers = Lane([writer], queue: queue, deadline: deadline)
    }

    /// Returns the current state of the store, which differs after each change by any program.
    func state() throws -> StoreState { try watcher.state() }

    /// Returns a state of the store that was current within the last second.
    func recentState() throws -> StoreState { try watcher.recentState() }

    private func lane(_ lane: ReadLane) -> Lane {
        switch lane {
        case .requests: requests
        case .responses: responses
        case .changes: changes
        }
    }

    /// Runs `body` on one snapshot of the store.
    ///
    /// - Throws: `timeout` if the request waits and runs longer than the deadline, ``OverloadError`` if too many requests
    ///   wait, and the errors of `body`.
    func read<Result: Sendable>(
        for requester: Requester, on lane: ReadLane = .requests,
        _ body: @escaping @Sendable (any Session) throws -> Result
    ) async throws -> Result {
        try await self.lane(lane).run(for: requester) { try $0.read(body) }
    }

    /// Runs `body` on one snapshot of the store and passes the state of the store in that snapshot.
    ///
    /// - Parameters:
    ///   - requester: The party in whose queue the request waits.
    ///   - lane: The connections that `body` uses.
    ///   - scope: The viewer of the user-supplied SQL that `body` runs; `nil` if it runs none.
    ///   - body: Reads the store. The state differs after each change of the store.
    /// - Returns: The result of `body`.
    /// - Throws: `timeout` if the request waits and runs longer than the deadline, ``OverloadError`` if too many requests
    ///   wait, the errors of `body`, and errors of the engine such as `store-unavailable`.
    func read<Result: Sendable>(
        for requester: Requester, on lane: ReadLane = .requests, as scope: AnalysisScope? = nil,
        _ body: @escaping @Sendable (any Session, _ state: StoreState) throws -> Result
    ) async throws -> Result {
        try await self.lane(lane).run(for: requester) { [self] engine in
            while true {
                let state = try state()
                let read = { (session: any Session) throws -> Result? in
                    try session.beginSnapshot()
                    return try self.state() == state ? try body(session, state) : nil
                }
                let result = try scope.map { try engine.analyze($0, read) } ?? engine.read(read)
                if let result { return result }
            }
        }
    }

    /// Runs `body` in a write transaction.
    ///
    /// An error rolls the transaction back.
    func write<Result: Sendable>(
        for requester: Requester, _ body: @escaping @Sendable (any Session) throws -> Result
    ) async throws -> Result {
        try await writers.run(for: requester) { try $0.write(body) }
    }

    /// The number of requests that read or wait to read, on all connections for reading.
    var load: (running: Int, waiting: Int) {
        let loads = [requests.load, responses.load, changes.load]
        return (
            running: loads.reduce(0) { sum, load in sum + load.running },
            waiting: loads.reduce(0) { sum, load in sum + load.waiting }
        )
    }

    /// Runs a checkpoint of the write-ahead log at regular intervals until the task is cancelled.
    func maintain(every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil {
            try? await writers.run(for: .server) { try $0.writeAheadLog?.checkpoint(wait: .seconds(1)) }
        }
    }

    /// Closes the connections and moves all committed changes from the write-ahead log into the store's file.
    func shutdown() async {
        await requests.shutdown()
        await responses.shutdown()
        await changes.shutdown()
        try? await writers.run(for: .server) { try $0.writeAheadLog?.checkpoint(wait: .seconds(5)) }
        await writers.shutdown()
    }
}

/// The error of a request that is refused because too many requests wait.
struct OverloadError: Error {}
