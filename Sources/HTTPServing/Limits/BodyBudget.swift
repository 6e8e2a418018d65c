import Base
import HTTPTypes
import Synchronization

/// The memory of request bodies, limited in total and for each user.
///
/// The size of a body is reserved before the body is read and released after the response has been created. The
/// reservation includes the time in which a photo in the body waits to be decoded.
package final class BodyBudget: Sendable {
    private struct State {
        var total = 0
        var byRequester: [String: Int] = [:]
    }

    private let limit: Int
    private let requesterLimit: Int
    private let state = Mutex(State())

    /// Creates a budget without reservations.
    ///
    /// - Parameters:
    ///   - limit: Maximum number of bytes.
    ///   - requesterLimit: Maximum number of bytes of one requester: a user, or a client that signs in.
    package init(limit: Int, requesterLimit: Int) {
        self.limit = limit
        self.requesterLimit = requesterLimit
    }

    /// The number of bytes reserved.
    package var reserved: Int {
        state.withLock { state in state.total }
    }

    /// Runs `body` while `count` bytes are reserved for `requester`.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: `too-many-requests` (429) at the limit of the requester, `busy` (503) at the total limit, and the
    ///   errors of `body`.
    package func reserving<Result>(
        _ count: Int,
        for requester: String,
        _ body: () async throws -> Result
    ) async throws -> Result {
        try reserve(count, for: requester)
        defer { release(count, for: requester) }
        return try await body()
    }

    private func reserve(_ count: Int, for requester: String) throws {
        try state.withLock { state in
            let ofRequester = state.byRequester[requester, default: 0] + count
            guard ofRequester <= requesterLimit else { throw Self.tooManyUploads }
            guard state.total + count <= limit else { throw Self.busy }
            state.total += count
            state.byRequester[requester] = ofRequester
        }
    }

    private func release(_ count: Int, for requester: String) {
        state.withLock { state in
            state.total -= count
            let rest = state.byRequester[requester, default: 0] - count
            state.byRequester[requester] = rest > 0 ? rest : nil
        }
    }

    private static let tooManyUploads = Problem(
        .tooManyRequests,
        slug: ServerSlug.tooManyRequests,
        detail: "you have too many uploads in progress: wait until one has ended",
        headers: [.retryAfter: "1"])
    private static let busy = Problem(
        .serviceUnavailable,
        slug: ErrorCode.busy,
        detail: "more uploads are in progress than the server can hold: try again in a second",
        headers: [.retryAfter: "1"])
}
