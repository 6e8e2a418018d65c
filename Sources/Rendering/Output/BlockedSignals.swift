import Glibc

/// A block on SIGHUP, SIGINT and SIGTERM while the disk contains temporary files that must be removed.
///
/// The owner reads `isPending` regularly. If a signal is pending, it removes the files and releases the object. The
/// signal then has its usual effect. The thread that creates the object must also release it. The threads of Dispatch
/// receive no signals.
package final class BlockedSignals {
    private static let held = [SIGHUP, SIGINT, SIGTERM]
    private var before = sigset_t()

    /// Blocks the signals for the current thread.
    package init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in Self.held { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, &before)
    }

    deinit { pthread_sigmask(SIG_SETMASK, &before, nil) }

    /// Whether one of the signals is pending.
    ///
    /// The cost is one system call.
    package var isPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return Self.held.contains { sigismember(&pending, $0) == 1 && sigismember(&before, $0) == 0 }
    }
}
