import Base
import Foundation

/// The status of a habit, derived from its completion rate.
public typealias HabitStatus = StatusWord

extension StatusWord {
    /// Creates the status of a habit.
    ///
    /// - Parameter completionRate: The completion rate, 0...1, or `nil` if no day was due yet. A habit is on track above
    ///   0.85, and near its goal above 0.40.
    public init(completionRate: Double?) {
        switch completionRate {
        case nil: self = .new
        case let rate? where rate > 0.85: self = .onTrack
        case let rate? where rate > 0.40: self = .nearGoal
        default: self = .inactive
        }
    }
}

/// The statistics of a habit on one day, computed from its schedule and its outcomes.
///
/// With weekdays, a day is due if it is scheduled, is not after the report day and is not skipped. Events on other days
/// do not count. With a target, every day of the habit that is not skipped is due, and it is done if it is satisfied
/// (``Target``). A paused day and a date that never existed in the time zone of the owner count like a skipped day. The
/// periods of a score contain skipped days, but no paused days.
///
/// The history must have a start: see ``ScheduleHistory/beginning(on:)``. Without a start, all days before the first
/// event are due.
public struct HabitStatistics: Sendable {
    private let history: ScheduleHistory
    private let outcomes: Outcomes
    /// The last day that counts: the report day, or the end of the habit if it is earlier.
    private let last: Day
    private let reportDay: Day
    /// Whether the report day counts as missed if it is not done.
    private let isOver: Bool
    /// The satisfied days, or `nil` if the habit has no target.
    private let satisfied: SatisfiedDays?

    /// Creates the statistics of a habit.
    ///
    /// - Parameters:
    ///   - history: The schedules of the habit.
    ///   - outcomes: The outcomes of its days.
    ///   - reportDay: The day of the report.
    ///   - isOver: Whether the report day is over, so that it counts as missed if it is not done.
    public init(history: ScheduleHistory, outcomes: Outcomes, on reportDay: Day, isOver: Bool = false) {
        self.history = history
        self.outcomes = outcomes
        self.reportDay = reportDay
        self.isOver = isOver
        last = min(history.end ?? reportDay, reportDay)
        satisfied = history.hasTarget ? SatisfiedDays(history, outcomes, upTo: last) : nil
    }

    /// The four ISO weeks up to and including the week of the report day.
    public var currentWeeks: ClosedRange<Day> { Self.currentWeeks(of: reportDay) }

    /// Returns the four ISO weeks up to and including the week of `day`.
    public static func currentWeeks(of day: Day) -> ClosedRange<Day> {
        day.monday.advanced(by: -21)...day.monday.advanced(by: 6)
    }

    /// Returns whether `day` counts in the completion rate.
    public func isDue(_ day: Day) -> Bool { isPlanned(day) && !isPassedOver(day) }

    /// Returns whether `day` is due, or is a skipped or paused day that would be due.
    ///
    /// With weekdays, a paused day is not planned.
    private func isPlanned(_ day: Day) -> Bool { day <= last && history.includes(day) }

    /// Returns whether streaks, rates and targets skip `day`.
    private func isPassedOver(_ day: Day) -> Bool { history.passesOver(day, outcomes) }

    /// Returns whether `day` is due and done, or with a target: due and satisfied.
    public func isDone(_ day: Day) -> Bool { isDue(day) && isAccomplished(day) }

    /// Returns whether a day that is due counts as done.
    private func isAccomplished(_ day: Day) -> Bool {
        if let satisfied, history.schedule(on: day).target != nil { return satisfied[day] }
        return outcomes[day] == .done
    }

    /// Returns whether `day` is due and has an event that counts as done.
    ///
    /// An event whose amount is below the target amount of the habit does not count.
    public func hasDoneEvent(_ day: Day) -> Bool { isDue(day) && outcomes[day] == .done }

    /// Returns whether `day` is due and not done yet, but can still be done.
    ///
    /// Only the report day can be open.
    public func isOpen(_ day: Day) -> Bool { day == reportDay && !isOver && isDue(day) && !isAccomplished(day) }

    /// Returns the outcome of `day`, which may have no event.
    public func dayOutcome(_ day: Day) -> DayOutcome {
        let isDue = isDue(day)
        switch outcomes[day] {
        case .skipped: return .skipped
        case .done: return isDue ? .done : .unplanned
        case nil where !isDue: return .none
        // Other days of the period have reached the target.
        case nil where isDone(day): return .none
        case nil: return isOpen(day) ? .open : .missed
        }
    }

    /// Returns whether the habit is on the to-do list of `day`, on which it may be skipped.
    ///
    /// With a target, the habit is on the list if the earlier days of the period that ends with `day` do not satisfy it.
    public func isToDo(_ day: Day) -> Bool {
        guard isPlanned(day), !history.pauses.contains(day) else { return false }
        guard let target = history.schedule(on: day).target else { return true }
        return doneEvents(before: day, in: target) < target.times
    }

