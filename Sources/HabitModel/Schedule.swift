import Base

/// The rule that determines on which days a habit is due: weekdays, or a target in a number of days.
public enum Schedule: Hashable, Sendable {
    /// The habit is due on these weekdays.
    case weekdays(Weekdays)
    /// The habit is to be done a number of times in a number of days.
    case target(Target)

    /// The schedule with all seven weekdays.
    public static let everyDay = Schedule.weekdays(.everyDay)

    /// Parses weekdays.
    ///
    /// - Parameter text: The weekdays, in one of the forms of ``Weekdays/init(_:)``.
    /// - Throws: `schedule-empty` if the text contains no weekday, `schedule-invalid` if a part is not a weekday.
    public init(_ text: String) throws(HabitError) { self = .weekdays(try Weekdays(text)) }

    /// Creates a schedule from the fields `days`, `times` and `period_days`, each `nil` if it is unset.
    ///
    /// - Parameters:
    ///   - days: The weekdays, in one of the forms of ``Weekdays/init(_:)``.
    ///   - times: The number of completions of a target.
    ///   - periodDays: The days of the period of a target.
    /// - Throws: `schedule-empty` if all are `nil`. `schedule-invalid` if there are weekdays and a target, if one number
    ///   of a target is missing, or if a value is invalid.
    public init(days: String?, times: Int?, periodDays: Int?) throws(HabitError) {
        switch (times, periodDays) {
        case (nil, nil): self = .weekdays(try Weekdays(days ?? ""))
        case (let times?, let periodDays?):
            guard days == nil else {
                throw HabitError(
                    .scheduleInvalid, "a habit has either weekdays or a target", field: Field.days.name,
                    .omit(.weekdays), .omit(.target))
            }
            self = .target(try Target(times: times, periodDays: periodDays))
        case (nil, _):
            throw HabitError(
                .scheduleInvalid, "the target has a period but no number of completions", field: Field.times.name,
                .give(.times))
        case (_, nil):
            throw HabitError(
                .scheduleInvalid, "the target has a number of completions but no period",
                field: Field.periodDays.name, .give(.periodDays))
        }
    }

    /// The `schedule-empty` error.
    public static let missing = HabitError(
        .scheduleEmpty, "the schedule is empty", field: Field.days.name, .give(.weekdays), .give(.target))

    /// The weekdays, or `nil` if the schedule is a target.
    public var weekdays: Weekdays? {
        if case .weekdays(let weekdays) = self { weekdays } else { nil }
    }

    /// The target, or `nil` if the schedule consists of weekdays.
    public var target: Target? {
        if case .target(let target) = self { target } else { nil }
    }

    /// The scheduled share of the days, more than 0 and at most 1.
    ///
    /// It is the frequency f of the score: weekdays / 7, or times / days of the period.
    public var frequency: Double {
        switch self {
        case .weekdays(let weekdays): Double(weekdays.daysPerWeek) / 7
        case .target(let target): Double(target.times) / Double(target.periodDays)
        }
    }

    /// The number of days of a week on which the habit is due, or the number of completions of the target.
    var completions: Int {
        switch self {
        case .weekdays(let weekdays): weekdays.daysPerWeek
        case .target(let target): target.times
        }
    }

    /// The period of the target in days, or 0 for weekdays.
    fileprivate var periodDays: Int { target?.periodDays ?? 0 }

    /// The number of days whose done days determine a change of the score: two weeks or two periods.
    var scoreWindow: Int { 2 * (target?.periodDays ?? 7) }

    /// Returns whether an event on `day` is planned.
    ///
    /// With a target, an event is planned on every day.
    public func accepts(_ day: Day) -> Bool { weekdays?.includes(day) ?? true }
}

extension Schedule: CustomStringConvertible {
    /// The weekdays, such as `mon wed fri`, or the target, such as `3 times in 7 days`.
    public var description: String {
        switch self {
        case .weekdays(let weekdays): weekdays.description
        case .target(let target): target.description
        }
    }
}

/// A target: a number of completions in any period of a number of consecutive days.
public struct Target: Hashable, Sendable {
    /// The number of completions, 1...``periodDays``.
    public let times: Int
    /// The length of the period in days, 1...``maximumPeriod``.
    public let periodDays: Int

