import Synchronization

/// Whether the cookie of a request names no session.
///
/// The reader of the caller notes it, and the middleware clears the cookie and writes the audit log.
package final class RefusedSession: Sendable {
    private let value = Mutex(false)

    package init() {}

    /// Whether the session was refused.
    package var isNoted: Bool { value.withLock { isNoted in isNoted } }

    /// Notes that the session was refused.
    package func note() { value.withLock { isNoted in isNoted = true } }
}
