import Foundation
import HabitModel
import HabitStore
import NIOPosix
import Synchronization

/// Connections to one store for requests that come at the same time: several that read, one that writes.
///
/// Engines are synchronous: their work is done on threads of its own, and a request waits for one of them without holding any.
final class StorePool: Sendable {
    private let readers: Lane
    private let writers: Lane
    /// For answers that are sent while they are read: a client that takes its time keeps none of the others waiting.
    private let streams: Lane
    /// Says whether anything has changed. Nothing else is asked of it, so that its answers can be compared.
    private let watcher: any Engine

    /// `open` gives a new engine for reading, or for writing.
    init(readers count: Int, queue: Int, deadline: Duration, open: (_ writes: Bool) throws -> any Engine) throws {
        // The writer first: it brings an older store up to date.
        let writer = try open(true)
        watcher = try open(false)
        readers = Lane(try (0..<count).map { _ in try open(false) }, queue: queue, deadline: deadline)
        streams = Lane(try (0..<count).map { _ in try open(false) }, queue: queue, deadline: deadline)
        writers = Lane([writer], queue: queue, deadline: deadline)
    }

    /// A number that is another one after each change of the store, whoever made it.
    func version() throws -> Int64 { try watcher.dataVersion() }

    /// Runs `body` on one state of the store.
    ///
    /// Throws `timeout` where it takes longer than a request may, ``Overload`` where too many wait already.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Result
    ) async throws -> Result {
        try await readers.run { try $0.read(body) }
    }

    /// Runs `body` on one state of the store, and says which it is; `streams` where it waits for a client meanwhile.
    func read<Result: Sendable>(
        streams isStream: Bool = false, _ body: @escaping @Sendable (any Session, _ version: Int64) throws -> Result
    ) async throws -> Result {
        try await (isStream ? streams : readers).run { [self] engine in
            while true {
                let version = try version()
                let result = try engine.read { session -> Result? in
                    // The first look at a table is what fixes the state.
                    _ = try session.first("SELECT 1 FROM account LIMIT 1") { _ in true }
                    return try self.version() == version ? try body(session, version) : nil
                }
                if let result { return result }
            }
        }
    }

    /// Runs `body` in a transaction; a throw undoes all of it.
    func write<Result: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Result) async throws -> Result {
        try await writers.run { try $0.write(body) }
    }

    /// So many requests are at work or wait.
    var load: (running: Int, waiting: Int) { readers.load }

    func shutdown() async {
        await readers.shutdown()
        await streams.shutdown()
        await writers.shutdown()
    }
}

/// More requests wait than can be answered soon.
struct Overload: Error {}

/// Engines of one kind, each with a thread.
private final class Lane: Sendable {
    private struct State {
        var idle: [any Engine]
        var pending = 0
    }

    private let state: Mutex<State>
    private let threads: NIOThreadPool
    private let count: Int
    private let queue: Int
    private let deadline: Duration

    init(_ engines: [any Engine], queue: Int, deadline: Duration) {
        state = Mutex(State(idle: engines))
        count = engines.count
        self.queue = queue
        self.deadline = deadline
        threads = NIOThreadPool(numberOfThreads: engines.count)
        threads.start()
    }

    var load: (running: Int, waiting: Int) {
        state.withLock { (count - $0.idle.count, $0.pending - (count - $0.idle.count)) }
    }

    func run<Result: Sendable>(_ body: @escaping @Sendable (any Engine) throws -> Result) async throws -> Result {
        try state.withLock {
            guard $0.pending < count + queue else { throw Overload() }
            $0.pending += 1
        }
        defer { state.withLock { $0.pending -= 1 } }
        let job = Job()
        let timer = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: .init(deadline)) { job.stop() }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await threads.runIfActive { [self] in
                // There are as many threads as engines.
                guard let engine = state.withLock({ $0.idle.popLast() }) else {
                    throw HabitError(.internal, "there is no connection to the store")
                }
                defer { state.withLock { $0.idle.append(engine) } }
                try job.begin(engine)
                do {
                    let result = try body(engine)
                    _ = job.end()
                    return result
                } catch {
                    // An index that is stopped says so in other words.
                    throw job.end() ? error : HabitError(.timeout, "the request took too long")
                }
            }
        } onCancel: {
            job.stop()
        }
    }

    func shutdown() async { try? await threads.shutdownGracefully() }
}

/// What an engine does for one request, which may be stopped from elsewhere.
private final class Job: Sendable {
    private enum State {
        case waiting
        case running(any Engine)
        case over
    }

    private let state = Mutex(State.waiting)

    func begin(_ engine: any Engine) throws {
        try state.withLock {
            guard case .waiting = $0 else {
                throw HabitError(.timeout, "the request has waited too long: try again later, or ask for less")
            }
            $0 = .running(engine)
        }
    }

    /// Says whether it came to its end by itself.
    func end() -> Bool {
        state.withLock { state in
            defer { state = .over }
            if case .running = state { return true }
            return false
        }
    }

    /// Under the lock: an engine that has gone on to another request is not stopped.
    func stop() {
        state.withLock {
            if case .running(let engine) = $0 { engine.interrupt() }
            $0 = .over
        }
    }
}
