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

    /// The number of days before a day whose events may satisfy it, if no day is skipped.
    private var margin: Int { max(history.longestPeriod - 1, 0) }

    /// Returns the statistics of the days from `day` on.
    ///
    /// A habit without a start begins with its first event, or on the current date of its owner.
    func standing(from day: Day) throws -> HabitStatistics {
        let outcomes = try outcomes(satisfying: day)
        // An earlier event shows that the habit begins before the days.
        let hasBegun = outcomes.first.map { $0 <= day } ?? false
        let begun = hasBegun ? history : try history.beginning(on: habit.firstEvent ?? habit.today)
        return HabitStatistics(history: begun, outcomes: outcomes, on: reportDay, isOver: isOver)
    }

    /// Returns the outcomes of the days from `day` on, and of the earlier days whose events may satisfy these days.
    private func outcomes(satisfying day: Day) throws -> Outcomes {
        var first = day.clampedAdvanced(by: -margin)
        while true {
            let outcomes = try habit.outcomes(from: first)
            let needed = history.firstDay(ofPeriodEndingWith: day, outcomes)
            guard needed < first else { return outcomes }
            // Each search is at least twice as long, because it may find further skipped days.
            first = min(needed, first.clampedAdvanced(by: -first.distance(to: day)))
        }
    }

    /// Returns the first day of the habit that is not before `from`, including events before its start.
    ///
    /// A habit with a start begins on it or on the day of its first event, whichever is earlier. A habit without a start
    /// begins with its first event, or on the current date of its owner.
    func firstDay(from: Day) throws -> Day {
        if let start = history.start, start <= from { return from }
        if let event = habit.firstKnownEvent, event <= from { return from }
        let first = [history.start, try habit.firstEvent].compactMap(\.self).min()
        return max(from, first ?? habit.today)
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
        return first <= last ? first...last : nil
    }

    /// Returns the number of due and of done days in the current four weeks.
    func completion(includingToday: Bool) throws -> (due: Int, done: Int) {
        let weeks = HabitStatistics.currentWeeks(of: reportDay)
        return try standing(from: weeks.lowerBound).completion(in: weeks, includingToday: includingToday)
    }

    func rate(includingToday: Bool) throws -> Double? {
        let (due, done) = try completion(includingToday: includingToday)
        return due == 0 ? nil : Double(done) / Double(due)
    }

    /// The number of days in the first search for the beginning of a streak.
    ///
    /// Each further search is four times as long.
    private static let streakLookBack = 14

    /// Returns the streak up to `day`, which must not be after the report day.
    func streak(upTo day: Day) throws -> Int {
        // Days after the habit's end do not change the streak.
        let day = history.end.map { min($0, day) } ?? day
        // The search begins with the days that are in memory, then reads further back.
        if let loaded = habit.firstLoaded?.clampedAdvanced(by: margin),
            let streak = try standing(from: loaded).streak(upTo: day, lookingBackTo: loaded)
        {
            return streak
        }
        var lookBack = Self.streakLookBack
        while true {
            let limit = day.clampedAdvanced(by: -lookBack)
            if let streak = try standing(from: limit).streak(upTo: day, lookingBackTo: limit) { return streak }
            guard limit > .first else { return try standing(from: .first).streaks.current }
            lookBack *= 4
        }
    }

    var longestStreak: Int { get throws { try standing(from: .first).streaks.longest } }

    var score: Double { get throws { try scores(in: reportDay...reportDay)[0] } }

    func scores(in days: ClosedRange<Day>) throws -> [Double] {
        // A habit that has ended keeps its score, which may depend on days long before the range.
        let last = min(history.end ?? days.lowerBound, days.lowerBound)
        return try standing(from: last.clampedAdvanced(by: -HabitStatistics.scoreDays(of: history))).scores(in: days)
    }
}
