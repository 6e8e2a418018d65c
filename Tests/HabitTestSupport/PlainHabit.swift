import Base
import Foundation
import HabitModel

/// A habit with pauses, whose statistics are computed by loops over the days of a calendar.
///
/// The model shares no code with ``HabitStatistics``: it removes the paused days from the calendar, and then examines
/// every period of the other days.
public struct PlainHabit {
    /// The first day.
    public var start: Day
    /// The last day, or `nil` without an end.
    public var end: Day?
    /// The schedules with their first days.
    ///
    /// The first one is in force from the beginning on.
    public var schedules: [(from: Day, schedule: Schedule)]
    /// The first and the last days of the pauses.
    public var pauses: [(first: Day, last: Day?)]
    /// The outcomes of the days with an event.
    public var outcomes: [Day: Outcome]
    /// The day of the report, which is over.
    public var reportDay: Day

    /// Creates a habit without an end.
    public init(
        start: Day,
        schedules: [(from: Day, schedule: Schedule)],
        pauses: [(first: Day, last: Day?)],
        outcomes: [Day: Outcome],
        reportDay: Day
    ) {
        self.start = start
        self.schedules = schedules
        self.pauses = pauses
        self.outcomes = outcomes
        self.reportDay = reportDay
    }

    /// The history with the same values.
    public var history: ScheduleHistory {
        let later = schedules.dropFirst().map { (from: $0.from, schedule: $0.schedule) }
        var history = ScheduleHistory(start: start, end: end, schedule: schedules[0].schedule, changes: later)
        history.pauses = Pauses(pauses)
        return history
    }

    /// The statistics to test.
    public var statistics: HabitStatistics {
        HabitStatistics(history: history, outcomes: Outcomes(outcomes), on: reportDay, isOver: true)
    }

    /// All days that the tests examine, also before the start and after the end.
    public var calendar: [Day] {
        let first = start.advanced(by: -20)
        return (0...first.distance(to: reportDay)).map { offset in first.advanced(by: offset) }
    }

    /// Returns whether a pause contains a day.
    public func isPaused(_ day: Day) -> Bool {
        pauses.contains { pause in
            pause.first <= day && day <= pause.last ?? .last
        }
    }

    private func exists(on day: Day) -> Bool { start <= day && day <= end ?? .last }

    func schedule(on day: Day) -> Schedule {
        var result = schedules[0].schedule
        for later in schedules.dropFirst() where later.from <= day {
            result = later.schedule
        }
        return result
    }

    private func isOnWeekday(_ day: Day) -> Bool {
        guard let weekdays = schedule(on: day).weekdays else { return true }
        // Monday is 1.
        return weekdays.mask & (1 << (day.weekday - 1)) != 0
    }

    /// Returns whether an event on a day is planned.
    public func isPlanned(_ day: Day) -> Bool {
        let isTarget = schedule(on: day).target != nil
        return exists(on: day) && isOnWeekday(day) && (isTarget || !isPaused(day))
    }

    /// Returns whether a day counts in the completion rate.
    public func isDue(_ day: Day) -> Bool {
        exists(on: day) && isOnWeekday(day) && !isPaused(day) && outcomes[day] != .skipped
    }

    private func hasDoneEvent(_ day: Day) -> Bool { isDue(day) && outcomes[day] == .done }

    /// The days of which periods consist.
    private var countedDays: [Day] {
        calendar.filter { day in !isPaused(day) && outcomes[day] != .skipped }
    }

    /// The days of a period that contains at least as many done days as the target on the day requires.
    public var doneDays: Set<Day> {
        let counted = countedDays
        var result = Set(calendar.filter { day in schedule(on: day).weekdays != nil && hasDoneEvent(day) })
        for target in Set(schedules.compactMap(\.schedule.target)) {
            let period = target.periodDays
            for begin in (1 - period)..<max(counted.count, 1) {
                let indices = (begin..<begin + period).filter(counted.indices.contains)
                let days = indices.map { index in counted[index] }
                let done = days.count { day in exists(on: day) && outcomes[day] == .done }
                guard done >= target.times else { continue }
                result.formUnion(days.filter { day in schedule(on: day).target == target && isDue(day) })
            }
        }
        return result
    }

