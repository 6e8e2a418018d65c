import Base
import HTTPServing
import HTTPTypes
import NIOPosix
import Synchronization

/// The thread that decodes photos, one piece of work at a time, in turns between requesters.
///
/// A photo can need much memory and some time. The number of waiting pieces of work of a requester is limited, so that
/// no requester fills the queue. The uploads of a requester take turns with all others, and so do the copies.
package final class PictureDecoder: Sendable {
    /// The purpose of a piece of work.
    enum Purpose: Hashable {
        /// A check of a photo that a client sends. The body of its request is in memory until the end.
        case upload
        /// A smaller copy of a stored photo. A browser requests several photos of a page at the same time.
        case copy

        /// Maximum number of waiting pieces of work of a requester.
        var limit: Int { self == .upload ? 1 : 32 }
    }

    /// A party that takes turns with the others.
    ///
    /// The uploads and the copies of a requester are two parties.
    private struct Party: Hashable {
        var requester: Requester
        var purpose: Purpose
    }

    /// A request that waits for its turn.
    private final class Waiter: Sendable {
        let turn: CheckedContinuation<Void, any Error>

        init(_ turn: CheckedContinuation<Void, any Error>) { self.turn = turn }
    }

    private struct State {
        var queue = FairQueue<Party, Waiter>(share: 1)
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
    ///   - purpose: The purpose of the work.
    ///   - body: The work.
    /// - Returns: The result of `body`.
    /// - Throws: `too-many-requests` (429) if too much work of the requester waits, `busy` (503) for a copy if too much
    ///   work waits, `timeout` after the deadline, and the errors
    ///   of `body`.
    func decoding<Result: Sendable>(
        for requester: Requester,
        as purpose: Purpose = .upload,
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let end = ContinuousClock.now + deadline
        let party = Party(requester: requester, purpose: purpose)
        try await waitForTurn(of: party)
        defer { finish(party) }
        return try await thread.runIfActive {
            guard .now < end else { throw HabitError(.timeout, "the photo waited too long to be decoded") }
            return try body()
        }
    }

    private func waitForTurn(of party: Party) async throws {
        try await withCheckedThrowingContinuation { (turn: CheckedContinuation<Void, any Error>) in
            let refusal = state.withLock { state -> Problem? in
                if let refusal = Self.refusal(of: party, in: state.queue) { return refusal }
                state.queue.append(Waiter(turn), of: party)
                return nil
            }
            if let refusal {
                turn.resume(throwing: refusal)
            } else {
                startNext()
            }
        }
    }

    /// Returns the problem of a party whose work cannot wait in a queue, or `nil` if it can.
    private static func refusal(of party: Party, in queue: FairQueue<Party, Waiter>) -> Problem? {
        if party.purpose == .copy, queue.count >= copyLimit { return busy }
        guard queue.count(of: party) >= party.purpose.limit else { return nil }
        return party.purpose == .upload ? tooManyPictures : tooManyCopies
    }

    private func finish(_ party: Party) {
        state.withLock { state in
            state.queue.finish(party)
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
        next?.turn.resume()
    }

    private static let tooManyPictures = Problem(
        .tooManyRequests,
        slug: ServerSlug.tooManyRequests,
        detail:
            "the server decodes one of your photos, and a second photo waits: send the next photo after a response",
        headers: [.retryAfter: "1"])
    /// The number of waiting pieces of work from which on no copy is accepted, which limits the memory of their photos.
    private static let copyLimit = 128
    private static let busy = Problem(
        .serviceUnavailable,
        slug: ErrorCode.busy,
        detail: "more photos wait to be scaled than the server can hold: try again in a second",
        headers: [.retryAfter: "1"])
    private static let tooManyCopies = Problem(
        .tooManyRequests,
        slug: ServerSlug.tooManyRequests,
        detail: "too many photos wait to be scaled for you: request fewer photos at the same time",
        headers: [.retryAfter: "1"])
}