    /// The maximum length of a period, in days.
    public static let maximumPeriod = 9999

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - times: The number of completions, 1...`periodDays`.
    ///   - periodDays: The length of the period in days, 1...9999.
    /// - Throws: `schedule-invalid` if a number is out of range.
    public init(times: Int, periodDays: Int) throws(HabitError) {
        guard (1...Self.maximumPeriod).contains(periodDays) else {
            throw HabitError(
                .scheduleInvalid, "the period has \(periodDays) days: use 1 to \(Self.maximumPeriod)",
                field: Field.periodDays.name)
        }
        guard (1...periodDays).contains(times) else {
            throw HabitError(
                .scheduleInvalid,
                "a habit cannot be done \(times) times in \(periodDays) days: use 1 to \(periodDays) times",
                field: Field.times.name)
        }
        self.times = times
        self.periodDays = periodDays
    }
}

extension Target: CustomStringConvertible {
    /// The target in words, such as `3 times in 7 days`.
    public var description: String {
        let completions = times == 1 ? "1 time" : "\(times) times"
        let period = periodDays == 1 ? "1 day" : "\(periodDays) days"
        return "\(completions) in \(period)"
    }
}

/// The schedules of a habit over time.
///
/// On each day, the latest schedule that begins on or before the day is in force.
public struct ScheduleHistory: Sendable, Equatable {
    /// The first day of the habit, or `nil` if it has no start.
    public var start: Day?
    /// The last day of the habit, or `nil` if it has no end.
    public var end: Day?
    /// The schedule before the first change.
    public let first: Schedule
    /// The amount that an event needs so that its day is done, or `nil` if every event counts.
    public var targetAmount: Double?
    /// The dates that never existed in the time zone of the owner, in ascending order.
    ///
    /// They are neither due nor missed, and an event on such a date is unplanned. See ``TimeZoneRules/missingDates``.
    public var missingDates: [Day] = []
    /// The days on which the habit is paused.
    ///
    /// They are neither due nor missed. An event on such a day is unplanned, unless the schedule is a target.
    public var pauses = Pauses()
    /// The later schedules with their first days, in ascending order.
    ///
    /// Most habits have no changes.
    private let changes: [(from: Day, schedule: Schedule)]

    /// Creates a history.
    ///
    /// - Parameters:
    ///   - start: The first day of the habit, or `nil` if it has no start.
    ///   - end: The last day of the habit, or `nil` if it has no end.
    ///   - schedule: The schedule before the first change.
    ///   - changes: The later schedules with their first days, in any order.
    public init(start: Day?, end: Day?, schedule: Schedule, changes: [(from: Day, schedule: Schedule)] = []) {
        self.start = start
        self.end = end
        first = schedule
        self.changes = changes.sorted { first, second in first.from < second.from }
    }

    /// A schedule and the days on which it is in force.
    public struct Version: Sendable, Equatable {
        /// The day of the change to this schedule, or `nil` for the schedule before the first change.
        public let changed: Day?
        /// The first day, or `nil` if the habit has no start.
        public let first: Day?
        /// The last day, or `nil` if the habit has no end.
        public let last: Day?
        /// The schedule.
        public let schedule: Schedule
    }

    /// The schedules with their days, in ascending order, without schedules that are in force on no day.
    public var versions: [Version] {
        var begins: [(changed: Day?, schedule: Schedule)] = [(nil, first)]
        for change in changes {
            begins.append((change.from, change.schedule))
        }
        return begins.indices.compactMap { index in
            let begin = begins[index]
            let next = begins[(index + 1)...].first
            let dayBeforeNext = next?.changed?.clampedAdvanced(by: -1)
            let firstDay = [begin.changed, start].compactMap(\.self).max()
            let lastDay = [dayBeforeNext, end].compactMap(\.self).min()
            if let firstDay, let lastDay, firstDay > lastDay { return nil }
            return Version(changed: begin.changed, first: firstDay, last: lastDay, schedule: begin.schedule)
        }
    }

    /// Returns the schedule that is in force on `day`.
    public func schedule(on day: Day) -> Schedule {
        let change = changes.last { change in change.from <= day }
        return change?.schedule ?? first
    }

    /// Whether a version of the schedule is a target.
    public var hasTarget: Bool {
        first.target != nil || changes.contains { change in change.schedule.target != nil }
    }

    /// The distinct targets of all versions.
    var targets: Set<Target> {
        let schedules = [first] + changes.map(\.schedule)
        return Set(schedules.compactMap(\.target))
    }