    /// Returns the progress of a target in the period that ends with `day`, or `nil` if the habit has weekdays.
    ///
    /// - Parameter day: The last day of the period.
    /// - Returns: The number of days whose events count as done, including `day`, and the number of completions that
    ///   the target requires.
    public func progress(on day: Day) -> (done: Int, times: Int)? {
        guard let target = history.schedule(on: day).target else { return nil }
        var done = doneEvents(before: day, in: target)
        if hasDoneEvent(day) { done += 1 }
        return (done, target.times)
    }

    /// Counts the earlier days of the period that ends with `day` whose events count as done.
    ///
    /// The period does not count skipped and paused days.
    private func doneEvents(before day: Day, in target: Target) -> Int {
        guard let first = outcomes.first else { return 0 }
        var count = 0
        var rest = target.periodDays - 1
        var earlier = day
        while rest > 0, earlier > first {
            earlier = earlier.advanced(by: -1)
            if isPassedOver(earlier) { continue }
            rest -= 1
            if hasDoneEvent(earlier) { count += 1 }
        }
        return count
    }

    /// Counts the due days and the done days in a range.
    ///
    /// - Parameters:
    ///   - days: The range of days. Days after the report day are not due.
    ///   - includingToday: Whether the report day counts as due even if it is still open.
    /// - Returns: The number of due days, and the number of these that are done.
    public func completion(in days: ClosedRange<Day>, includingToday: Bool = false) -> (due: Int, done: Int) {
        var due = 0
        var done = 0
        forEachDueDay(in: days, includingToday: includingToday) { _, isDone in
            due += 1
            if isDone { done += 1 }
        }
        return (due, done)
    }

    /// Calls a closure with each due day in a range, in ascending order, and whether it is done.
    ///
    /// - Parameters:
    ///   - days: The range of days. Days after the report day are not due.
    ///   - includingToday: Whether the report day counts as due even if it is still open.
    ///   - body: The closure.
    @inline(__always)
    public func forEachDueDay(
        in days: ClosedRange<Day>, includingToday: Bool = false, _ body: (Day, _ isDone: Bool) -> Void
    ) {
        history.forEachDay(from: days.lowerBound, to: min(days.upperBound, last)) { day in
            if isPassedOver(day) { return }
            let isDone = isAccomplished(day)
            if !isDone, day == reportDay, !isOver, !includingToday { return }
            body(day, isDone)
        }
    }

    /// Returns the ratio of done days to due days, 0...1, or `nil` if no day is due.
    ///
    /// - Parameters:
    ///   - days: The range of days. Days after the report day are not due.
    ///   - includingToday: Whether the report day counts as due even if it is still open.
    /// - Returns: The ratio, or `nil` if no day is due.
    public func completionRate(in days: ClosedRange<Day>, includingToday: Bool = false) -> Double? {
        let completion = completion(in: days, includingToday: includingToday)
        guard completion.due > 0 else { return nil }
        return Double(completion.done) / Double(completion.due)
    }

    /// The numbers of consecutive due days that are done: the streak up to the report day, and the longest streak.
    ///
    /// An open report day does not end the current streak. Skipped, paused and unscheduled days do not end a
    /// streak.
    public var streaks: (current: Int, longest: Int) {
        guard let first = outcomes.first, first <= last else { return (0, 0) }
        var current = 0
        var longest = 0
        // The first event may satisfy earlier days.
        var day = history.firstDay(ofPeriodEndingWith: first, outcomes)
        while day <= last {
            if isDue(day) {
                if isAccomplished(day) {
                    current += 1
                    longest = max(longest, current)
                } else if !isOpen(day) {
                    current = 0
                }
            }
            // A streak of 0 cannot end, so the loop continues at the next event.
            day = current == 0 && satisfied == nil ? nextEvent(after: day) : day.advanced(by: 1)
        }
        return (current, longest)
    }

    /// Returns the number of consecutive due days up to `day` that are done.
    ///
    /// Requires only the outcomes from `limit` on, and with a target those of the period before it.
    ///
    /// - Parameters:
    ///   - day: The last day of the streak.
    ///   - limit: The first day to examine.
    /// - Returns: The length of the streak, or `nil` if it may begin before `limit`.
    public func streak(upTo day: Day, lookingBackTo limit: Day) -> Int? {
        var streak = 0
        var day = min(day, last)
        while day >= limit {
            if let start = history.start, day < start { return streak }
            if isDue(day) {
                if isAccomplished(day) { streak += 1 } else if !isOpen(day) { return streak }
            }
            day = day.advanced(by: -1)
        }
        return nil
    }

    /// The number of past days that determine a score.
    ///
    /// The half-life of a score is 13/√f days, at most 35 days with weekdays. The weight of older days is below 1e-13.
    private static func scoreDays(of history: ScheduleHistory) -> Int {
        let daysOfHalfLives = 44 * 13 / history.lowestFrequency.squareRoot()
        let days = Int(daysOfHalfLives.rounded(.up))
        return max(1500, days) + history.longestScoreWindow
    }

