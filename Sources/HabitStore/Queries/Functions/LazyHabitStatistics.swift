import Base
import HabitModel

/// The statistics of one habit on a day, which read only the events that a result depends on.
///
/// The rate depends on four weeks, the current streak on the days since its beginning, the score on the last four
/// years, and only the longest streak on all days.
struct LazyHabitStatistics {
    let habit: LazyHabit
    let reportDay: Day
    let isOver: Bool

    var history: ScheduleHistory { habit.history }

    /// The number of days before a day whose events may satisfy it, if no day is skipped or paused.
    private var margin: Int { max(history.longestPeriod - 1, 0) }

    /// Returns the statistics of the days from `day` on.
    ///
    /// A habit without a start begins with its first event, or on the current date of its owner.
    func standing(from day: Day) throws -> HabitStatistics {
        let outcomes = try outcomes(satisfying: day)
        return HabitStatistics(
            history: try begunHistory(before: day, outcomes),
            outcomes: outcomes,
            on: reportDay,
            isOver: isOver)
    }

    private func begunHistory(before day: Day, _ outcomes: Outcomes) throws -> ScheduleHistory {
        // An earlier event shows that the habit begins before the days.
        if let event = outcomes.first, event <= day {
            return history
        }
        // The first event is read only if the habit has no start.
        return try history.beginning(on: habit.firstEvent ?? habit.today.day)
    }

    /// Returns the outcomes of the days from `day` on, and of the earlier days whose events may satisfy these days.
    private func outcomes(satisfying day: Day) throws -> Outcomes {
        var first = day.clampedAdvanced(by: -margin)
        while true {
            let outcomes = try habit.outcomes(from: first)
            let needed = history.firstDay(ofPeriodEndingWith: day, outcomes)
            guard needed < first else {
                return outcomes
            }
            // Each search is at least twice as long, because it may find further skipped or paused days.
            let length = first.distance(to: day)
            let twiceAsLong = first.clampedAdvanced(by: -length)
            first = min(needed, twiceAsLong)
        }
    }

    /// Returns the first day of the habit that is not before `from`, including events before its start.
    ///
    /// A habit with a start begins on it or on the day of its first event, whichever is earlier. A habit without a start
    /// begins with its first event, or on the current date of its owner.
    func firstDay(from: Day) throws -> Day {
        let start = history.start
        if let start, start <= from {
            return from
        }
        if let event = habit.firstKnownEvent, event <= from {
            return from
        }
        let beginnings = [start, try habit.firstEvent].compactMap(\.self)
        let first = beginnings.min() ?? habit.today.day
        return max(from, first)
    }

    /// Returns the days of the habit in a range, or `nil` if the range has no day of the habit.
    ///
    /// - Parameters:
    ///   - from: The first day, or `nil` for the report day.
    ///   - to: The last day, or `nil` for the report day.
    /// - Returns: The days.
    /// - Throws: An error of the engine.
    func days(from: Day?, to: Day?) throws -> ClosedRange<Day>? {
        let first = try firstDay(from: from ?? reportDay)
        let last = min(to ?? reportDay, reportDay)
        guard first <= last else {
            return nil
        }
        return first...last
    }

    /// Returns the number of due and of done days in the current four weeks.
    func completion(includingToday: Bool) throws -> (due: Int, done: Int) {
        let weeks = HabitStatistics.currentWeeks(of: reportDay)
        let standing = try standing(from: weeks.lowerBound)
        return standing.completion(in: weeks, includingToday: includingToday)
    }

    func rate(includingToday: Bool) throws -> Double? {
        let days = try completion(includingToday: includingToday)
        guard days.due > 0 else {
            return nil
        }
        return Double(days.done) / Double(days.due)
    }

    /// The number of days in the first search for the beginning of a streak.
    ///
    /// Each further search is four times as long.
    private static let streakLookBack = 14

    /// Returns the streak up to `day`, which must not be after the report day.
    func streak(upTo day: Day) throws -> Int {
        // Days after the habit's end do not change the streak.
        let last = min(history.end ?? day, day)
        // The search begins with the days that are in memory, then reads further back.
        if let loaded = habit.firstLoaded {
            let limit = loaded.clampedAdvanced(by: margin)
            if let streak = try streak(upTo: last, lookingBackTo: limit) {
                return streak
            }
        }
        var lookBack = Self.streakLookBack
        while true {
            let limit = last.clampedAdvanced(by: -lookBack)
            if let streak = try streak(upTo: last, lookingBackTo: limit) {
                return streak
            }
            guard limit > .first else {
                return try standing(from: .first).streaks.current
            }
            lookBack *= 4
        }
    }

    /// Returns the streak up to `day`, or `nil` if it may begin before `limit`.
    private func streak(upTo day: Day, lookingBackTo limit: Day) throws -> Int? {
        let standing = try standing(from: limit)
        return standing.streak(upTo: day, lookingBackTo: limit)
    }

    var longestStreak: Int {
        get throws {
            try standing(from: .first).streaks.longest
        }
    }

    var score: Double {
        get throws {
            try scores(in: reportDay...reportDay)[0]
        }
    }

    func scores(in days: ClosedRange<Day>) throws -> [Double] {
        // A habit that has ended keeps its score, which may depend on days long before the range.
        let first = days.lowerBound
        let last = min(history.end ?? first, first)
        let scoreStart = HabitStatistics.scoreStart(of: history, on: last)
        let standing = try standing(from: scoreStart)
        return standing.scores(in: days)
    }
}
