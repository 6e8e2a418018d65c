import Synchronization

/// A limit on the refused credentials of a client: a token bucket per client address.
///
/// The limit bounds the guesses of a client and the lines that it writes to the audit log. A credential that is
/// accepted costs nothing.
package final class FailureLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var filled: ContinuousClock.Instant

        /// Returns the number of tokens at a time after ``filled``.
        func tokens(at now: ContinuousClock.Instant) -> Double {
            let pauses = filled.duration(to: now) / .seconds(pause)
            return min(capacity, tokens + pauses)
        }
    }

    /// Number of failures that a client may have without a pause.
    package static let capacity = 20.0
    /// Time in seconds after which a client may have another failure.
    package static let pause = 3.0
    /// Maximum number of buckets.
    ///
    /// If the limit is reached, the full buckets are removed. If no bucket is full, all are.
    private static let limit = 100_000

    private let now: @Sendable () -> ContinuousClock.Instant
    private let buckets = Mutex<[String: Bucket]>([:])

    /// Creates a limiter without failures.
    ///
    /// - Parameter now: Returns the current time.
    package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    /// Returns the number of seconds that a client must wait before another attempt, or `nil` if it need not wait.
    package func wait(of client: String) -> Int? {
        buckets.withLock { buckets in
            guard let bucket = buckets[client] else { return nil }
            let missing = 1 - bucket.tokens(at: now())
            guard missing > 0 else { return nil }
            let seconds = missing * Self.pause
            return max(1, Int(seconds.rounded(.up)))
        }
    }

    /// Records a failure of a client.
    ///
    /// - Parameter client: The client's address.
    /// - Returns: Whether the failure was within the limit.
    package func record(_ client: String) -> Bool {
        let now = now()
        return buckets.withLock { buckets in
            if buckets.count >= Self.limit { Self.evict(&buckets, now) }
            let tokens = buckets[client]?.tokens(at: now) ?? Self.capacity
            let isWithin = tokens >= 1
            let rest = isWithin ? tokens - 1 : tokens
            buckets[client] = Bucket(tokens: rest, filled: now)
            return isWithin
        }
    }

    private static func evict(_ buckets: inout [String: Bucket], _ now: ContinuousClock.Instant) {
        buckets = buckets.filter { _, bucket in bucket.tokens(at: now) < capacity }
        if buckets.count >= limit { buckets.removeAll() }
    }
}
