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

/// What became of a day on which the user recorded something.
public enum Outcome: String, Sendable, CaseIterable {
    case done, skipped
}

/// A habit's record against its schedule, as it stands on one day.
///
/// A day is due when it is scheduled, not after the report day, and not skipped. Events on other days do not count.
public struct HabitStanding: Sendable {
    private let history: ScheduleHistory
    private let outcomes: [Day: Outcome]
    private let eventDays: [Day]
    private let first: Day?
    /// The last day that counts: the report day, or the habit's end before it.
    private let last: Day
    private let reportDay: Day

    public init(history: ScheduleHistory, outcomes: [Day: Outcome], on reportDay: Day) {
        self.history = history
        self.outcomes = outcomes
        self.reportDay = reportDay
        last = history.end.map { min($0, reportDay) } ?? reportDay
        eventDays = outcomes.keys.sorted()
        first = eventDays.first
    }

    /// The four ISO weeks that end with the report day's.
    public var currentWeeks: ClosedRange<Day> {
        reportDay.monday.advanced(by: -21)...reportDay.monday.advanced(by: 6)
    }

    public func isDue(_ day: Day) -> Bool {
        day <= last && history.includes(day) && outcomes[day] != .skipped
    }

    public func isDone(_ day: Day) -> Bool { isDue(day) && outcomes[day] == .done }

    /// Due days and those of them that are done. Today is due only once it is done, unless `includingToday`.
    public func completion(in days: ClosedRange<Day>, includingToday: Bool = false) -> (due: Int, done: Int) {
        var due = 0
        var done = 0
        for day in days where isDue(day) {
            if outcomes[day] == .done { done += 1 } else if day == reportDay, !includingToday { continue }
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
        guard let first, first <= last else { return (0, 0) }
        var current = 0
        var longest = 0
        var day = first
        while day <= last {
            if isDue(day) {
                if outcomes[day] == .done {
                    current += 1
                    longest = max(longest, current)
                } else if day != reportDay {
                    current = 0
                }
            }
            // Nothing can be broken until the next event: a day on which nothing happened need not be looked at.
            day = current == 0 ? nextEvent(after: day) : day.advanced(by: 1)
        }
        return (current, longest)
    }

    /// The habit's strength, 0...1, as Loop Habit Tracker computes it: exponential smoothing with a half-life of
    /// 13/√f days, f = scheduled weekdays / 7.
    ///
    /// Day by day from the first event, `score = score·m + c·(1 − m)`, `m = 0.5^(√f/13)`. Where every day is scheduled,
    /// c is 1 on a done day, else 0; otherwise `c = min(1, r/(2n))`, with n scheduled weekdays and r done days in the 14
    /// days that end with this one. A skipped day leaves the score as it is.
    /// (uhabits, `Score.compute` and `ScoreList.recompute`.)
    public var score: Double {
        guard let first, first <= last else { return 0 }
        var score = 0.0
        var doneInFortnight = 0
        var day = first
        while day <= last {
            if isDone(day) { doneInFortnight += 1 }
            if isDone(day.advanced(by: -14)) { doneInFortnight -= 1 }
            let weekdays = history.schedule(on: day).daysPerWeek
            let multiplier = pow(0.5, sqrt(Double(weekdays) / 7) / 13)
            if outcomes[day] != .skipped {
                let checkmark =
                    weekdays == 7 ? (isDone(day) ? 1 : 0) : min(1, Double(doneInFortnight) / Double(2 * weekdays))
                score = score * multiplier + checkmark * (1 - multiplier)
            }
            day = day.advanced(by: 1)
            // A score that is nothing stays nothing until the next event, however long that takes.
            if doneInFortnight == 0, score < 1e-12 { (score, day) = (0, nextEvent(after: day.advanced(by: -1))) }
        }
        return score
    }

    /// The next day with an event; a day behind the last where there is none.
    private func nextEvent(after day: Day) -> Day {
        var (low, high) = (eventDays.startIndex, eventDays.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if eventDays[middle] <= day { low = middle + 1 } else { high = middle }
        }
        return low < eventDays.endIndex ? eventDays[low] : last.advanced(by: 1)
    }
}
