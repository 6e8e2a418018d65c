import Foundation

/// The status of a habit, derived from its completion rate.
///
/// The raw value is the label in outputs.
public enum HabitStatus: String, Sendable, CaseIterable {
    /// The completion rate is above 0.85.
    case onTrack = "On track"
    /// The completion rate is above 0.40 and at most 0.85.
    case nearGoal = "Near goal"
    /// The completion rate is at most 0.40.
    case inactive = "Inactive"
    /// No day was due yet.
    case new = "New"

    /// Creates the status for a completion rate of 0...1, or for `nil` if no day was due yet.
    public init(completionRate: Double?) {
        switch completionRate {
        case nil: self = .new
        case let rate? where rate > 0.85: self = .onTrack
        case let rate? where rate > 0.40: self = .nearGoal
        default: self = .inactive
        }
    }

    /// The sRGB color of the status, in CSS notation.
    public var color: String {
        switch self {
        case .onTrack: "#2e7d32"
        case .nearGoal: "#f07800"
        case .inactive: "#c62828"
        case .new: "#757575"
        }
    }
}

/// The statistics of a habit on one day, computed from its schedule and its outcomes.
///
/// A day is due if it is scheduled, is not after the report day and is not skipped. Events on other days do not count.
public struct HabitStatistics: Sendable {
    private let history: ScheduleHistory
    private let outcomes: Outcomes
    /// The last day that counts: the report day, or the end of the habit if it is earlier.
    private let last: Day
    private let reportDay: Day
    /// Whether the report day counts as missed if it is not done.
    private let isOver: Bool

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
        last = history.end.map { min($0, reportDay) } ?? reportDay
    }

    /// The four ISO weeks up to and including the week of the report day.
    public var currentWeeks: ClosedRange<Day> { Self.currentWeeks(of: reportDay) }

    /// Returns the four ISO weeks up to and including the week of `day`.
    public static func currentWeeks(of day: Day) -> ClosedRange<Day> {
        day.monday.advanced(by: -21)...day.monday.advanced(by: 6)
    }

    /// Returns whether `day` is due.
    public func isDue(_ day: Day) -> Bool {
        day <= last && history.includes(day) && outcomes[day] != .skipped
    }

    /// Returns whether `day` is due and done.
    public func isDone(_ day: Day) -> Bool { isDue(day) && outcomes[day] == .done }

    /// Returns whether `day` is due and not done yet, but can still be done.
    ///
    /// Only the report day can be open.
    public func isOpen(_ day: Day) -> Bool { day == reportDay && !isOver && isDue(day) && outcomes[day] != .done }

    /// Counts the due days and the done days in a range.
    ///
    /// - Parameters:
    ///   - days: The range of days. Days after the report day are not due.
    ///   - includingToday: Whether the report day counts as due even if it is still open.
    /// - Returns: The number of due days, and the number of these that are done.
    public func completion(in days: ClosedRange<Day>, includingToday: Bool = false) -> (due: Int, done: Int) {
        var due = 0
        var done = 0
        history.forEachDay(from: days.lowerBound, to: min(days.upperBound, last)) { day in
            switch outcomes[day] {
            case .skipped: return
            case .done: done += 1
            case nil: if day == reportDay, !isOver, !includingToday { return }
            }
            due += 1
        }
        return (due, done)
    }

    /// Returns the ratio of done days to due days, 0...1, or `nil` if no day is due.
    ///
    /// - Parameters:
    ///   - days: The range of days. Days after the report day are not due.
    ///   - includingToday: Whether the report day counts as due even if it is still open.
    /// - Returns: The ratio, or `nil` if no day is due.
    public func completionRate(in days: ClosedRange<Day>, includingToday: Bool = false) -> Double? {
        let (due, done) = completion(in: days, includingToday: includingToday)
        return due == 0 ? nil : Double(done) / Double(due)
    }

    /// The numbers of consecutive due days that are done: the streak up to the report day, and the longest streak.
    ///
    /// An open report day does not end the current streak. Skipped and unscheduled days do not end a streak.
    public var streaks: (current: Int, longest: Int) {
        guard let first = outcomes.first, first <= last else { return (0, 0) }
        var current = 0
        var longest = 0
        var day = first
        while day <= last {
            if isDue(day) {
                if outcomes[day] == .done {
                    current += 1
                    longest = max(longest, current)
                } else if !isOpen(day) {
                    current = 0
                }
            }
            // A streak of 0 cannot end, so the loop continues at the next event.
            day = current == 0 ? nextEvent(after: day) : day.advanced(by: 1)
        }
        return (current, longest)
    }

    /// Returns the number of consecutive due days up to `day` that are done.
    ///
    /// Requires only the outcomes from `limit` on.
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
                if outcomes[day] == .done { streak += 1 } else if !isOpen(day) { return streak }
            }
            day = day.advanced(by: -1)
        }
        return nil
    }

    /// The number of past days that determine a score.
    ///
    /// The half-life of a score is at most 35 days, so the weight of older days is below 1e-13.
    public static let scoreDays = 1500

    /// The strength of the habit on the report day, 0...1, as computed by Loop Habit Tracker.
    ///
    /// The score is an exponential moving average with a half-life of 13/√f days, where f = scheduled weekdays / 7. It
    /// starts on the first day with an event. Each day changes it to `score = score·m + c·(1 − m)`, with `m =
    /// 0.5^(√f/13)`.
    ///
    /// If every day is scheduled, c is 1 on a done day, otherwise 0. On other schedules, `c = min(1, r/(2n))`, where n
    /// is the number of scheduled weekdays and r the number of done days in the 14 days up to and including this day. A
    /// skipped day does not change the score. (uhabits, `Score.compute` and `ScoreList.recompute`.)
    public var score: Double { scores(in: last...last)[0] }

    /// Returns the score on each day of a range, 0...1.
    ///
    /// The score is constant after the last day that counts.
    public func scores(in days: ClosedRange<Day>) -> [Double] {
        var scores = [Double](repeating: 0, count: days.count)
        guard let first = outcomes.first, first <= last else { return scores }
        var score = 0.0
        var day = max(first, days.lowerBound.advanced(by: -Self.scoreDays))
        var fortnight = TwoWeekBitmap((1...14).map { isDone(day.advanced(by: -$0)) })
        var weight = Weight(of: history.schedule(on: day))
        while day <= min(last, days.upperBound) {
            let isDone = isDone(day)
            fortnight.add(isDone)
            let schedule = history.schedule(on: day)
            if schedule != weight.schedule { weight = Weight(of: schedule) }
            if outcomes[day] != .skipped {
                let share = min(1, Double(fortnight.done) / Double(2 * schedule.daysPerWeek))
                let checkmark = schedule == .everyDay ? (isDone ? 1 : 0) : share
                score = score * weight.multiplier + checkmark * (1 - weight.multiplier)
            }
            if days.contains(day) { scores[days.lowerBound.distance(to: day)] = score }
            day = day.advanced(by: 1)
            // A score of 0 stays 0 until the next event, so the loop continues there.
            if fortnight.done == 0, score < 1e-12 { (score, day) = (0, nextEvent(after: day.advanced(by: -1))) }
        }
        let end = min(last, days.upperBound)
        if end < days.upperBound {
            let from = max(0, days.lowerBound.distance(to: end) + 1)
            for i in from..<scores.count { scores[i] = score }
        }
        return scores
    }

    /// A bitmap of the done days of the last 14 days.
    ///
    /// The lowest bit is the latest day.
    private struct TwoWeekBitmap {
        private var days: UInt16 = 0

        /// Creates a bitmap from days in order from the latest to the earliest.
        init(_ days: [Bool]) {
            for isDone in days.reversed() { add(isDone) }
        }

        /// Appends a day and drops the earliest one.
        mutating func add(_ isDone: Bool) { days = (days << 1 | (isDone ? 1 : 0)) & 0x3FFF }
        /// The number of done days.
        var done: Int { days.nonzeroBitCount }
    }

    /// The multiplier of the score for a schedule.
    private struct Weight {
        let schedule: Schedule
        /// The factor m by which a day multiplies the previous score.
        let multiplier: Double

        init(of schedule: Schedule) {
            self.schedule = schedule
            multiplier = pow(0.5, sqrt(Double(schedule.daysPerWeek) / 7) / 13)
        }
    }

    /// Returns the next day with an event, or the day after the last day that counts if there is no such day.
    private func nextEvent(after day: Day) -> Day { outcomes.next(after: day) ?? last.advanced(by: 1) }
}
