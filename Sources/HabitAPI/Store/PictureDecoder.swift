import Base
import HTTPServing
import HTTPTypes
import NIOPosix
import Synchronization

/// The thread that decodes photos, one piece of work at a time, in turns between requesters.
///
/// A photo can need much memory and some time. A requester has at most one waiting piece of work in addition to the
/// running one, so that no requester fills the queue.
package final class PictureDecoder: Sendable {
    /// A request that waits for its turn.
    private final class Waiter: Sendable {
        let turn: CheckedContinuation<Bool, Never>

        init(_ turn: CheckedContinuation<Bool, Never>) { self.turn = turn }
    }

    private struct State {
        var queue = FairQueue<Requester, Waiter>(share: 1)
        var isBusy = false
    }

    private let state = Mutex(State())
    private let thread = NIOThreadPool(numberOfThreads: 1)

    private let deadline: Duration

    /// Starts the thread.
    ///
    /// - Parameter deadline: Maximum time for which a piece of work waits.
    package init(deadline: Duration) {
        self.deadline = deadline
        thread.start()
    }

    /// Ends the thread after the running work.
    package func shutdown() async throws { try await thread.shutdownGracefully() }

    /// The number of waiting pieces of work.
    var waitingCount: Int { state.withLock { $0.queue.count } }

    /// Runs `body` on the thread when it is the requester's turn.
    ///
    /// - Parameters:
    ///   - requester: The party for which the work runs.
    ///   - body: The work.
    /// - Returns: The result of `body`.
    /// - Throws: `too-many-requests` (429) if the requester already waits, `timeout` after the deadline, and the errors
    ///   of `body`.
    func decoding<Result: Sendable>(
        for requester: Requester,
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let end = ContinuousClock.now + deadline
        try await waitForTurn(of: requester)
        defer { finish(requester) }
        return try await thread.runIfActive {
            guard .now < end else { throw HabitError(.timeout, "the photo waited too long to be decoded") }
            return try body()
        }
    }

    private func waitForTurn(of requester: Requester) async throws {
        let hasTurn = await withCheckedContinuation { (turn: CheckedContinuation<Bool, Never>) in
            let isFull = state.withLock { state in
                guard state.queue.count(of: requester) == 0 else { return true }
                state.queue.append(Waiter(turn), of: requester)
                return false
            }
            if isFull { turn.resume(returning: false) } else { startNext() }
        }
        guard hasTurn else { throw Self.tooManyPictures }
    }

    private func finish(_ requester: Requester) {
        state.withLock { state in
            state.queue.finish(requester)
            state.isBusy = false
        }
        startNext()
    }

    private func startNext() {
        let next = state.withLock { state -> Waiter? in
            guard !state.isBusy, let next = state.queue.next() else { return nil }
            state.isBusy = true
            return next.entry
        }
        next?.turn.resume(returning: true)
    }

    private static let tooManyPictures = Problem(
        .tooManyRequests,
        slug: "too-many-requests",
        detail:
            "one of your photos is being decoded and another one waits: send the next one when a response has arrived",
        headers: [.retryAfter: "1"])
}
