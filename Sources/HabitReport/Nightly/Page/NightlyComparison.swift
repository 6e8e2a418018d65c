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
            lines.append("Events: \(after.events), and \(before.events) on the day before.")
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
            guard let oldRank = rank(old.status),
                let newRank = rank(new.status),
                oldRank != newRank
            else { return }
            let text = "\(new.label) (\(old.status) to \(new.status))"
            if newRank > oldRank { better.append(text) } else { worse.append(text) }
        }
        return line(better, state: "a better status", of: .habit)
            + line(worse, state: "a worse status", of: .habit)
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
            "\(streak.label) after \(NightlyHeadline.count(streak.length, "day"))"
        }
        return line(entries, state: "no streak any longer", of: .habit)
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
        let quiet = new.filter { !oldSet.contains($0) }
        let active = old.filter { !newSet.contains($0) }
        return line(quiet, state: "quiet now", of: .user)
            + line(active, state: "active again", of: .user)
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
    private static func line(_ entries: [String], state: String, of subject: Subject) -> [String] {
        guard !entries.isEmpty else { return [] }
        let count = NightlyHeadline.count(entries.count, subject.rawValue)
        let verb = subject.verb(entries.count)
        let named = entries.prefix(mostNamed).map(\.shortened).joined(separator: ", ")
        let rest = entries.count > mostNamed ? ", and \(entries.count - mostNamed) more" : ""
        return ["\(count) \(verb) \(state): \(named)\(rest)."]
    }

    /// The noun of a sentence, whose verb depends on it and on the number.
    private enum Subject: String {
        case user, habit

        func verb(_ count: Int) -> String {
            switch self {
            case .user: count == 1 ? "is" : "are"
            case .habit: count == 1 ? "has" : "have"
            }
        }
    }
}

extension String {
    /// The text, shortened to at most 120 characters.
    var shortened: String {
        guard count > 120 else { return self }
        return prefix(119) + "…"
    }
}
