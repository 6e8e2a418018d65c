import HabitModel

/// A habit that functions speak of, and as much of its events as their answers have needed.
final class HabitHistory {
    let key: Int64
    let id: String
    /// Whether the viewer may see more than schedule, status and colour.
    let isOwn: Bool
    let history: ScheduleHistory
    /// Its owner's today.
    let today: Day
    private let reader: HabitHistoryReader
    private var loaded: (from: Day, outcomes: Outcomes)?

    init(
        _ key: Int64, id: String, isOwn: Bool, history: ScheduleHistory, today: Day, reader: HabitHistoryReader
    ) {
        self.key = key
        self.id = id
        self.isOwn = isOwn
        self.history = history
        self.today = today
        self.reader = reader
    }

    /// Most answers look at the last weeks: they are read together, since a reading costs more than the few days in it.
    private static let usual = 35

    /// What became of its days from `day` on, and perhaps of some before.
    func outcomes(from day: Day) throws -> Outcomes {
        if let loaded, loaded.from <= day { return loaded.outcomes }
        let from = min(day, today.clampedAdvanced(by: -Self.usual))
        let outcomes = try reader.outcomes(of: key, from: from)
        loaded = (from, outcomes)
        return outcomes
    }

    /// The day from which ``outcomes(from:)`` has been asked.
    var firstLoaded: Day? { loaded?.from }

    /// The first day with an event.
    var firstEvent: Day? { get throws { try reader.firstEvent(of: key) } }
}
