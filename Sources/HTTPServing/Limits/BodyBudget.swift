import HTTPTypes
import Synchronization

/// The memory of request bodies, limited in total and for each user.
///
/// The size of a body is reserved before the body is read and released after the response has been created. The
/// reservation includes the time in which a photo in the body waits to be decoded.
package final class BodyBudget: Sendable {
    private struct State {
        var total = 0
        var byHolder: [String: Int] = [:]
    }

    private let limit: Int
    private let holderLimit: Int
    private let state = Mutex(State())

    /// Creates a budget without reservations.
    ///
    /// - Parameters:
    ///   - limit: Maximum number of bytes.
    ///   - holderLimit: Maximum number of bytes of one holder: a user, or a client that signs in.
    package init(limit: Int, holderLimit: Int) {
        self.limit = limit
        self.holderLimit = holderLimit
    }

    /// The number of bytes reserved.
    package var reserved: Int {
        state.withLock { state in state.total }
    }

    /// Runs `body` while `count` bytes are reserved for `holder`.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: `too-many-requests` (429) at the limit of the holder, `busy` (503) at the total limit, and the errors
    ///   of `body`.
    package func reserving<Result>(
        _ count: Int,
        for holder: String,
        _ body: () async throws -> Result
    ) async throws -> Result {
        try reserve(count, for: holder)
        defer { release(count, for: holder) }
        return try await body()
    }

    private func reserve(_ count: Int, for holder: String) throws {
        try state.withLock { state in
            let ofHolder = state.byHolder[holder, default: 0] + count
            guard ofHolder <= holderLimit else { throw Self.tooManyUploads }
            guard state.total + count <= limit else { throw Self.busy }
            state.total += count
            state.byHolder[holder] = ofHolder
        }
    }

    private func release(_ count: Int, for holder: String) {
        state.withLock { state in
            state.total -= count
            let rest = state.byHolder[holder, default: 0] - count
            state.byHolder[holder] = rest > 0 ? rest : nil
        }
    }

    private static let tooManyUploads = Problem(
        .tooManyRequests,
        slug: "too-many-requests",
        detail: "you have too many uploads in progress: wait until one has ended",
        headers: [.retryAfter: "1"])
    private static let busy = Problem(
        .serviceUnavailable,
        slug: "busy",
        detail: "more uploads are in progress than the server can hold: try again in a second",
        headers: [.retryAfter: "1"])
}
