import Foundation
import Glibc
import HabitModel
import StoreEngine

/// A producer and a consumer thread for the same input: one thread fills batches, the caller processes them in order.
///
/// The pipeline reuses `depth` batches. This bounds memory use and the distance between the two threads.
final class Pipeline<Batch: AnyObject>: @unchecked Sendable {
    // The lock protects all properties, except the contents of the batches. Each batch belongs to one thread at a time.
    private let lock = NSCondition()
    private var free: [Batch]
    private var full: [Batch] = []
    private var end: Result<Void, any Error>?
    private var isStopped = false

    init(depth: Int, _ make: () -> Batch) { free = (0..<depth).map { _ in make() } }

    /// Calls `fill` on another thread until it returns `false` or throws, and passes each batch to `process`.
    ///
    /// The last batch is the batch for which `fill` returned `false`. If `fill` throws an error, this method processes
    /// the preceding batches and throws the same error. The other thread has ended when this method returns.
    ///
    /// - Parameters:
    ///   - fill: Fills a batch. Returns `false` if the batch is the last one.
    ///   - process: Processes a batch on the caller's thread. Its error ends both threads.
    /// - Throws: The error of `fill` or `process`, or `internal` if the thread cannot be started.
    func run(fill: (Batch) throws -> Bool, process: (Batch) throws -> Void) throws {
        try withoutActuallyEscaping(fill) { fill in
            let thread = try WorkerThread { self.fill(fill) }
            defer {
                stop()
                thread.join()
            }
            while let batch = try next() {
                try process(batch)
                release(batch)
            }
        }
    }

    // MARK: Producer thread

    private func fill(_ body: (Batch) throws -> Bool) {
        while let batch = dequeueFreeBatch() {
            do {
                let goesOn = try body(batch)
                finish(batch, goesOn ? nil : .success(()))
                if !goesOn { return }
            } catch {
                return finish(nil, .failure(error))
            }
        }
    }

    private func dequeueFreeBatch() -> Batch? {
        lock.withLock {
            while free.isEmpty, !isStopped { lock.wait() }
            return isStopped ? nil : free.removeLast()
        }
    }

    private func finish(_ batch: Batch?, _ end: Result<Void, any Error>?) {
        lock.withLock {
            if let batch { full.append(batch) }
            self.end = end
            lock.broadcast()
        }
    }

    // MARK: Consumer thread

    private func next() throws -> Batch? {
        try lock.withLock {
            while full.isEmpty, end == nil { lock.wait() }
            if !full.isEmpty { return full.removeFirst() }
            try end?.get()
            return nil
        }
    }

    private func release(_ batch: Batch) {
        lock.withLock {
            free.append(batch)
            lock.broadcast()
        }
    }

    private func stop() {
        lock.withLock {
            isStopped = true
            lock.broadcast()
        }
    }
}
