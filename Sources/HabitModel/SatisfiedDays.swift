import Base

/// The days on which a habit with a target is satisfied.
///
/// A day is satisfied if a period of consecutive days that contains it has at least as many done days as the target
/// requires. A period does not count skipped and paused days and dates that never existed. The schedule version in
/// force on the day defines the target.
struct SatisfiedDays {
    private let begin: Day
    private var flags: [Bool]

    /// Finds the satisfied days.
    ///
    /// Linear in the number of days from the first event to the last, for each distinct target.
    ///
    /// - Parameters:
    ///   - history: The schedules of the habit.
    ///   - outcomes: The outcomes of its days.
    ///   - last: The last day whose events count.
    init(_ history: ScheduleHistory, _ outcomes: Outcomes, upTo last: Day) {
        let margin = history.longestPeriod - 1
        let end = min(outcomes.last ?? last, last)
        guard let first = outcomes.first, first <= end else {
            begin = .first
            flags = []
            return
        }
        var days = CountedDays(from: first, to: end, history, outcomes)
        days.addMargins(margin, upTo: last, history)
        begin = max(days.first, .first)
        let dayCount = begin.distance(to: min(days.last, .last)) + 1
        flags = [Bool](repeating: false, count: dayCount)
        let done = days.events.map { day in outcomes[day] == .done && history.exists(on: day) }
        for target in history.targets {
            let satisfied = Self.satisfied(done, by: target)
            for index in satisfied.indices where satisfied[index] {
                // The days of `satisfied` begin one period before the first event.
                guard let day = days[index - (target.periodDays - 1)] else { continue }
                let offset = begin.distance(to: day)
                guard flags.indices.contains(offset) else { continue }
                if history.schedule(on: day).target == target { flags[offset] = true }
            }
        }
    }

    /// The days that count in periods: all days except skipped and paused days and the dates that never existed.
    private struct CountedDays {
        /// The days from the first event to the last.
        var events: [Day]
        /// The days before the first event, the latest first.
        private var before: [Day] = []
        /// The days after the last event.
        private var after: [Day] = []
        private let begin: Day
        private let end: Day

        /// - Parameters:
        ///   - first: The day of the first event.
        ///   - end: The day of the last event that counts.
        ///   - history: The schedules of the habit.
        ///   - outcomes: The outcomes of its days.
        init(from first: Day, to end: Day, _ history: ScheduleHistory, _ outcomes: Outcomes) {
            begin = first
            self.end = end
            let offsets = 0...first.distance(to: end)
            events = offsets.map { offset in first.advanced(by: offset) }
            events.removeAll { day in history.passesOver(day, outcomes) }
        }

        /// Adds up to `margin` days before the first event, and as many days after the last one.
        ///
        /// - Parameters:
        ///   - margin: The number of days.
        ///   - last: The last day to add.
        ///   - history: The schedules of the habit.
        mutating func addMargins(_ margin: Int, upTo last: Day, _ history: ScheduleHistory) {
            before.reserveCapacity(margin)
            after.reserveCapacity(margin)
            var day = begin
            while before.count < margin {
                day = day.advanced(by: -1)
                if let pause = history.pauses.range(containing: day) {
                    day = pause.lowerBound
                } else if !history.missingDates.contains(day) {
                    before.append(day)
                }
            }
            day = end
            while after.count < margin, day < last {
                day = day.advanced(by: 1)
                if let pause = history.pauses.range(containing: day) {
                    day = pause.upperBound
                } else if !history.missingDates.contains(day) {
                    after.append(day)
                }
            }
        }

        var first: Day { before.last ?? events.first ?? end }
        var last: Day { after.last ?? end }

        /// Returns a day by its distance from the first day of ``events``, which may be negative, or `nil` after the
        /// last day.
        subscript(index: Int) -> Day? {
            if index < 0 { return before[-index - 1] }
            if index < events.count { return events[index] }
            let rest = index - events.count
            return rest < after.count ? after[rest] : nil
        }
    }

    /// Returns the satisfied days of one target, from `periodDays - 1` days before `done` to as many days after it.
    private static func satisfied(_ done: [Bool], by target: Target) -> [Bool] {
        let margin = target.periodDays - 1
        var result = [Bool](repeating: false, count: done.count + 2 * margin)
        var count = 0
        var marked = 0
        // The period ends at `end`, as an index in `result`, and begins `margin` days earlier.
        for end in margin..<result.count {
            let entering = end - margin
            let leaving = entering - target.periodDays
            if done.indices.contains(entering), done[entering] { count += 1 }
            if done.indices.contains(leaving), done[leaving] { count -= 1 }
            guard count >= target.times else { continue }
            let start = max(marked, end - margin)
            for index in start...end {
                result[index] = true
            }
            marked = end + 1
        }
        return result
    }

    /// Returns whether the day is satisfied.
    subscript(day: Day) -> Bool {
        let index = begin.distance(to: day)
        return flags.indices.contains(index) && flags[index]
    }
}
