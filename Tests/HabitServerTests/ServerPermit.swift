import Synchronization

/// The permission of a test to run a server, until the permission is deallocated.
///
/// Swift Testing starts all tests together. Each server has several connections, so the number of servers at a time is
/// limited.
final class ServerPermit: Sendable {
    /// A test with two servers waits while it has the first, so the limit exceeds the number of such tests.
    private static let limit = 16

    private struct State {
        var used = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let state = Mutex(State())

    /// Waits until another server is allowed.
    init() async {
        await withCheckedContinuation { continuation in
            let isAllowed = Self.state.withLock { state in
                guard state.used == Self.limit else {
                    state.used += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isAllowed { continuation.resume() }
        }
    }

    deinit {
        // The next test in the queue takes over the permission.
        let next = Self.state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.used -= 1
            return nil
        }
        next?.resume()
    }
}
