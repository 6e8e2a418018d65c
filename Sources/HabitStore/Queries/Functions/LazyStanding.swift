import HabitModel

/// How one habit stands on a day; reads no more of its events than an answer needs.
///
/// The rate looks at four weeks, the current streak back to where it began, the score at the last four years, and only the
/// longest streak at everything.
final class LazyStanding {
    let history: ScheduleHistory
    let reportDay: Day
    let isOver: Bool
    private let key: Int64
    private let reader: HabitHistoryReader
    private var loaded: (from: Day, standing: HabitStanding, outcomes: Outcomes)?

    init(_ key: Int64, _ history: ScheduleHistory, on reportDay: Day, isOver: Bool, reader: HabitHistoryReader) {
        self.key = key
        self.history = history
        self.reportDay = reportDay
        self.isOver = isOver
        self.reader = reader
    }

    /// The standing as far as events from `day` on tell.
    func standing(from day: Day) throws -> HabitStanding { try load(from: day).standing }

    func outcomes(from day: Day) throws -> Outcomes { try load(from: day).outcomes }

    private func load(from day: Day) throws -> (standing: HabitStanding, outcomes: Outcomes) {
        if let loaded, loaded.from <= day { return (loaded.standing, loaded.outcomes) }
        let outcomes = try reader.outcomes(of: key, from: day)
        let standing = HabitStanding(history: history, outcomes: outcomes, on: reportDay, isOver: isOver)
        loaded = (day, standing, outcomes)
        return (standing, outcomes)
    }

    /// Due and done days of the current four weeks.
    func completion(includingToday: Bool) throws -> (due: Int, done: Int) {
        let weeks = HabitStanding.currentWeeks(of: reportDay)
        return try standing(from: weeks.lowerBound).completion(in: weeks, includingToday: includingToday)
    }

    func rate(includingToday: Bool) throws -> Double? {
        let (due, done) = try completion(includingToday: includingToday)
        return due == 0 ? nil : Double(done) / Double(due)
    }

    /// The streak up to `day`, which is not after the report day.
    func streak(upTo day: Day) throws -> Int {
        var lookBack = 28
        while true {
            let limit = day.clampedAdvanced(by: -lookBack)
            if let streak = try standing(from: limit).streak(upTo: day, lookingBackTo: limit) { return streak }
            guard limit > .first else { return try standing(from: .first).streaks.current }
            lookBack *= 4
        }
    }

    var longestStreak: Int { get throws { try standing(from: .first).streaks.longest } }

    var score: Double { get throws { try scores(in: reportDay...reportDay)[0] } }

    func scores(in days: ClosedRange<Day>) throws -> [Double] {
        // A habit that has ended keeps its score: what made it may lie far back.
        let last = min(history.end ?? days.lowerBound, days.lowerBound)
        return try standing(from: last.clampedAdvanced(by: -HabitStanding.scoreDays - 14)).scores(in: days)
    }

    /// The first day with an event.
    var firstEvent: Day? { get throws { try reader.firstEvent(of: key) } }
}

extension Day {
    /// As far as the calendar goes.
    func clampedAdvanced(by days: Int) -> Day {
        Day(
            number: Int32(
                clamping: Swift.max(Int(Day.first.number), Swift.min(Int(Day.last.number), Int(number) + days))))
    }
}
