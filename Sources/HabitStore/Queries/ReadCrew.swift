import Foundation
import StoreEngine

/// The helpers of a thread that reads a store: threads with a session on the same state of the store.
public final class ReadCrew: @unchecked Sendable {
    // The lock protects all variables. A session is used only by its own thread.
    private let lock = NSCondition()
    private let helpers: Int
    private var numbers: [Int64?] = []
    private var works: [(any Session) -> Void] = []
    private var isEnded = false
    private var endedHelpers = 0

    init(helpers: Int) { self.helpers = helpers }

    /// A crew without helpers.
    public static var alone: ReadCrew { ReadCrew(helpers: 0) }

    /// Whether the crew has helpers.
    public var isTeam: Bool { helpers > 0 }

    // MARK: The caller's thread

    /// Returns whether all helpers have begun in the state after the change `number`.
    func hasBegun(at number: Int64) -> Bool {
        lock.withLock {
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
    /// For each thread, at most two results are in memory.
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
        let job = Job(count: count, ahead: 2 * (helpers + 1), task)
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
    /// - Parameter read: Runs a closure in a read transaction of the connection.
    func serve(_ read: ((any Session) throws -> Void) throws -> Void) {
        var hasBegun = false
        // After an error before the first task, only the caller reads. The errors of tasks are among their results.
        try? read { session in
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
        if !hasBegun { begin(nil) }
        lock.withLock {
            endedHelpers += 1
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
    /// The maximum number of tasks that are begun after the first task whose result is not yet taken.
    private let ahead: Int
    private let task: (Int, any Session) throws -> () throws -> Void
    private var next = 0
    private var taken = 0
    private var isStopped = false
    private var results: [Int: Result<() throws -> Void, any Error>] = [:]

    init(count: Int, ahead: Int, _ task: @escaping (Int, any Session) throws -> () throws -> Void) {
        self.count = count
        self.ahead = ahead
        self.task = task
    }

    /// Runs tasks until no task is left.
    func work(in session: any Session) {
        while let index = begin(waiting: true) { run(index, in: session) }
    }

    /// Returns the result of a task, and runs this and later tasks while it waits.
    func result(of index: Int, in session: any Session) throws -> () throws -> Void {
        lock.withLock {
            taken = index
            lock.broadcast()
        }
        while true {
            if let result = lock.withLock({ results.removeValue(forKey: index) }) { return try result.get() }
            if let next = begin(waiting: false) {
                run(next, in: session)
            } else {
                lock.withLock { while results[index] == nil { lock.wait() } }
            }
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
                if next < taken + ahead {
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
