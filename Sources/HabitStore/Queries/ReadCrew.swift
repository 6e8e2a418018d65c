import Foundation
import StoreEngine

/// The helpers of a thread that reads a store: threads with a session on the same state of the store.
public final class ReadCrew: @unchecked Sendable {
    // The lock protects all variables. A session is used only by its own thread.
    private let lock = NSCondition()
    private let helpers: Int
    /// The number of helpers that are ready to begin their transactions, or have failed.
    private var readyHelpers = 0
    /// The snapshot of the caller, after the beginning of its transaction.
    private var snapshot: Snapshot?
    /// The number of the last change for each helper that has begun its transaction, or `nil` if the helper has failed.
    private var numbers: [Int64?] = []
    private var works: [(any Session) -> Void] = []
    private var isEnded = false
    private var endedHelpers = 0

    /// The state that the caller reads.
    private struct Snapshot {
        /// The name, or `nil` if the engine has no snapshots with names.
        var name: String?
    }

    /// The error of a helper whose transaction the caller does not need.
    private struct Ended: Error {}

    init(helpers: Int) { self.helpers = helpers }

    /// A crew without helpers.
    public static var alone: ReadCrew { ReadCrew(helpers: 0) }

    /// Whether the crew has helpers.
    public var isTeam: Bool { helpers > 0 }

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
    /// No thread begins a task while two results for each thread are in memory.
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
        let job = Job(count: count, mostResults: 2 * (helpers + 1), task)
        defer { job.stop() }
        assist { job.work(in: $0) }
        for index in 0..<count { try job.result(of: index, in: session)() }
    }

    /// Runs a closure on the thread of each helper while the caller does other work.
    ///
    /// The closure must return soon after the caller has ended its work. A helper begins the closure of a later call when
    /// the closures of the earlier calls have returned.
    ///
    /// - Parameter work: A closure that receives the session of the helper.
    public func assist(_ work: @escaping (any Session) -> Void) {
        lock.withLock {
            works.append(work)
            lock.broadcast()
        }
    }

    // MARK: The threads of the helpers

    /// Runs tasks with a connection until the crew ends.
    ///
    /// - Parameter read: Runs a closure in a read transaction of the connection, on the snapshot whose name the first
    ///   closure returns.
    func serve(_ read: (() throws -> String?, (any Session) throws -> Void) throws -> Void) {
        var (isReady, hasBegun) = (false, false)
        // After an error before the first task, only the caller reads. The errors of tasks are among their results.
        try? read {
            isReady = true
            return try waitForSnapshot()
        } _: { session in
            guard let number = try session.changeNumber() else { return }
            begin(number)
            hasBegun = true
            try? session.fileMapping?.mapFile()
            var count = 0
            while let work = work(after: count) {
                work(session)
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

    /// Waits for the closure after the first `count` closures, or for the end of the crew.
    private func work(after count: Int) -> ((any Session) -> Void)? {
        lock.withLock {
            while works.count <= count, !isEnded { lock.wait() }
            return works.count > count ? works[count] : nil
        }
    }
}

/// Numbered tasks that several threads run.
private final class Job: @unchecked Sendable {
    // The lock protects all variables.
    private let lock = NSCondition()
    private let count: Int
    /// The number of results in memory with which no further task begins.
    private let mostResults: Int
    private let task: (Int, any Session) throws -> () throws -> Void
    private var next = 0
    private var isStopped = false
    private var results: [Int: Result<() throws -> Void, any Error>] = [:]

    init(count: Int, mostResults: Int, _ task: @escaping (Int, any Session) throws -> () throws -> Void) {
        self.count = count
        self.mostResults = mostResults
        self.task = task
    }

    /// Runs tasks until no task is left.
    func work(in session: any Session) {
        while let index = begin(waiting: true) { run(index, in: session) }
    }

    /// Returns the result of a task, and runs this and later tasks while it waits.
    func result(of index: Int, in session: any Session) throws -> () throws -> Void {
        while true {
            if let result = take(index) { return try result.get() }
            if let next = begin(waiting: false) {
                run(next, in: session)
            } else {
                lock.withLock { while results[index] == nil { lock.wait() } }
            }
        }
    }

    private func take(_ index: Int) -> Result<() throws -> Void, any Error>? {
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

    private func run(_ index: Int, in session: any Session) {
        let result = Result { try task(index, session) }
        lock.withLock {
            results[index] = result
            lock.broadcast()
        }
    }

    /// Returns the number of the next task, or `nil` if no task is left or may begin now.
    private func begin(waiting: Bool) -> Int? {
        lock.withLock {
            while !isStopped, next < count {
                if results.count < mostResults {
                    next += 1
                    return next - 1
                }
                guard waiting else { return nil }
                lock.wait()
            }
            return nil
        }
    }
}
