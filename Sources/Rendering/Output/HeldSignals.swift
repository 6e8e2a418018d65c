import Glibc

/// Keeps Ctrl-C, SIGTERM and SIGHUP from ending the program while something lies on the disk that must not stay there.
///
/// Whoever holds them asks `isPending` now and then, cleans up, and lets go: then the signal does what it always does.
/// To be let go of by the thread that made it. (Dispatch's own threads take no signals.)
package final class HeldSignals {
    private static let held = [SIGHUP, SIGINT, SIGTERM]
    private var before = sigset_t()

    package init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in Self.held { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, &before)
    }

    deinit { pthread_sigmask(SIG_SETMASK, &before, nil) }

    /// Whether one of them has come. Costs a system call.
    package var isPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return Self.held.contains { sigismember(&pending, $0) == 1 && sigismember(&before, $0) == 0 }
    }
}
