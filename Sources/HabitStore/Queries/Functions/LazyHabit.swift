import Base
import HabitModel

/// A habit that the table functions return, with a cache of the events that they have read.
final class LazyHabit {
    let key: Int64
    let id: String
    /// Whether the viewer can see more than the schedule, status and color.
    let isOwn: Bool
    let owner: Owner
    let title: String
    let history: ScheduleHistory
    /// The current date of the habit's owner.
    let today: CurrentDate
    private let reader: HabitHistoryReader
    /// The habits whose events are read together with the events of this habit, or `nil`.
    var group: HabitGroup?
    private var loaded: (from: Day, outcomes: Outcomes)?
    /// The first day with an event, after the first read.
    private var first: Day??

    /// The user who has a habit.
    struct Owner {
        var key: Int64
        var id: String
    }

    init(
        _ key: Int64,
        id: String,
        isOwn: Bool,
        owner: Owner,
        title: String,
        history: ScheduleHistory,
        today: CurrentDate,
        reader: HabitHistoryReader
    ) {
        self.key = key
        self.id = id
        self.isOwn = isOwn
        self.owner = owner
        self.title = title
        self.history = history
        self.today = today
        self.reader = reader
    }

    /// The number of days before the current date that a first read includes.
    ///
    /// Most results depend only on the last weeks. A read costs more than the few days in it.
    private static let usual = 28

    /// Returns the outcomes of the days from `day` on.
    ///
    /// The result may also contain earlier days.
    func outcomes(from day: Day) throws -> Outcomes {
        if let group { return try group.outcomes(of: self, from: day) }
        if let loaded, loaded.from <= day { return loaded.outcomes }
        let from = min(day, defaultWindowStart)
        let outcomes = try reader.outcomes(
            of: key,
            user: owner.key,
            target: history.targetAmount,
            from: from)
        loaded = (from, outcomes)
        return outcomes
    }

    /// The first day that most results depend on.
    fileprivate var defaultWindowStart: Day { today.day.clampedAdvanced(by: -Self.usual) }

    /// The first day of the days that ``outcomes(from:)`` has read, or `nil` before the first read.
    var firstLoaded: Day? { group?.firstLoaded ?? loaded?.from }

    /// The first day with an event in the days that ``outcomes(from:)`` has read, or `nil` if there is no such day.
    var firstKnownEvent: Day? { group?.firstKnownEvent(of: self) ?? loaded?.outcomes.first }

    /// The first day with an event, or `nil` if the habit has no event.
    ///
    /// Reads the store once.
    var firstEvent: Day? {
        get throws {
            if let group { return try group.firstEvent(of: self) }
            if let first { return first }
            let day = try reader.firstEvent(of: key, user: owner.key)
            first = .some(day)
            return day
        }
    }
}

/// The current date in a time zone.
struct CurrentDate {
    var day: Day
    /// Whether the date counts as over, so that a habit is missed if it is not done.
    var isOver: Bool
}

/// A group of habits whose events are read by the same statements.
///
/// A caller that reads the events of one habit usually reads the events of the other habits of the group next.
final class HabitGroup {
    private let keys: [Int64]
    private let reader: HabitHistoryReader
    private var loaded: (from: Day, outcomes: [Int64: Outcomes])?
    private var firstEvents: [Int64: Day]?

    /// Assigns a new group to all habits that have no target amount.
    ///
    /// A habit with a target amount has no group, because the query of its events depends on that amount.
    static func join(_ habits: [LazyHabit], reader: HabitHistoryReader) {
        let habits = habits.filter { $0.history.targetAmount == nil }
        let group = HabitGroup(keys: habits.map(\.key), reader: reader)
        for habit in habits { habit.group = group }
    }

    private init(keys: [Int64], reader: HabitHistoryReader) {
        self.keys = keys
        self.reader = reader
    }

    fileprivate var firstLoaded: Day? { loaded?.from }

    fileprivate func firstKnownEvent(of habit: LazyHabit) -> Day? { loaded?.outcomes[habit.key]?.first }

    fileprivate func outcomes(of habit: LazyHabit, from day: Day) throws -> Outcomes {
        if let loaded, loaded.from <= day { return loaded.outcomes[habit.key] ?? Outcomes() }
        // In other time zones, the current date of a habit may be up to two days earlier.
        let windowStart = min(day, habit.defaultWindowStart)
        let from = windowStart.clampedAdvanced(by: -2)
        let outcomes = try reader.outcomes(of: keys, from: from)
        loaded = (from, outcomes)
        return outcomes[habit.key] ?? Outcomes()
    }

    fileprivate func firstEvent(of habit: LazyHabit) throws -> Day? {
        let days = try firstEvents ?? reader.firstEvents(of: keys)
        firstEvents = days
        return days[habit.key]
    }
}
