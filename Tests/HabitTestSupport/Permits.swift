import Foundation
import Synchronization

/// A limited number of permissions to use something that the machine has little of.
///
/// Swift Testing starts all tests together. A test that waits for a permission does not block a thread.
public final class Permits: Sendable {
    /// The permissions to run a program until it ends.
    public static let programs = Permits(limit: max(4, 2 * ProcessInfo.processInfo.activeProcessorCount))
    /// The permissions to run a server with its connections.
    ///
    /// A test with two servers waits while it has the first, so the limit exceeds the number of such tests.
    public static let servers = Permits(limit: 16)
    /// The permissions of suites to run one server for all of their tests.
    ///
    /// A test of such a suite can also run its own server, so it must not wait for the servers of other suites.
    public static let suites = Permits(limit: 8)

    private struct State {
        var used = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    private init(limit: Int) { self.limit = limit }

    /// Waits for a permission, which ends when the result is deallocated.
    public func permit() async -> Permit {
        await withCheckedContinuation { continuation in
            let isAllowed = state.withLock { state in
                guard state.used == limit else {
                    state.used += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isAllowed { continuation.resume() }
        }
        return Permit(of: self)
    }

    /// Ends a permission: the next test in the queue takes it over.
    fileprivate func endPermit() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.used -= 1
            return nil
        }
        next?.resume()
    }
}

/// One of ``Permits``, until it is deallocated.
public final class Permit: Sendable {
    private let permits: Permits

    fileprivate init(of permits: Permits) { self.permits = permits }

    deinit { permits.endPermit() }
}