    /// The current streak and the longest one.
    public var streaks: (current: Int, longest: Int) {
        let done = doneDays
        var current = 0
        var longest = 0
        for day in calendar where isDue(day) {
            current = done.contains(day) ? current + 1 : 0
            longest = max(longest, current)
        }
        return (current, longest)
    }

    /// Returns whether the habit is on the to-do list of a day.
    public func isToDo(_ day: Day) -> Bool {
        guard exists(on: day), isOnWeekday(day), !isPaused(day) else { return false }
        guard let target = schedule(on: day).target else { return true }
        let earlier = countedDays.filter { other in other < day }.suffix(target.periodDays - 1)
        return earlier.count(where: hasDoneEvent) < target.times
    }

    /// The score on the report day: the formula of rule M-04 over the days that are not paused.
    public var score: Double {
        var score = 0.0
        var flags: [Bool] = []
        for day in calendar where day <= end ?? .last && !isPaused(day) {
            let schedule = schedule(on: day)
            let isDone = hasDoneEvent(day)
            flags.append(isDone)
            guard outcomes[day] != .skipped else { continue }
            let window = 2 * (schedule.target?.periodDays ?? 7)
            let daysPerWeek = schedule.weekdays?.daysPerWeek ?? 0
            let times = schedule.target?.times ?? daysPerWeek
            let doneDays = flags.suffix(window).count { flag in flag }
            let share = min(1, Double(doneDays) / Double(2 * times))
            let checkmark = schedule.frequency == 1 ? (isDone ? 1 : 0) : share
            let multiplier = pow(0.5, schedule.frequency.squareRoot() / 13)
            score = score * multiplier + checkmark * (1 - multiplier)
        }
        return score
    }
}

extension PlainHabit {
    /// Creates a habit of a few weeks with random schedules, pauses and events.
    ///
    /// - Parameters:
    ///   - random: The source of the values.
    ///   - first: The first day of the habit.
    ///   - length: The number of days up to the report day, or `nil` for a random number.
    /// - Throws: No error, because the values are valid.
    public init(random: inout SeededGenerator, from first: Day, length: Int? = nil) throws {
        let length = length ?? Int.random(in: 1...60, using: &random)
        start = first
        reportDay = first.advanced(by: length - 1)
        let isEnded = Int.random(in: 0..<4, using: &random) == 0
        end = isEnded ? first.advanced(by: Int.random(in: 0..<length, using: &random)) : nil
        schedules = [(first, try Self.schedule(random: &random))]
        if Bool.random(using: &random) {
            let change = first.advanced(by: Int.random(in: 0..<length, using: &random))
            schedules.append((change, try Self.schedule(random: &random)))
        }
        pauses = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            // Some pauses begin before the start, end after the report day, or overlap.
            let begin = first.advanced(by: Int.random(in: -15..<length + 5, using: &random))
            let last = begin.advanced(by: Int.random(in: 0..<20, using: &random))
            pauses.append((begin, Int.random(in: 0..<5, using: &random) == 0 ? nil : last))
        }
        outcomes = [:]
        for offset in -5..<length where Int.random(in: 0..<3, using: &random) > 0 {
            let isSkipped = Int.random(in: 0..<5, using: &random) == 0
            outcomes[first.advanced(by: offset)] = isSkipped ? .skipped : .done
        }
    }

    private static func schedule(random: inout SeededGenerator) throws -> Schedule {
        if Bool.random(using: &random) {
            let mask = Int.random(in: 1...127, using: &random)
            return Weekdays(mask: mask).map(Schedule.weekdays) ?? .everyDay
        }
        let period = Int.random(in: 1...9, using: &random)
        let times = Int.random(in: 1...period, using: &random)
        return .target(try Target(times: times, periodDays: period))
    }
}
