import Foundation
import Synchronization

/// The standard error of the process.
enum StandardError {
    /// The discarded standard error.
    private struct Discarded {
        /// The number of calls of ``discarding(_:)`` that run.
        var calls = 0
        /// A copy of the descriptor of the standard error, or `nil` if no call runs or if it cannot be copied.
        var original: Int32?
    }

    private static let discarded = Mutex(Discarded())

    /// Runs `body` and discards the standard error of the process while it runs.
    ///
    /// For functions of SpatiaLite that write raw messages of SQLite there. Messages of other threads are also discarded.
    /// If several calls run at the same time, the last one restores the standard error.
    ///
    /// - Parameter body: The closure to run.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    static func discarding<Result>(_ body: () throws -> Result) rethrows -> Result {
        discarded.withLock { state in
            if state.calls == 0 { state.original = discard() }
            state.calls += 1
        }
        defer {
            discarded.withLock { state in
                state.calls -= 1
                if state.calls == 0 { restore(&state.original) }
            }
        }
        return try body()
    }

    /// Replaces the standard error by the null device.
    ///
    /// - Returns: A copy of the original descriptor, or `nil` if nothing was replaced.
    private static func discard() -> Int32? {
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard null >= 0 else { return nil }
        defer { close(null) }
        let original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        guard original >= 0 else { return nil }
        dup2(null, STDERR_FILENO)
        return original
    }

    private static func restore(_ original: inout Int32?) {
        guard let descriptor = original else { return }
        dup2(descriptor, STDERR_FILENO)
        close(descriptor)
        original = nil
    }
}
