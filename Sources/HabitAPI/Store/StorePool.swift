import Base
import HTTPServing
import HabitStore
import StoreEngine

/// Connections to one store for concurrent requests: several for reading and one for writing.
///
/// Engines are synchronous. They run on their own threads, and a request that waits for a connection blocks no thread.
/// Requesters are served in turn, and none may use more than half of the connections at the same time.
package final class StorePool: Sendable {
    private typealias EngineLane = Lane<Requester, any Engine>

    private let requests: EngineLane
    private let writers: EngineLane
    private let responses: EngineLane
    private let changes: EngineLane
    private let watcher: StoreWatcher
    /// The secret key of the store.
    package let key: [UInt8]
    /// The identity of the log of changes, which a restored store does not share with the store before.
    package let log: String

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
    /// - Throws: The errors of `open`, and `store-damaged` if the store has no key.
    package init(
        readers count: Int,
        queue: Int,
        deadline: Duration,
        open: (_ writes: Bool) throws -> any Engine
    ) throws {
        // The writer is opened first, because it migrates an older store.
        let writer = try open(true)
        let reader = try open(false)
        let state = try Self.state(of: reader)
        key = state.key
        log = state.log
        watcher = StoreWatcher(reader)
        func lane(_ engines: [any Engine], queue: Int) -> EngineLane {
            Lane(engines, queue: queue, deadline: deadline) { engine in
                engine.interrupt()
            }
        }
        func readers(_ count: Int) throws -> [any Engine] {
            try (0..<count).map { _ in try open(false) }
        }
        requests = lane(try readers(count), queue: queue)
        responses = lane(try readers(count), queue: queue)
        changes = lane(try readers(1), queue: .max)
        writers = lane([writer], queue: queue)
    }

    /// Reads the secret key and the identity of the log of a store.
    ///
    /// - Throws: `store-damaged` if the key is too short, because a client could guess the tags and tokens.
    private static func state(of engine: any Engine) throws -> LogState {
        let state = try engine.read { session in
            try LogState(of: .everyone, in: session)
        }
        guard state.key.count >= keyLength else {
            throw HabitError(
                .storeDamaged,
                "the store has no secret key of \(keyLength) bytes: restore a backup")
        }
        return state
    }

    /// The length of the secret key of a store, in bytes.
    private static let keyLength = 32

    /// Returns a number that differs after each change of the store by any program.
    ///
    /// - Throws: An error of the engine.
    func version() throws -> Int64 { try watcher.version() }

    /// Returns a ``version()`` that was current within the last second.
    ///
    /// - Throws: An error of the engine.
    func recentVersion() throws -> Int64 { try watcher.recentVersion() }

    private func lane(_ lane: ReadLane) -> EngineLane {
        switch lane {
        case .requests: requests
        case .responses: responses
        case .changes: changes
        }
    }

    /// Runs `body` on one snapshot of the store.
    ///
    /// - Parameters:
    ///   - requester: The party in whose queue the request waits.
    ///   - lane: The connections that `body` uses.
    ///   - scope: The viewer of the user-supplied SQL that `body` runs; `nil` if it runs none.
    ///   - body: Reads the store.
    /// - Returns: The result of `body`.
    /// - Throws: `timeout` if the request waits and runs longer than the deadline, ``OverloadError`` if too many requests
    ///   wait, the errors of `body`, and errors of the engine such as `store-unavailable`.
    func read<Result: Sendable>(
        for requester: Requester,
        on lane: ReadLane = .requests,
        as scope: AnalysisScope? = nil,
        _ body: @escaping @Sendable (any Session) throws -> Result
    ) async throws -> Result {
        try await self.lane(lane).run(for: requester) { engine in
            guard let scope else { return try engine.read(body) }
            return try engine.analyze(scope, body)
        }
    }

    /// Runs `body` in a write transaction.
    ///
    /// An error rolls the transaction back.
    func write<Result: Sendable>(
        for requester: Requester,
        _ body: @escaping @Sendable (any Session) throws -> Result
    ) async throws -> Result {
        try await writers.run(for: requester) { engine in try engine.write(body) }
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
    package func maintain(every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil {
            await checkpoint(wait: .seconds(1))
        }
    }

    private func checkpoint(wait: Duration) async {
        try? await writers.run(for: .server) { engine in
            try engine.writeAheadLog?.checkpoint(wait: wait)
        }
    }

    /// Closes the connections and moves all committed changes from the write-ahead log into the store's file.
    package func shutdown() async {
        await requests.shutdown()
        await responses.shutdown()
        await changes.shutdown()
        await checkpoint(wait: .seconds(5))
        await writers.shutdown()
    }
}
