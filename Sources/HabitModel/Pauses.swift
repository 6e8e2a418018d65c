import Base

/// The days on which a habit is paused: the union of its pauses and of the pauses of all habits of its owner.
///
/// A paused day is neither due nor missed. Streaks, rates, scores and periods do not count it.
public struct Pauses: Sendable, Equatable {
    /// The ranges of paused days in ascending order.
    ///
    /// They neither overlap nor follow each other directly.
    public private(set) var ranges: [ClosedRange<Day>] = []

    /// Creates an empty set of days.
    public init() {}

    /// Creates the union of pauses.
    ///
    /// A pause without a last day has no end.
    ///
    /// - Parameter pauses: The first and the last day of each pause, in any order.
    public init(_ pauses: [(first: Day, last: Day?)]) {
        let sorted = pauses.sorted { one, other in one.first < other.first }
        for pause in sorted {
            add(pause.first, pause.last ?? .last)
        }
    }

    /// Adds a pause that does not begin before the last range.
    private mutating func add(_ first: Day, _ last: Day) {
        guard first <= last else { return }
        guard let previous = ranges.last, first <= previous.upperBound.clampedAdvanced(by: 1) else {
            ranges.append(first...last)
            return
        }
        let end = max(previous.upperBound, last)
        ranges[ranges.count - 1] = previous.lowerBound...end
    }

    /// Whether no day is paused.
    public var isEmpty: Bool { ranges.isEmpty }

    /// Returns whether `day` is paused.
    public func contains(_ day: Day) -> Bool { range(containing: day) != nil }

    /// Returns the range that contains `day`, or `nil` if the day is not paused.
    public func range(containing day: Day) -> ClosedRange<Day>? {
        guard !ranges.isEmpty else { return nil }
        // The number of ranges that begin up to `day`.
        var count = 0
        var end = ranges.count
        while count < end {
            let middle = (count + end) / 2
            if ranges[middle].lowerBound <= day {
                count = middle + 1
            } else {
                end = middle
            }
        }
        guard count > 0 else { return nil }
        let range = ranges[count - 1]
        return range.contains(day) ? range : nil
    }

    /// Returns the day that is a number of days earlier, without counting paused days.
    ///
    /// - Parameters:
    ///   - count: The number of days that are not paused, from 0.
    ///   - day: The day at which the count begins.
    /// - Returns: The day, or the first day of the calendar if there are fewer days.
    func day(_ count: Int, before day: Day) -> Day {
        var day = day
        var rest = count
        for range in ranges.reversed() where range.lowerBound < day && rest > 0 {
            let between = max(0, range.upperBound.distance(to: day) - 1)
            guard rest > between else { break }
            rest -= between
            day = range.lowerBound
        }
        return day.clampedAdvanced(by: -rest)
    }
}

extension ScheduleHistory {
    /// The versions of the schedule without the paused days.
    ///
    /// A version with a pause in its middle becomes two versions. The second one counts as changed on its first day.
    public var unpausedVersions: [Version] {
        versions.flatMap(unpausedParts)
    }

    /// Returns the parts of a version between the pauses.
    private func unpausedParts(of version: Version) -> [Version] {
        var parts: [Version] = []
        var changed = version.changed
        var first = version.first
        for pause in pauses.ranges {
            if let first, pause.upperBound < first { continue }
            if let last = version.last, pause.lowerBound > last { break }
            let begin = first ?? .first
            if begin < pause.lowerBound {
                let lastDay = pause.lowerBound.advanced(by: -1)
                parts.append(Version(changed: changed, first: first, last: lastDay, schedule: version.schedule))
            }
            guard pause.upperBound < .last else { return parts }
            first = pause.upperBound.advanced(by: 1)
            changed = first
        }
        if let first, let last = version.last, first > last { return parts }
        parts.append(Version(changed: changed, first: first, last: version.last, schedule: version.schedule))
        return parts
    }
}
