import Base
import Foundation
import Glibc

/// A thread that runs one closure and releases it in `join()`.
///
/// `Thread` does not specify when it releases its closure.
package final class WorkerThread {
    private var body: (() -> Void)?
    private var thread = pthread_t()

    /// Starts a thread that runs `body`.
    ///
    /// - Throws: `internal` if the thread cannot be started.
    package init(_ body: @escaping () -> Void) throws {
        self.body = body
        let worker = Unmanaged.passUnretained(self).toOpaque()
        let code = pthread_create(
            &thread,
            nil,
            { argument in
                if let argument {
                    let worker = Unmanaged<WorkerThread>.fromOpaque(argument)
                    worker.takeUnretainedValue().body?()
                }
                return nil
            },
            worker)
        guard code == 0 else {
            throw HabitError(.internal, "a thread cannot be started: \(String(cString: strerror(code)))")
        }
    }

    /// Waits until the closure has returned.
    package func join() {
        pthread_join(thread, nil)
        body = nil
    }
}
