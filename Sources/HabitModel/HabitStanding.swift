import Foundation

/// How a habit stands, from its completion rate.
public enum HabitStatus: String, Sendable, CaseIterable {
    case onTrack = "On track"
    case nearGoal = "Near goal"
    case inactive = "Inactive"
    case new = "New"

    /// Above 0.85 on track, above 0.40 near the goal; nil: nothing was due yet.
    public init(completionRate: Double?) {
        switch completionRate {
        case nil: self = .new
        case let rate? where rate > 0.85: self = .onTrack
        case let rate? where rate > 0.40: self = .nearGoal
        default: self = .inactive
        }
    }

    /// An sRGB colour, as CSS writes it.
    public var color: String {
        switch self {
        case .onTrack: "#2e7d32"
        case .nearGoal: "#f07800"
        case .inactive: "#c62828"
        case .new: "#757575"
        }
    }
}

/// A habit's record against its schedule, as it stands on one day.
///
/// A day is due when it is scheduled, not after the report day, and not skipped. Events on other days do not count.
public struct HabitStanding: Sendable {
    private let history: ScheduleHistory
    private let outcomes: Outcomes
    /// The last day that counts: the report day, or the habit's end before it.
    private let last: Day
    private let reportDay: Day
    /// Whether what was not done on the report day counts as missed.
    private let isOver: Bool

    public init(history: ScheduleHistory, outcomes: Outcomes, on reportDay: Day, isOver: Bool = false) {
        self.history = history
        self.outcomes = outcomes
        self.reportDay = reportDay
        self.isOver = isOver
        last = history.end.map { min($0, reportDay) } ?? reportDay
    }

    /// The four ISO weeks that end with the report day's.
    public var currentWeeks: ClosedRange<Day> { Self.currentWeeks(of: reportDay) }

    public static func currentWeeks(of day: Day) -> ClosedRange<Day> {
        day.monday.advanced(by: -21)...day.monday.advanced(by: 6)
    }

    public func isDue(_ day: Day) -> Bool {
        day <= last && history.includes(day) && outcomes[day] != .skipped
    }

    public func isDone(_ day: Day) -> Bool { isDue(day) && outcomes[day] == .done }

    /// Whether the day is due and not done, and may still be.
    public func isOpen(_ day: Day) -> Bool { day == reportDay && !isOver && isDue(day) && outcomes[day] != .done }

    /// Due days and those of them that are done. Today is due only once it is done, unless `includingToday`.
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

    /// Done days per due day, 0...1; nil where nothing was due.
    public func completionRate(in days: ClosedRange<Day>, includingToday: Bool = false) -> Double? {
        let (due, done) = completion(in: days, includingToday: includingToday)
        return due == 0 ? nil : Double(done) / Double(due)
    }

    /// Due days done in a row: up to the report day, and the most there ever were. An undone today breaks nothing yet.
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
            // Nothing can be broken until the next event: a day on which nothing happened need not be looked at.
            day = current == 0 ? nextEvent(after: day) : day.advanced(by: 1)
        }
        return (current, longest)
    }

    /// The due days done in a row up to `day`, looking back no further than `limit`; nil where the row may be longer.
    ///
    /// Needs the outcomes from `limit` on, and no others.
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

    /// How many days back a score looks: what lies further back weighs less than 1e-13, since the half-life is 35 days at
    /// the most.
    public static let scoreDays = 1500

    /// The habit's strength, 0...1, as Loop Habit Tracker computes it: exponential smoothing with a half-life of
    /// 13/√f days, f = scheduled weekdays / 7.
    ///
    /// Day by day from the first event, `score = score·m + c·(1 − m)`, `m = 0.5^(√f/13)`. Where every day is scheduled,
    /// c is 1 on a done day, else 0; otherwise `c = min(1, r/(2n))`, with n scheduled weekdays and r done days in the 14
    /// days that end with this one. A skipped day leaves the score as it is.
    /// (uhabits, `Score.compute` and `ScoreList.recompute`.)
    public var score: Double { scores(in: last...last)[0] }

    /// The score as it stood on each of the days; behind the last day that counts it stays.
    public func scores(in days: ClosedRange<Day>) -> [Double] {
        var scores = [Double](repeating: 0, count: days.count)
        guard let first = outcomes.first, first <= last else { return scores }
        var score = 0.0
        var day = max(first, days.lowerBound.advanced(by: -Self.scoreDays))
        var fortnight = Fortnight((1...14).map { isDone(day.advanced(by: -$0)) })
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
            // A score that is nothing stays nothing until the next event, however long that takes.
            if fortnight.done == 0, score < 1e-12 { (score, day) = (0, nextEvent(after: day.advanced(by: -1))) }
        }
        let end = min(last, days.upperBound)
        if end < days.upperBound {
            let from = max(0, days.lowerBound.distance(to: end) + 1)
            for i in from..<scores.count { scores[i] = score }
        }
        return scores
    }

    /// Which of the last 14 days were done, a bit each, the latest the lowest.
    private struct Fortnight {
        private var days: UInt16 = 0

        /// From the latest to the earliest.
        init(_ days: [Bool]) {
            for isDone in days.reversed() { add(isDone) }
        }

        mutating func add(_ isDone: Bool) { days = (days << 1 | (isDone ? 1 : 0)) & 0x3FFF }
        var done: Int { days.nonzeroBitCount }
    }

    /// What a day weighs in the score.
    private struct Weight {
        let schedule: Schedule
        let multiplier: Double

        init(of schedule: Schedule) {
            self.schedule = schedule
            multiplier = pow(0.5, sqrt(Double(schedule.daysPerWeek) / 7) / 13)
        }
    }

    /// The next day with an event; a day behind the last where there is none.
    private func nextEvent(after day: Day) -> Day { outcomes.next(after: day) ?? last.advanced(by: 1) }
}
