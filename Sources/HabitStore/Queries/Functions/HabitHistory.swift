import HabitModel

/// A habit that functions speak of, and as much of its events as their answers have needed.
final class HabitHistory {
    let key: Int64
    let id: String
    /// Whether the viewer may see more than schedule, status and colour.
    let isOwn: Bool
    let owner: (key: Int64, id: String)
    let title: String
    let history: ScheduleHistory
    /// Its owner's today.
    let today: Day
    private let reader: HabitHistoryReader
    /// Those whose events are read together with its own.
    var group: HabitGroup?
    private var loaded: (from: Day, outcomes: Outcomes)?

    init(
        _ key: Int64, id: String, isOwn: Bool, owner: (key: Int64, id: String), title: String, history: ScheduleHistory,
        today: Day, reader: HabitHistoryReader
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

    /// Most answers look at the last weeks: they are read together, since a reading costs more than the few days in it.
    private static let usual = 28

    /// What became of its days from `day` on, and perhaps of some before.
    func outcomes(from day: Day) throws -> Outcomes {
        if let group { return try group.outcomes(of: self, from: day) }
        if let loaded, loaded.from <= day { return loaded.outcomes }
        let from = min(day, usualFirst)
        let outcomes = try reader.outcomes(of: key, from: from)
        loaded = (from, outcomes)
        return outcomes
    }

    /// Where most answers begin to look.
    fileprivate var usualFirst: Day { today.clampedAdvanced(by: -Self.usual) }

    /// The day from which ``outcomes(from:)`` has been asked.
    var firstLoaded: Day? { group?.firstLoaded ?? loaded?.from }

    /// The first day with an event among those that ``outcomes(from:)`` has read.
    var firstKnownEvent: Day? { group?.firstKnownEvent(of: self) ?? loaded?.outcomes.first }

    /// The first day with an event.
    var firstEvent: Day? {
        get throws {
            if let group { return try group.firstEvent(of: self) }
            return try reader.firstEvent(of: key)
        }
    }
}

/// Habits whose events are read by the same statements: what one of them is asked for, the others are most likely asked for next.
final class HabitGroup {
    private let keys: [Int64]
    private let reader: HabitHistoryReader
    private var loaded: (from: Day, outcomes: [Int64: Outcomes])?
    private var firstEvents: [Int64: Day]?

    /// Joins habits, one at least.
    static func join(_ habits: [HabitHistory], reader: HabitHistoryReader) {
        let group = HabitGroup(keys: habits.map(\.key), reader: reader)
        for habit in habits { habit.group = group }
    }

    private init(keys: [Int64], reader: HabitHistoryReader) {
        self.keys = keys
        self.reader = reader
    }

    fileprivate var firstLoaded: Day? { loaded?.from }

    fileprivate func firstKnownEvent(of habit: HabitHistory) -> Day? { loaded?.outcomes[habit.key]?.first }

    fileprivate func outcomes(of habit: HabitHistory, from day: Day) throws -> Outcomes {
        if let loaded, loaded.from <= day { return loaded.outcomes[habit.key] ?? Outcomes() }
        // Of habits in several zones the one that is behind.
        let from = min(day, habit.usualFirst).clampedAdvanced(by: -2)
        let outcomes = try reader.outcomes(of: keys, from: from)
        loaded = (from, outcomes)
        return outcomes[habit.key] ?? Outcomes()
    }

    fileprivate func firstEvent(of habit: HabitHistory) throws -> Day? {
        let days = try firstEvents ?? reader.firstEvents(of: keys)
        firstEvents = days
        return days[habit.key]
    }
}
