import HabitModel

/// How one habit stands on a day; reads no more of its events than an answer needs.
///
/// The rate looks at four weeks, the current streak back to where it began, the score at the last four years, and only the
/// longest streak at everything.
struct LazyStanding {
    let habit: HabitHistory
    let reportDay: Day
    let isOver: Bool

    var history: ScheduleHistory { habit.history }

    /// The standing as far as events from `day` on tell.
    func standing(from day: Day) throws -> HabitStanding {
        HabitStanding(history: history, outcomes: try habit.outcomes(from: day), on: reportDay, isOver: isOver)
    }

    /// The first day from `from` on of which something can be said: a habit begins on its first day, or with an event before;
    /// one that has neither begins today.
    func firstDay(from: Day) throws -> Day {
        if let start = history.start, start <= from { return from }
        if let event = habit.firstKnownEvent, event <= from { return from }
        let first = [history.start, try habit.firstEvent].compactMap(\.self).min()
        return max(from, first ?? habit.today)
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

    /// So many days back is looked for the beginning of a streak first.
    private static let streakLookBack = 14

    /// The streak up to `day`, which is not after the report day.
    func streak(upTo day: Day) throws -> Int {
        // What comes behind the habit's end changes nothing.
        let day = history.end.map { min($0, day) } ?? day
        // First what has been read already, then further and further back.
        if let loaded = habit.firstLoaded,
            let streak = try standing(from: loaded).streak(upTo: day, lookingBackTo: loaded)
        {
            return streak
        }
        var lookBack = Self.streakLookBack
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
}

extension Day {
    /// As far as the calendar goes.
    func clampedAdvanced(by days: Int) -> Day {
        Day(
            number: Int32(
                clamping: Swift.max(Int(Day.first.number), Swift.min(Int(Day.last.number), Int(number) + days))))
    }
}