    /// Returns the first day that determines the score on `day`.
    ///
    /// A paused day does not change a score, so the past days that determine it do not contain paused days.
    public static func scoreStart(of history: ScheduleHistory, on day: Day) -> Day {
        history.pauses.day(scoreDays(of: history), before: day)
    }

    /// The strength of the habit on the report day, 0...1, as computed by Loop Habit Tracker.
    ///
    /// The score is an exponential moving average with a half-life of 13/√f days, where f is the frequency of the
    /// schedule (``Schedule/frequency``). It starts on the first day with an event. Each day changes it to `score =
    /// score·m + c·(1 − m)`, with `m = 0.5^(√f/13)`.
    ///
    /// If f is 1, c is 1 on a done day, otherwise 0. On other schedules, `c = min(1, r/(2n))`. With weekdays, n is the
    /// number of weekdays and r the number of done days in the 14 days up to and including this day. With a target, n is
    /// its number of completions and r the number of done days in the last two periods. A skipped day does not change
    /// the score. (uhabits, `Score.compute` and `ScoreList.recompute`.) A paused day does not change the score, and the
    /// 14 days and the periods do not contain it.
    public var score: Double { scores(in: last...last)[0] }

    /// Returns the score on each day of a range, 0...1.
    ///
    /// The score is constant after the last day that counts.
    public func scores(in days: ClosedRange<Day>) -> [Double] {
        var scores = [Double](repeating: 0, count: days.count)
        guard let first = outcomes.first, first <= last else { return scores }
        var score = 0.0
        var day = max(first, Self.scoreStart(of: history, on: days.lowerBound))
        var rule = ScoreRule(history.schedule(on: day))
        var recent = recentDays(rule.window, before: day)
        while day <= min(last, days.upperBound) {
            let schedule = history.schedule(on: day)
            if schedule != rule.schedule {
                rule = ScoreRule(schedule)
                recent = recentDays(rule.window, before: day)
            }
            if !history.pauses.contains(day) {
                let isDone = hasDoneEvent(day)
                recent.add(isDone)
                if !isPassedOver(day) { score = rule.next(score, isDone: isDone, doneDays: recent.done) }
            }
            if days.contains(day) { scores[days.lowerBound.distance(to: day)] = score }
            day = day.advanced(by: 1)
            // A score of 0 stays 0 until the next event, so the loop continues there.
            if recent.done == 0, score < 1e-12 {
                score = 0
                day = nextEvent(after: day.advanced(by: -1))
            }
        }
        let end = min(last, days.upperBound)
        if end < days.upperBound {
            let from = max(0, days.lowerBound.distance(to: end) + 1)
            for i in from..<scores.count { scores[i] = score }
        }
        return scores
    }

    /// Returns the `count` days that end on the day before `day`, without paused days.
    private func recentDays(_ count: Int, before day: Day) -> RecentDays {
        var days = RecentDays(count)
        guard let first = outcomes.first, first < day else { return days }
        var recent = max(first, history.pauses.day(count, before: day))
        while recent < day {
            if !history.pauses.contains(recent) { days.add(hasDoneEvent(recent)) }
            recent = recent.advanced(by: 1)
        }
        return days
    }

    /// The last days before a day, with the number of done days.
    private struct RecentDays {
        private var flags: [Bool]
        private var next = 0
        private(set) var done = 0

        /// Creates `count` days that are not done.
        init(_ count: Int) { flags = [Bool](repeating: false, count: count) }

        /// Appends a day and drops the earliest one.
        mutating func add(_ isDone: Bool) {
            if isDone { done += 1 }
            if flags[next] { done -= 1 }
            flags[next] = isDone
            next = next + 1 == flags.count ? 0 : next + 1
        }
    }

    /// The computation of a score by one schedule.
    private struct ScoreRule {
        let schedule: Schedule
        /// The number of days whose done days determine the change of the score.
        let window: Int
        /// The number of done days in the window that is a full success.
        private let full: Double
        /// The factor m by which a day multiplies the previous score.
        private let multiplier: Double
        private let isDaily: Bool

        init(_ schedule: Schedule) {
            self.schedule = schedule
            window = schedule.scoreWindow
            full = 2 * Double(schedule.completions)
            isDaily = schedule.frequency == 1
            multiplier = pow(0.5, schedule.frequency.squareRoot() / 13)
        }

        func next(_ score: Double, isDone: Bool, doneDays: Int) -> Double {
            let success = success(isDone: isDone, doneDays: doneDays)
            return score * multiplier + success * (1 - multiplier)
        }

        /// Returns the c of a day, 0...1.
        private func success(isDone: Bool, doneDays: Int) -> Double {
            guard isDaily else { return min(1, Double(doneDays) / full) }
            return isDone ? 1 : 0
        }
    }

    /// Returns the next day with an event, or the day after the last day that counts if there is no such day.
    private func nextEvent(after day: Day) -> Day { outcomes.next(after: day) ?? last.advanced(by: 1) }
}
