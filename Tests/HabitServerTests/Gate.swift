import Dispatch
import HabitTestSupport
import Synchronization
import Testing

/// A gate that blocks waiting threads until it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let waiting = Atomic(0)

    func wait() {
        waiting.add(1, ordering: .relaxed)
        semaphore.wait()
    }

    /// Opens the gate for a number of threads.
    func open(_ count: Int = 1) { for _ in 0..<count { semaphore.signal() } }

    /// Waits until `count` threads are blocked.
    func reached(by count: Int) async throws {
        try await waitUntil("\(count) threads are blocked") { waiting.load(ordering: .relaxed) >= count }
    }
}
