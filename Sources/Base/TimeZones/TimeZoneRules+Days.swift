import Foundation

extension TimeZoneRules {
    /// Returns the instants whose local date is in a range of days, as intervals in ascending order.
    ///
    /// The result usually has one interval. It has two if the clocks move back across midnight at an end of the range, and
    /// none if the range contains only dates that never existed.
    ///
    /// - Parameters:
    ///   - from: The first day, or `nil` for a range without a beginning.
    ///   - to: The last day, or `nil` for a range without an end.
    /// - Returns: The intervals, in microseconds since 1970 in UTC.
    public func instants(from: Day?, to: Day?) -> [Range<Int64>] {
        var begun = [Int64.min..<Int64.max]
        if let from {
            begun = intervals(fromLocalTime: from.startInUTC.microseconds)
        }
        guard let to else {
            return begun
        }
        let endOfRange = to.startInUTC.microseconds + Instant.microsecondsPerDay
        // The intervals in which the range has not ended yet.
        var notEnded: [Range<Int64>] = []
        var start = Int64.min
        for ended in intervals(fromLocalTime: endOfRange) {
            if start < ended.lowerBound {
                notEnded.append(start..<ended.lowerBound)
            }
            start = ended.upperBound
        }
        var result: [Range<Int64>] = []
        for interval in begun {
            for other in notEnded where interval.overlaps(other) {
                result.append(interval.clamped(to: other))
            }
        }
        return result
    }

    /// Returns the first instant at which the clocks of the zone show a local time or a later one.
    ///
    /// - Parameter local: The local time as microseconds since 1970-01-01T00:00:00 on the same clock.
    /// - Returns: The instant.
    func firstInstant(atLocalTime local: Int64) -> Instant {
        let first = intervals(fromLocalTime: local).first
        return Instant(microseconds: first?.lowerBound ?? local)
    }

    /// The maximum distance of a local time from UTC, in microseconds.
    private static let maximumOffset: Int64 = 26 * 3_600_000_000

    /// Returns the instants at which the clocks of the zone show a local time or a later one, as intervals.
    ///
    /// - Parameter local: The local time as microseconds since 1970-01-01T00:00:00 on the same clock.
    /// - Returns: The intervals in ascending order, in microseconds since 1970 in UTC.
    private func intervals(fromLocalTime local: Int64) -> [Range<Int64>] {
        let begin = local - Self.maximumOffset
        let end = local + Self.maximumOffset
        let changes = changes(in: begin..<end)
        let starts = [begin] + changes
        var intervals: [Range<Int64>] = []
        for (index, start) in starts.enumerated() {
            let isLast = index == starts.count - 1
            let end = isLast ? Int64.max : starts[index + 1]
            let instant = Instant(microseconds: start)
            let offset = Int64(offset(at: instant)) * 1_000_000
            let first = max(start, local - offset)
            guard first < end else {
                continue
            }
            if let last = intervals.last, last.upperBound == first {
                intervals.removeLast()
                intervals.append(last.lowerBound..<end)
            } else {
                intervals.append(first..<end)
            }
        }
        return intervals
    }
}
