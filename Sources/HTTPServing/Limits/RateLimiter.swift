import Synchronization

/// A token bucket per client that delays requests above a rate and refuses them only if too many wait.
///
/// The capacity of a bucket is the number of requests in two seconds, at least one. If the bucket is empty, a request
/// waits for its token. A client that sends one request at a time is therefore never refused. A client that sends many
/// requests at the same time is refused while ``queue`` of its requests wait.
package final class RateLimiter: Sendable {
    private struct Bucket {
        /// The number of available tokens; negative if requests wait.
        var tokens: Double
        var filled: ContinuousClock.Instant
    }

    /// The result of a request for a token.
    package enum Admission: Equatable {
        /// The request may run after this time.
        case after(Duration)
        /// The request is refused. The client may try again after this number of seconds.
        case refused(retryAfter: Int)
    }

    /// Maximum number of waiting requests per client.
    ///
    /// A browser sends up to six at a time.
    package static let queue = 8
    /// Maximum number of buckets.
    ///
    /// If the limit is reached, the limiter removes the full buckets. If no bucket is full, it removes all buckets.
    private static let limit = 100_000

    private let rate: Double
    private let buckets = Mutex<[String: Bucket]>([:])

    /// Creates a limiter for `rate` requests per second and client.
    package init(_ rate: Double) { self.rate = rate }

    private var capacity: Double { max(rate * 2, 1) }

    /// Waits until `client` may send a request.
    ///
    /// - Throws: 429 `too-many-requests` if too many requests of `client` wait.
    package func waitForSlot(_ client: String) async throws {
        switch admission(of: client) {
        case .after(.zero): break
        // A cancelled wait ends early. The client has disconnected and does not read the response.
        case .after(let delay): try? await Task.sleep(for: delay)
        case .refused(let seconds):
            throw Problem(
                .tooManyRequests,
                slug: ServerSlug.tooManyRequests,
                detail: "too many requests at a time: send the next one after the response, or wait \(seconds) s",
                headers: [.retryAfter: "\(seconds)"])
        }
    }

    /// Takes a token for a request of `client`, or reserves a future token if the bucket is empty.
    ///
    /// - Parameters:
    ///   - client: The client's address.
    ///   - now: The current time.
    /// - Returns: The time until the token is available, or a refusal if ``queue`` requests of `client` wait.
    package func admission(
        of client: String,
        now: ContinuousClock.Instant = .now
    ) -> Admission {
        buckets.withLock { buckets in
            if buckets.count >= Self.limit {
                evict(&buckets, now)
            }
            var bucket = buckets[client] ?? Bucket(tokens: capacity, filled: now)
            bucket.tokens = tokens(of: bucket, now)
            bucket.filled = now
            defer { buckets[client] = bucket }
            guard bucket.tokens - 1 >= -Double(Self.queue) else {
                let wait = seconds(until: 1 - bucket.tokens)
                return .refused(retryAfter: max(1, Int(wait.rounded(.up))))
            }
            bucket.tokens -= 1
            let wait = seconds(until: -bucket.tokens)
            return .after(.seconds(wait))
        }
    }

    /// The time in seconds in which the bucket gets `tokens` additional tokens, at most one day.
    private func seconds(until tokens: Double) -> Double {
        let seconds = max(0, tokens / rate)
        return min(seconds, 86_400)
    }

    private func tokens(
        of bucket: Bucket,
        _ now: ContinuousClock.Instant
    ) -> Double {
        let seconds = bucket.filled.duration(to: now) / .seconds(1)
        return min(capacity, bucket.tokens + seconds * rate)
    }

    private func evict(
        _ buckets: inout [String: Bucket],
        _ now: ContinuousClock.Instant
    ) {
        buckets = buckets.filter { _, bucket in tokens(of: bucket, now) < capacity }
        if buckets.count >= Self.limit { buckets.removeAll() }
    }
}
