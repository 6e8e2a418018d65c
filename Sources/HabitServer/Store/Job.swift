import HabitModel
import HabitStore
import StoreEngine
import Synchronization

/// The work of an engine for one request, which another thread may stop.
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
        .timeout, "the request has waited too long: try again later, or ask for less")

    /// Keeps `continuation` until the job is granted an engine, refused or stopped.
    ///
    /// - Returns: whether the job waits. A stopped job resumes immediately.
    func wait(_ continuation: CheckedContinuation<any Engine, any Error>) -> Bool {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isNew { continuation.resume(throwing: Self.waitedTooLong) }
        return isNew
    }

    /// Resumes the job with an engine; returns `false` if it no longer waits.
    func grant(_ engine: any Engine) -> Bool {
        let waiting = endWait(.granted)
        waiting?.resume(returning: engine)
        return waiting != nil
    }

    /// Resumes a waiting job with ``Overload``.
    func refuse() { endWait(.over)?.resume(throwing: Overload()) }

    func begin(_ engine: any Engine) throws {
        try state.withLock {
            guard case .granted = $0 else { throw Self.waitedTooLong }
            $0 = .running(engine)
        }
    }

    /// Ends the job; returns whether it was still running, that is, whether no other thread had stopped it.
    func end() -> Bool {
        state.withLock { state in
            defer { state = .over }
            if case .running = state { return true }
            return false
        }
    }

    /// Stops the job. An engine that serves the next request is not interrupted, since the lock protects the state.
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
