/// The days on which a habit with a target is satisfied.
///
/// A day is satisfied if a period of consecutive days that contains it has at least as many done days as the target
/// requires. The schedule version in force on the day defines the target.
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
        guard let first = outcomes.first, let end = outcomes.last.map({ min($0, last) }), first <= end else {
            (begin, flags) = (.first, [])
            return
        }
        begin = first.clampedAdvanced(by: -margin)
        flags = [Bool](repeating: false, count: begin.distance(to: end.clampedAdvanced(by: margin)) + 1)
        let done = (0...first.distance(to: end)).map { offset in
            let day = first.advanced(by: offset)
            return outcomes[day] == .done && history.exists(on: day)
        }
        for target in history.targets {
            let satisfied = Self.satisfied(done, by: target)
            // The days of `satisfied` begin one period before the first event.
            let shift = begin.distance(to: first) - (target.periodDays - 1)
            for index in satisfied.indices where satisfied[index] && flags.indices.contains(index + shift) {
                let day = begin.advanced(by: index + shift)
                if history.schedule(on: day).target == target { flags[index + shift] = true }
            }
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
            let (entering, leaving) = (end - margin, end - margin - target.periodDays)
            if done.indices.contains(entering), done[entering] { count += 1 }
            if done.indices.contains(leaving), done[leaving] { count -= 1 }
            guard count >= target.times else { continue }
            for index in max(marked, end - margin)...end { result[index] = true }
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
