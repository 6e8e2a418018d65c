import Foundation
import Glibc
import HabitModel

/// Two threads at work on the same input: one fills batches, the caller takes them in their order.
///
/// There are `depth` batches, used again and again, so that memory is bounded and neither thread is far ahead of the other.
final class Pipeline<Batch: AnyObject>: @unchecked Sendable {
    // Everything below is read and written under the lock, but for the batches: each belongs to one thread at a time.
    private let lock = NSCondition()
    private var free: [Batch]
    private var full: [Batch] = []
    private var end: Result<Void, any Error>?
    private var isStopped = false

    init(depth: Int, _ make: () -> Batch) { free = (0..<depth).map { _ in make() } }

    /// Lets `fill` fill batches on a thread of its own, until it returns false or throws, and hands each to `take`.
    ///
    /// The last batch is the one for which `fill` returned false. Where `fill` throws, so does this, after the batches before it.
    /// `fill` has ended when this returns.
    func run(fill: (Batch) throws -> Bool, take: (Batch) throws -> Void) throws {
        try withoutActuallyEscaping(fill) { fill in
            let thread = try WorkerThread { self.fill(fill) }
            defer {
                stop()
                thread.join()
            }
            while let batch = try next() {
                try take(batch)
                release(batch)
            }
        }
    }

    // MARK: The thread that fills

    private func fill(_ body: (Batch) throws -> Bool) {
        while let batch = takeFree() {
            do {
                let goesOn = try body(batch)
                finish(batch, goesOn ? nil : .success(()))
                if !goesOn { return }
            } catch {
                return finish(nil, .failure(error))
            }
        }
    }

    private func takeFree() -> Batch? {
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

    // MARK: The thread that takes

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

/// A thread that runs one closure, and holds it no longer than until it is joined: `Thread` does not say when it lets go.
private final class WorkerThread {
    private var body: (() -> Void)?
    private var thread = pthread_t()

    init(_ body: @escaping () -> Void) throws {
        self.body = body
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<WorkerThread>.fromOpaque(argument).takeUnretainedValue().body?() }
                return nil
            }, Unmanaged.passUnretained(self).toOpaque())
        guard code == 0 else {
            throw HabitError(.internal, "no thread could be started: \(String(cString: strerror(code)))")
        }
    }

    func join() {
        pthread_join(thread, nil)
        body = nil
    }
}
