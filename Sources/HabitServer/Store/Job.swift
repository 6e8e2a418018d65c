import Base
import HabitModel
import HabitStore
import StoreEngine
import Synchronization

/// The work of an engine for one request.
///
/// Another thread may stop it.
final class Job: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<any Engine, any Error>)
        case granted
        case running(any Engine)
        case over
    }

    private let state = Mutex(State.new)

    private static let waitedTooLong = HabitError(
        .timeout, "the request waited too long: try again later or request less data")

    /// Stores `continuation` until the job gets an engine, is refused or is stopped.
    ///
    /// - Returns: Whether the job waits. A stopped job resumes immediately with an error.
    func wait(_ continuation: CheckedContinuation<any Engine, any Error>) -> Bool {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isNew { continuation.resume(throwing: Self.waitedTooLong) }
        return isNew
    }

    /// Resumes the job with an engine.
    ///
    /// Returns `false` if the job no longer waits.
    func grant(_ engine: any Engine) -> Bool {
        let waiting = endWait(.granted)
        waiting?.resume(returning: engine)
        return waiting != nil
    }

    /// Resumes a waiting job with ``OverloadError``.
    func refuse() { endWait(.over)?.resume(throwing: OverloadError()) }

    func begin(_ engine: any Engine) throws {
        try state.withLock {
            guard case .granted = $0 else { throw Self.waitedTooLong }
            $0 = .running(engine)
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
    /// The lock protects the state, so that an engine that already serves the next request is not interrupted.
    func stop() {
        if let waiting = endWait(.over) { return waiting.resume(throwing: Self.waitedTooLong) }
        state.withLock {
            if case .running(let engine) = $0 { engine.interrupt() }
            $0 = .over
        }
    }

    private func endWait(_ next: State) -> CheckedContinuation<any Engine, any Error>? {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return nil }
            state = next
            return continuation
        }
    }
}
