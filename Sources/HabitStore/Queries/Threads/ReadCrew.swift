import Foundation
import StoreEngine

/// The helpers of a thread that reads a store: threads with a session on the same state of the store.
public final class ReadCrew: @unchecked Sendable {
    // The lock protects all variables. A session is used only by its own thread.
    private let lock = NSCondition()
    private let helpers: Int
    /// Stops the running statement of the caller.
    private let interruptCaller: @Sendable () -> Void
    /// The number of helpers that are ready to begin their transactions, or have failed.
    private var readyHelpers = 0
    /// The snapshot of the caller, after the beginning of its transaction.
    private var snapshot: Snapshot?
    /// The number of the last change for each helper that has begun its transaction, or `nil` if the helper has failed.
    private var numbers: [Int64?] = []
    private var batches: [TaskBatch] = []
    private var isEnded = false
    private var endedHelpers = 0

    /// The state that the caller reads.
    private struct Snapshot {
        /// The name, or `nil` if the engine has no snapshots with names.
        var name: String?
    }

    /// The error of a helper whose transaction the caller does not need.
    private struct Ended: Error {}

    /// Creates a crew.
    ///
    /// - Parameters:
    ///   - helpers: The number of helpers.
    ///   - interruptCaller: Stops the running statement of the caller.
    init(helpers: Int, interruptCaller: @escaping @Sendable () -> Void = {}) {
        self.helpers = helpers
        self.interruptCaller = interruptCaller
    }

    /// A crew without helpers.
    public static var alone: ReadCrew { ReadCrew(helpers: 0) }

    /// Whether the crew has helpers.
    public var isTeam: Bool { helpers > 0 }

    /// The number of threads: the helpers and the thread of the caller.
    public var threads: Int { helpers + 1 }

    // MARK: The caller's thread

    /// Waits until all helpers are ready to begin their transactions.
    ///
    /// - Returns: `nil`, because the caller reads the current state.
    func waitForHelpers() -> String? {
        lock.withLock { while readyHelpers < helpers { lock.wait() } }
        return nil
    }

    /// Lets the helpers begin their transactions on the state of the caller's session.
    ///
    /// - Returns: Whether all helpers read the same state as the session.
    func begin(in session: any Session) throws -> Bool {
        // A store without the number cannot be read together.
        guard let number = try? session.changeNumber() else { return false }
        let name = try session.snapshotExporter?.exportSnapshot()
        return lock.withLock {
            snapshot = Snapshot(name: name)
            lock.broadcast()
            while numbers.count < helpers { lock.wait() }
            return numbers.allSatisfy { $0 == number }
        }
    }

    /// Ends the threads of the helpers after their current tasks.
    func end() {
        lock.withLock {
            isEnded = true
            lock.broadcast()
        }
    }

    /// Waits until all helpers have ended.
    ///
    /// - Parameter seconds: The maximum time to wait.
    /// - Returns: Whether the helpers have ended.
    func hasEnded(within seconds: Double) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        return lock.withLock {
            while endedHelpers < helpers, lock.wait(until: end) {}
            return endedHelpers == helpers
        }
    }

    /// Runs tasks on all threads, and the results of the tasks on the caller's thread in the order of the tasks.
    ///
    /// No thread begins a task while two results for each thread are in memory. If a task fails, later tasks are
    /// interrupted.
    ///
    /// - Parameters:
    ///   - count: The number of tasks.
    ///   - session: The session of the caller.
    ///   - task: A closure that runs the task with a number, from 0, in the session of its thread. Several threads call
    ///     it at the same time. It returns a closure that the caller's thread runs after the results of all earlier
    ///     tasks.
    /// - Throws: The error of the first task that fails, or of the first closure that fails.
    public func run(
        _ count: Int, in session: any Session, _ task: @escaping (Int, any Session) throws -> () throws -> Void
    ) throws {
        let batch = TaskBatch(count: count, mostResults: 2 * (helpers + 1), task)
        defer { batch.stop() }
        lock.withLock {
            batches.append(batch)
            lock.broadcast()
        }
        let caller = TaskBatch.Worker(session: session, interrupt: interruptCaller)
        for index in 0..<count { try batch.result(of: index, by: caller)() }
    }

    // MARK: The threads of the helpers

    /// Runs tasks with a connection until the crew ends.
    ///
    /// - Parameters:
    ///   - interrupt: Stops the running statement of the connection.
    ///   - read: Runs a closure in a read transaction of the connection, on the snapshot whose name the first closure
    ///     returns.
    func serve(
        interrupt: @escaping @Sendable () -> Void,
        _ read: (() throws -> String?, (any Session) throws -> Void) throws -> Void
    ) {
        var isReady = false
        var hasBegun = false
        // After an error before the first task, only the caller reads. The errors of tasks are among their results.
        try? read {
            isReady = true
            return try waitForSnapshot()
        } _: { session in
            guard let number = try session.changeNumber() else { return }
            begin(number)
            hasBegun = true
            try? session.fileMapping?.mapFile()
            let helper = TaskBatch.Worker(session: session, interrupt: interrupt)
            var count = 0
            while let batch = batch(after: count) {
                batch.work(by: helper)
                count += 1
            }
        }
        if !isReady { setReady() }
        if !hasBegun { begin(nil) }
        lock.withLock {
            endedHelpers += 1
            lock.broadcast()
        }
    }

    /// Waits for the beginning of the caller's transaction, and returns the name of its snapshot.
    ///
    /// - Throws: ``Ended`` if the caller has failed.
    private func waitForSnapshot() throws -> String? {
        setReady()
        return try lock.withLock {
            while snapshot == nil, !isEnded { lock.wait() }
            guard let snapshot else { throw Ended() }
            return snapshot.name
        }
    }

    private func setReady() {
        lock.withLock {
            readyHelpers += 1
            lock.broadcast()
        }
    }

    private func begin(_ number: Int64?) {
        lock.withLock {
            numbers.append(number)
            lock.broadcast()
        }
    }

    /// Waits for the batch after the first `count` batches, or for the end of the crew.
    private func batch(after count: Int) -> TaskBatch? {
        lock.withLock {
            while batches.count <= count, !isEnded { lock.wait() }
            return batches.count > count ? batches[count] : nil
        }
    }
}

