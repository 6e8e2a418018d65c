import Base
import HabitModel

/// The most important differences between the figures of a day and of the day before.
///
/// The number and the length of the lines do not depend on the number of users.
struct NightlyComparison {
    private static let mostNamed = 3

    /// One sentence for each kind of difference.
    let lines: [String]

    /// Compares the figures of two days.
    ///
    /// - Parameters:
    ///   - before: The figures of the day before.
    ///   - after: The figures of the day.
    init(from before: NightlyFigures, to after: NightlyFigures) {
        var lines: [String] = []
        if after.activeUsers != nil, before.activeUsers != nil, before.events != after.events {
            lines.append(NightlyText.Changes.events(after.events, before: before.events))
        }
        lines += Self.statusLines(from: before, to: after)
        lines += Self.streakLines(from: before, to: after)
        lines += Self.quietLines(from: before, to: after)
        self.lines = lines
    }

    /// Returns the habits whose status became better or worse.
    private static func statusLines(from before: NightlyFigures, to after: NightlyFigures) -> [String] {
        var better: [String] = []
        var worse: [String] = []
        forEachHabit(of: before, and: after) { old, new in
            guard let oldRank = rank(old.status), let newRank = rank(new.status) else { return }
            let text = NightlyText.Changes.status(of: new.label, from: old.status, to: new.status)
            if newRank > oldRank { better.append(text) }
            if newRank < oldRank { worse.append(text) }
        }
        return line(better, NightlyText.Changes.betterStatus)
            + line(worse, NightlyText.Changes.worseStatus)
    }

    /// Returns the habits whose streak ended, longest streak first.
    private static func streakLines(from before: NightlyFigures, to after: NightlyFigures) -> [String] {
        var ended: [(label: String, length: Int)] = []
        forEachHabit(of: before, and: after) { old, new in
            guard old.streak > 0, new.streak == 0 else { return }
            ended.append((new.label, old.streak))
        }
        // Streaks of the same length keep their order.
        let longestFirst = ended.enumerated().sorted { one, other in
            let length = one.element.length
            let otherLength = other.element.length
            return length == otherLength ? one.offset < other.offset : length > otherLength
        }
        let entries = longestFirst.map { _, streak in
            NightlyText.Changes.streak(of: streak.label, after: NightlyText.Count.days(streak.length))
        }
        return line(entries, NightlyText.Changes.endedStreak)
    }

    /// Calls `body` with both figures of each habit that has figures on both days.
    private static func forEachHabit(
        of before: NightlyFigures,
        and after: NightlyFigures,
        _ body: (_ old: NightlyFigures.Habit, _ new: NightlyFigures.Habit) -> Void
    ) {
        guard let oldHabits = before.habits, let newHabits = after.habits else { return }
        for id in after.habitOrder {
            guard let old = oldHabits[id], let new = newHabits[id] else { continue }
            body(old, new)
        }
    }

    private static func quietLines(from before: NightlyFigures, to after: NightlyFigures) -> [String] {
        guard let old = before.quietUsers, let new = after.quietUsers else { return [] }
        let oldSet = Set(old)
        let newSet = Set(new)
        let quiet = new.filter { user in !oldSet.contains(user) }
        let active = old.filter { user in !newSet.contains(user) }
        return line(quiet, NightlyText.Changes.quiet)
            + line(active, NightlyText.Changes.active)
    }

    /// Returns the position of a status in the order from bad to good, or `nil` for a new habit.
    private static func rank(_ status: String) -> Int? {
        switch HabitStatus(rawValue: status) {
        case .inactive: 0
        case .nearGoal: 1
        case .onTrack: 2
        case .new, nil: nil
        }
    }

    /// Returns a sentence with the number of entries and the first of them, or an empty array without entries.
    ///
    /// - Parameters:
    ///   - entries: The entries.
    ///   - sentence: Returns the sentence for the named entries and the number of all entries.
    /// - Returns: At most one sentence.
    private static func line(_ entries: [String], _ sentence: (String, Int) -> String) -> [String] {
        guard !entries.isEmpty else { return [] }
        let named = entries.prefix(mostNamed).map(\.shortened).joined(separator: ", ")
        let more = entries.count - mostNamed
        let list = more > 0 ? NightlyText.Changes.withMore(named, more: more) : named
        return [sentence(list, entries.count)]
    }
}

extension String {
    /// The text, shortened to at most 120 characters.
    var shortened: String {
        guard count > 120 else { return self }
        return prefix(119) + "…"
    }
}
