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
        let all = [Int64.min..<Int64.max]
        let begun = from.map { intervals(fromLocalTime: $0.startInUTC.microseconds) } ?? all
        guard let to else { return begun }
        let ended = intervals(fromLocalTime: to.startInUTC.microseconds + Instant.microsecondsPerDay)
        // The intervals between the ends of the days after the range.
        var ends: [Range<Int64>] = []
        var start = Int64.min
        for interval in ended {
            if start < interval.lowerBound { ends.append(start..<interval.lowerBound) }
            start = interval.upperBound
        }
        return begun.flatMap { interval in ends.map { interval.clamped(to: $0) } }.filter { !$0.isEmpty }
    }

    /// The maximum distance of a local time from UTC, in microseconds.
    private static let maximumOffset: Int64 = 26 * 3_600_000_000

    /// Returns the instants at which the clocks of the zone show a local time or a later one, as intervals.
    ///
    /// - Parameter local: The local time as microseconds since 1970-01-01T00:00:00 on the same clock.
    /// - Returns: The intervals in ascending order, in microseconds since 1970 in UTC.
    private func intervals(fromLocalTime local: Int64) -> [Range<Int64>] {
        let begin = local - Self.maximumOffset
        let changes = changes(in: begin..<local + Self.maximumOffset)
        let starts = [begin] + changes
        var intervals: [Range<Int64>] = []
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1] : Int64.max
            let offset = Int64(offset(at: Instant(microseconds: start))) * 1_000_000
            let first = max(start, local - offset)
            guard first < end else { continue }
            if let last = intervals.last, last.upperBound == first {
                intervals[intervals.count - 1] = last.lowerBound..<end
            } else {
                intervals.append(first..<end)
            }
        }
        return intervals
    }
}
