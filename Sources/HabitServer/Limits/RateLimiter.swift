import Synchronization

/// How many requests each client may make: a bucket that fills at a rate and holds twice what a second brings.
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var filled: ContinuousClock.Instant
    }

    private let rate: Double
    private let buckets = Mutex<[String: Bucket]>([:])
    /// So many clients are remembered; those whose buckets are full are forgotten first.
    private static let limit = 100_000

    init(_ rate: Double) { self.rate = rate }

    private var capacity: Double { max(rate * 2, 1) }

    /// Takes a request of `client` into account; gives how many seconds it must wait, nil where it need not.
    func wait(_ client: String, now: ContinuousClock.Instant = .now) -> Int? {
        buckets.withLock { buckets in
            if buckets.count >= Self.limit { forget(&buckets, now) }
            var bucket = buckets[client] ?? Bucket(tokens: capacity, filled: now)
            bucket.tokens = tokens(of: bucket, now)
            bucket.filled = now
            let isAllowed = bucket.tokens >= 1
            if isAllowed { bucket.tokens -= 1 }
            buckets[client] = bucket
            return isAllowed ? nil : max(1, Int(((1 - bucket.tokens) / rate).rounded(.up)))
        }
    }

    private func tokens(of bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
        let seconds = bucket.filled.duration(to: now) / .seconds(1)
        return min(capacity, bucket.tokens + seconds * rate)
    }

    private func forget(_ buckets: inout [String: Bucket], _ now: ContinuousClock.Instant) {
        buckets = buckets.filter { tokens(of: $0.value, now) < capacity }
        if buckets.count >= Self.limit { buckets.removeAll() }
    }
}
