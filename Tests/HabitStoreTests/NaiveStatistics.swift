import Base
import Foundation
import HabitModel

/// A direct implementation of rules M-01 to M-06, day by day, each from all events.
struct NaiveStatistics {
    let history: ScheduleHistory
    let outcomes: [Day: Outcome]
    let last: Day
    let report: Day
    /// The first day of the habit.
    let begin: Day

    /// Creates statistics.
    ///
    /// A habit without a start and without events begins on `today`.
    init(_ history: ScheduleHistory, _ outcomes: [Day: Outcome], on report: Day, today: Day? = nil) {
        self.history = history
        self.outcomes = outcomes
        self.report = report
        last = min(report, history.end ?? report)
        let firstDay = history.start ?? outcomes.keys.min()
        let currentDay = today ?? report
        begin = firstDay ?? currentDay
    }

    func isDue(_ day: Day) -> Bool {
        day >= begin && day <= last && history.includes(day) && outcomes[day] != .skipped
    }

    private func isRecorded(_ day: Day) -> Bool { isDue(day) && outcomes[day] == .done }

    /// Whether the day is done, or is in a period with enough done days.
    func isAccomplished(_ day: Day) -> Bool {
        guard let target = history.schedule(on: day).target else { return outcomes[day] == .done }
        // The days around this one, without the skipped days.
        let around =
            counted(target.periodDays - 1, from: day, by: -1).reversed() + [day]
            + counted(target.periodDays - 1, from: day, by: 1)
        return (0..<target.periodDays).contains { first in
            around[first..<first + target.periodDays].count(where: isExistingDone) >= target.times
        }
    }

    /// Returns the next `count` days before or after a day that are not skipped.
    private func counted(_ count: Int, from day: Day, by step: Int) -> [Day] {
        var days: [Day] = []
        var day = day
        while days.count < count {
            day = day.advanced(by: step)
            if outcomes[day] != .skipped { days.append(day) }
        }
        return days
    }

    private func isExistingDone(_ day: Day) -> Bool {
        day <= last && history.exists(on: day) && outcomes[day] == .done
    }

    func outcome(on day: Day) -> String {
        switch outcomes[day] {
        case .skipped: "skipped"
        case .done: history.includes(day) ? "done" : "unplanned"
        case nil where !isDue(day) || isAccomplished(day): "none"
        case nil: day == report ? "open" : "missed"
        }
    }

    func completion(in days: ClosedRange<Day>, isOver: Bool) -> (due: Int, done: Int) {
        let due = days.filter { isDue($0) && (isAccomplished($0) || isOver || $0 != report) }
        return (due.count, due.count(where: isAccomplished))
    }

    func streaks(upTo day: Day, isOver: Bool) -> (current: Int, longest: Int) {
        guard let first = outcomes.keys.min(), first <= last else { return (0, 0) }
        var current = 0
        var longest = 0
        let start = first.advanced(by: -1000)
        guard start <= day else { return (0, 0) }
        for day in start...day where isDue(day) {
            if isAccomplished(day) { current += 1 } else if day != report || isOver { current = 0 }
            longest = max(longest, current)
        }
        return (current, longest)
    }

    func score(on report: Day) -> Double {
        guard let first = outcomes.keys.min() else { return 0 }
        var score = 0.0
        let last = min(report, history.end ?? report)
        guard first <= last else { return 0 }
        for day in first...last where outcomes[day] != .skipped {
            let schedule = history.schedule(on: day)
            let times = schedule.target?.times ?? 0
            let n = Double(schedule.weekdays?.daysPerWeek ?? times)
            let periodDays = Double(schedule.target?.periodDays ?? 1)
            let f = schedule.weekdays.map { Double($0.daysPerWeek) / 7 } ?? n / periodDays
            let m = pow(0.5, sqrt(f) / 13)
            let window = 2 * (schedule.target?.periodDays ?? 7)
            let r = Double((0..<window).filter { isRecorded(day.advanced(by: -$0)) }.count)
            let c = f == 1 ? (isRecorded(day) ? 1 : 0) : min(1, r / (2 * n))
            score = score * m + c * (1 - m)
        }
        return score
    }
}