/// Numbered tasks that several threads run.
private final class TaskBatch: @unchecked Sendable {
    /// A thread that runs tasks.
    struct Worker {
        var session: any Session
        /// Stops the running statement of the session.
        var interrupt: @Sendable () -> Void
    }

    // The lock protects all variables.
    private let lock = NSCondition()
    private let count: Int
    /// The number of results in memory with which no further task begins.
    private let mostResults: Int
    private let task: (Int, any Session) throws -> () throws -> Void
    private var next = 0
    private var running: [Int: Worker] = [:]
    /// The first task that has failed.
    private var failed: Int
    private var isStopped = false
    private var results: [Int: Result<() throws -> Void, any Error>] = [:]

    init(count: Int, mostResults: Int, _ task: @escaping (Int, any Session) throws -> () throws -> Void) {
        self.count = count
        failed = count
        self.mostResults = mostResults
        self.task = task
    }

    /// Runs tasks until no task is left.
    func work(by worker: Worker) {
        while let index = begin(by: worker, waiting: true) { run(index, by: worker) }
    }

    /// Returns the result of a task, and runs this and later tasks while it waits.
    func result(of index: Int, by worker: Worker) throws -> () throws -> Void {
        while true {
            if let result = removeResult(index) { return try result.get() }
            if let next = begin(by: worker, waiting: false) {
                run(next, by: worker)
            } else {
                lock.withLock { while results[index] == nil { lock.wait() } }
            }
        }
    }

    private func removeResult(_ index: Int) -> Result<() throws -> Void, any Error>? {
        lock.withLock {
            defer { lock.broadcast() }
            return results.removeValue(forKey: index)
        }
    }

    /// Ends the threads that run tasks after their current task.
    func stop() {
        lock.withLock {
            isStopped = true
            lock.broadcast()
        }
    }

    private func run(_ index: Int, by worker: Worker) {
        let result = Result { try task(index, worker.session) }
        lock.withLock {
            running[index] = nil
            results[index] = result
            lock.broadcast()
            guard case .failure = result, index < failed else { return }
            failed = index
            // The results of later tasks are not needed.
            while true {
                let later = running.filter { $0.key > index }
                if later.isEmpty { break }
                for worker in later.values { worker.interrupt() }
                // A statement that begins after the interruption is not interrupted.
                _ = lock.wait(until: Date(timeIntervalSinceNow: 0.02))
            }
        }
    }

    /// Returns the number of the next task, or `nil` if no task is left or may begin now.
    private func begin(by worker: Worker, waiting: Bool) -> Int? {
        lock.withLock {
            while !isStopped, next < failed {
                if results.count < mostResults {
                    next += 1
                    running[next - 1] = worker
                    return next - 1
                }
                guard waiting else { return nil }
                lock.wait()
            }
            return nil
        }
    }
}
