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
        lines += Self.habitLines(before, after)
        if let old = before.quietUsers, let new = after.quietUsers {
            let (oldSet, newSet) = (Set(old), Set(new))
            lines += Self.line("quiet now", new.filter { !oldSet.contains($0) }, "user")
            lines += Self.line("active again", old.filter { !newSet.contains($0) }, "user")
        }
        self.lines = lines
    }

    private static func habitLines(_ before: NightlyFigures, _ after: NightlyFigures) -> [String] {
        guard let old = before.habits, let new = after.habits else { return [] }
        var (ended, better, worse): ([(text: String, size: Int)], [String], [String]) = ([], [], [])
        for id in after.habitOrder {
            guard let (first, second) = old[id].flatMap({ first in new[id].map { (first, $0) } }) else { continue }
            if first.streak > 0, second.streak == 0 {
                let days = NightlyHeadline.count(first.streak, "day")
                ended.append(("\(second.label) after \(days)", first.streak))
            }
            guard let from = rank(first.status), let to = rank(second.status), from != to else { continue }
            let text = "\(second.label) (\(first.status) to \(second.status))"
            if to > from { better.append(text) } else { worse.append(text) }
        }
        // Streaks of the same length keep their order.
        let longest = ended.enumerated().sorted { ($1.element.size, $0.offset) < ($0.element.size, $1.offset) }
        return line("a better status", better, "habit") + line("a worse status", worse, "habit")
            + line("no streak any longer", longest.map(\.element.text), "habit")
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
    private static func line(_ state: String, _ entries: [String], _ noun: String) -> [String] {
        guard !entries.isEmpty else { return [] }
        let verb = noun == "user" ? (entries.count == 1 ? "is" : "are") : (entries.count == 1 ? "has" : "have")
        let rest = entries.count > mostNamed ? ", and \(entries.count - mostNamed) more" : ""
        let named = entries.prefix(mostNamed).map(\.shortened).joined(separator: ", ")
        return ["\(NightlyHeadline.count(entries.count, noun)) \(verb) \(state): \(named)\(rest)."]
    }
}

extension String {
    /// The text, shortened to at most 120 characters.
    var shortened: String { count > 120 ? prefix(119) + "…" : self }
}
