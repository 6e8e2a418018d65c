import Synchronization

/// A limit on the number of attempts in any period of one hour, by a key such as an address.
package final class AttemptLimiter: Sendable {
    /// The period for which an attempt counts.
    private static let period = Duration.seconds(3600)
    /// Maximum number of keys.
    ///
    /// If the limit is reached, the keys without recent attempts are removed. If all are recent, all are removed.
    private static let keyLimit = 100_000

    private let limit: Int
    private let attempts = Mutex<[String: [ContinuousClock.Instant]]>([:])

    /// Creates a limiter without attempts.
    ///
    /// - Parameter limit: The number of attempts of a key in an hour, at least 1.
    package init(limit: Int) { self.limit = limit }

    /// Records an attempt, unless it exceeds the limit.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - now: The current time.
    /// - Returns: The number of seconds until another attempt is possible, or `nil` if this attempt is.
    package func wait(
        afterAttemptOf key: String,
        now: ContinuousClock.Instant = .now
    ) -> Int? {
        attempts.withLock { attempts in
            if attempts.count >= Self.keyLimit {
                Self.evict(&attempts, now)
            }
            var recent = Self.recent(attempts[key] ?? [], now)
            defer { attempts[key] = recent }
            if recent.count >= limit, let oldest = recent.first {
                let end = oldest.advanced(by: Self.period)
                let rest = now.duration(to: end) / .seconds(1)
                return max(1, Int(rest.rounded(.up)))
            }
            recent.append(now)
            return nil
        }
    }

    private static func recent(
        _ attempts: [ContinuousClock.Instant],
        _ now: ContinuousClock.Instant
    ) -> [ContinuousClock.Instant] {
        attempts.filter { attempt in attempt.duration(to: now) < period }
    }

    private static func evict(
        _ attempts: inout [String: [ContinuousClock.Instant]],
        _ now: ContinuousClock.Instant
    ) {
        attempts = attempts.filter { _, instants in !recent(instants, now).isEmpty }
        if attempts.count >= keyLimit {
            attempts.removeAll()
        }
    }
}
