import Base
import Synchronization

/// The work of a resource, such as a connection to a store, for one request.
///
/// Another thread may stop it.
final class Job<Resource: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Resource, any Error>)
        case granted
        case running(Resource)
        case over
    }

    private let state = Mutex(State.new)
    private let interrupt: @Sendable (Resource) -> Void

    /// Creates a job.
    ///
    /// - Parameter interrupt: Ends the running work of a resource early.
    init(interrupt: @escaping @Sendable (Resource) -> Void) { self.interrupt = interrupt }

    private static var waitedTooLong: HabitError {
        HabitError(.timeout, "the request waited too long: try again later or request less data")
    }

    /// Stores `continuation` until the job gets a resource, is refused or is stopped.
    ///
    /// - Returns: Whether the job waits. A stopped job resumes immediately with an error.
    func wait(_ continuation: CheckedContinuation<Resource, any Error>) -> Bool {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isNew { continuation.resume(throwing: Self.waitedTooLong) }
        return isNew
    }

    /// Resumes the job with a resource.
    ///
    /// Returns `false` if the job no longer waits.
    func grant(_ resource: Resource) -> Bool {
        let waiting = endWait(.granted)
        waiting?.resume(returning: resource)
        return waiting != nil
    }

    /// Resumes a waiting job with ``OverloadError``.
    func refuse() { endWait(.over)?.resume(throwing: OverloadError()) }

    func begin(_ resource: Resource) throws {
        try state.withLock { state in
            guard case .granted = state else { throw Self.waitedTooLong }
            state = .running(resource)
        }
    }

    /// Ends the job and returns whether it was still running, that is, whether no other thread has stopped it.
    func end() -> Bool {
        state.withLock { state in
            defer { state = .over }
            if case .running = state { return true }
            return false
        }
    }

    /// Stops the job.
    ///
    /// The lock protects the state, so that a resource that already serves the next request is not interrupted.
    func stop() {
        if let waiting = endWait(.over) {
            return waiting.resume(throwing: Self.waitedTooLong)
        }
        state.withLock { state in
            if case .running(let resource) = state { interrupt(resource) }
            state = .over
        }
    }

    private func endWait(_ next: State) -> CheckedContinuation<Resource, any Error>? {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return nil }
            state = next
            return continuation
        }
    }
}