    /// The longest period of all targets in days, or 0 if no version is a target.
    public var longestPeriod: Int {
        changes.reduce(first.periodDays) { longest, change in
            max(longest, change.schedule.periodDays)
        }
    }

    /// The longest window of the score of all versions, in days.
    var longestScoreWindow: Int {
        changes.reduce(first.scoreWindow) { longest, change in
            max(longest, change.schedule.scoreWindow)
        }
    }

    /// The lowest frequency of all versions, more than 0 and at most 1.
    var lowestFrequency: Double {
        changes.reduce(first.frequency) { lowest, change in
            min(lowest, change.schedule.frequency)
        }
    }

    /// Returns whether `day` is between the start and the end of the habit.
    public func exists(on day: Day) -> Bool {
        if let start, day < start { return false }
        if let end, day > end { return false }
        return true
    }

    /// Returns whether an event on `day` is planned.
    ///
    /// The day must be between the start and the end, and exist in the time zone of the owner. The schedule in force must
    /// include its weekday or be a target. With weekdays, the day must not be paused.
    public func includes(_ day: Day) -> Bool {
        guard isScheduled(on: day) else { return false }
        return !pauses.contains(day) || schedule(on: day).target != nil
    }

    /// Returns whether an event on `day` is planned, or would be planned if the habit were not paused.
    public func isScheduled(on day: Day) -> Bool {
        exists(on: day) && schedule(on: day).accepts(day) && !missingDates.contains(day)
    }

    /// Returns the history of a habit that begins on `day` if it has no start.
    ///
    /// A habit without a start begins with its first event, or on the current date if it has no event.
    public func beginning(on day: @autoclosure () throws -> Day) rethrows -> ScheduleHistory {
        guard start == nil else { return self }
        var history = self
        history.start = try day()
        return history
    }

    /// Returns whether streaks, scores and periods do not count `day`: it is skipped or paused, or never existed.
    func passesOver(_ day: Day, _ outcomes: Outcomes) -> Bool {
        outcomes[day] == .skipped || missingDates.contains(day) || pauses.contains(day)
    }

    /// Returns the first day whose event may satisfy a target on `day`.
    ///
    /// It is the first day of the longest period that ends with `day`. The period does not count skipped and paused
    /// days and dates that never existed.
    ///
    /// - Parameters:
    ///   - day: The last day of the period.
    ///   - outcomes: The outcomes of the days. Days before the first outcome count as not skipped.
    /// - Returns: The first day of the period, or `day` if the habit has no target.
    public func firstDay(ofPeriodEndingWith day: Day, _ outcomes: Outcomes) -> Day {
        var first = day
        var rest = longestPeriod - 1
        while rest > 0, first > .first {
            let firstOutcome = outcomes.first ?? first
            if first <= firstOutcome, missingDates.isEmpty {
                return pauses.day(rest, before: first)
            }
            first = first.advanced(by: -1)
            if let pause = pauses.range(containing: first) {
                first = pause.lowerBound
            } else if !passesOver(first, outcomes) {
                rest -= 1
            }
        }
        return first
    }

    /// Calls `body` with each day from `first` to `last` on which the habit is scheduled, in ascending order.
    ///
    /// The days include skipped and paused days.
    ///
    /// Costs a few instructions per day.
    func forEachDay(from first: Day, to last: Day, _ body: (Day) -> Void) {
        var day = max(first, start ?? first)
        let last = min(last, end ?? last)
        var weekday = day.weekday
        while day <= last {
            let schedule = changes.isEmpty ? self.first : schedule(on: day)
            let isAccepted = schedule.weekdays?.includes(weekday: weekday) ?? true
            if isAccepted, !missingDates.contains(day) { body(day) }
            day = day.advanced(by: 1)
            weekday = weekday % 7 + 1
        }
    }

    /// Compares the dates, the schedules, the target amounts and the changes of two histories.
    ///
    /// The dates that never existed belong to the owner, and the pauses are records of their own.
    public static func == (a: ScheduleHistory, b: ScheduleHistory) -> Bool {
        guard a.start == b.start, a.end == b.end else { return false }
        guard a.first == b.first, a.targetAmount == b.targetAmount else { return false }
        return a.changes.elementsEqual(b.changes) { first, second in first == second }
    }
}
