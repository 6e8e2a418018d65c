import Foundation

/// A habit with its events, and the statistics that rules M-01 to M-04 give it.
///
/// The pattern has one character for each day from `start`: `x` done, `s` skipped, `.` neither.
public struct HabitStatisticsCase: Sendable, CustomStringConvertible {
    /// The scheduled weekdays from Monday, `1` for each.
    public var mask: String
    /// The first day of the habit.
    public var start: String
    /// The outcomes of the days.
    public var pattern: String
    /// The completion rate, or `nil` if no day is due.
    public var rate: String?
    /// The status as a word.
    public var status: String
    /// The color of the status.
    public var color: String
    /// The current streak.
    public var current: Int
    /// The longest streak.
    public var longest: Int
    /// The last day of the habit, or an empty text.
    public var end = ""

    /// The schedule and the outcomes.
    public var description: String { "\(mask) \(start) \(pattern)" }

    /// The day and the outcome of each event.
    public var events: [(day: String, outcome: String)] {
        pattern.enumerated().compactMap { index, sign in
            sign == "." ? nil : (Self.day(start, index), sign == "x" ? "done" : "skipped")
        }
    }

    /// The score of the formula of rule M-04, computed from the first day.
    public var score: Double {
        let outcomes = Dictionary(events.map { ($0.day, $0.outcome) }, uniquingKeysWith: { first, _ in first })
        let days = mask.map { $0 == "1" }
        let scheduled = Double(days.filter(\.self).count)
        let m = pow(0.5, (scheduled / 7).squareRoot() / 13)
        var done: [Bool] = []
        var score = 0.0
        // All cases start in these weeks, and the first day is a Monday.
        for offset in 0..<35 {
            let day = Self.day("2026-10-19", offset)
            guard day <= (end.isEmpty ? Self.today : end) else { break }
            done.append(outcomes[day] == "done" && days[offset % 7])
            guard outcomes[day] != "skipped" else { continue }
            let recent = Double(done.suffix(14).filter(\.self).count)
            let checkmark = scheduled == 7 ? (done[offset] ? 1 : 0) : min(1, recent / (2 * scheduled))
            score = score * m + checkmark * (1 - m)
        }
        return score
    }

    private static func day(_ start: String, _ offset: Int) -> String {
        let first = try? Date(start, strategy: .iso8601.year().month().day())
        return first?.addingTimeInterval(Double(offset) * 86400).formatted(.iso8601.year().month().day()) ?? ""
    }

    /// A Sunday.
    ///
    /// The completion rate covers 2026-10-26 to this day.
    public static let today = "2026-11-22"
    private static let everyDay = "1111111"
    private static let workdays = "1111100"

    /// A status as a word, and its color.
    private struct Status {
        var word: String
        var color: String
    }

    private static let onTrack = Status(word: "On track", color: "#1769aa")
    private static let nearGoal = Status(word: "Near goal", color: "#c27c0e")
    private static let inactive = Status(word: "Inactive", color: "#9b1c4b")
    private static let new = Status(word: "New", color: "#6b726d")

    /// The cases, of which each is a habit in ``StoreTemplate/statistics``.
    public static let all: [HabitStatisticsCase] = [
        // M-02: exactly 0.85 and 0.40, and values next to them.
        make(
            workdays, from: "2026-10-26", "xxxxx..xxxxx..xxxxx..xx...", rate: "0.85", is: nearGoal, current: 0,
            longest: 17),
        make(
            workdays, from: "2026-10-26", "xxxxx..xxxxx..xxxxx..xxx..", rate: "0.9", is: onTrack, current: 0,
            longest: 18),
        make(workdays, from: "2026-10-26", "xxxxx..xxx", rate: "0.4", is: inactive, current: 0, longest: 8),
        make(workdays, from: "2026-10-26", "xxxxx..xxxx", rate: "0.45", is: nearGoal, current: 0, longest: 9),
        make(workdays, from: "2026-11-16", "xx", rate: "0.4", is: inactive, current: 0, longest: 2),
        make(workdays, from: "2026-11-16", "x.xx.", rate: "0.6", is: nearGoal, current: 0, longest: 2),
        make(workdays, from: "2026-11-16", "", rate: "0", is: inactive, current: 0, longest: 0),
        make(workdays, from: "2026-11-23", "", rate: nil, is: new, current: 0, longest: 0),
        make(workdays, from: "2026-11-16", "sssss", rate: nil, is: new, current: 0, longest: 0),
        // M-01: today counts only if it is done. Start, end and the period limit the due days. Unplanned days do not
        // count.
        make(everyDay, from: "2026-11-16", "xxxxxx.", rate: "1", is: onTrack, current: 6, longest: 6),
        make(everyDay, from: "2026-11-16", ".xxxxxx", rate: "0.857143", is: onTrack, current: 6, longest: 6),
        make(
            everyDay, from: "2026-11-16", "x", rate: "0.333333", is: inactive, current: 0, longest: 1, end: "2026-11-18"
        ),
        make(everyDay, from: "2026-11-16", "xxx", rate: "1", is: onTrack, current: 3, longest: 3, end: "2026-11-18"),
        make(everyDay, from: "2026-10-20", "xxxxxxxx", rate: "0.074074", is: inactive, current: 0, longest: 8),
        make(
            "1000000", from: "2026-10-26", ".xxxxxx.xxxxxx.xxxxxx.xxxxxx", rate: "0", is: inactive, current: 0,
            longest: 0),
        make(
            "1000000", from: "2026-10-26", "xx.....x......xxx....x......", rate: "1", is: onTrack, current: 4,
            longest: 4),
        // M-03: days that end a streak and days that do not.
        make(everyDay, from: "2026-11-09", "xxxxxxxxxxxxxx", rate: "1", is: onTrack, current: 14, longest: 14),
        make(everyDay, from: "2026-11-09", "xxxxxxxxxxxx..", rate: "0.923077", is: onTrack, current: 0, longest: 12),
        make(everyDay, from: "2026-11-09", "xxx.xxxx.xxxx.", rate: "0.846154", is: nearGoal, current: 4, longest: 4),
        make(everyDay, from: "2026-11-09", "xxxsxxx.xxs.xx", rate: "0.833333", is: nearGoal, current: 2, longest: 6),
        make(everyDay, from: "2026-11-09", "xxxxxxxxxxxxxs", rate: "1", is: onTrack, current: 13, longest: 13),
        make(everyDay, from: "2026-11-09", "s.x..........s", rate: "0.083333", is: inactive, current: 0, longest: 1),
        make("1010100", from: "2026-11-09", "x.x.x..x.x.x..", rate: "1", is: onTrack, current: 6, longest: 6),
        make("1010100", from: "2026-11-09", "x...x..x.x.x..", rate: "0.833333", is: nearGoal, current: 4, longest: 4),
        make("1010100", from: "2026-11-09", "x.x.xx.x.s.xx.", rate: "1", is: onTrack, current: 5, longest: 5),
        // M-04: 20 days in a row.
        make(
            everyDay, from: "2026-11-03", String(repeating: "x", count: 20), rate: "1", is: onTrack, current: 20,
            longest: 20),
    ]

    /// The files of the habits `h0`, `h1` and so on of the user `ann`, and their events.
    public static let files: [String: String] = {
        var habits = "id,user,title,days,start,end\n"
        var events = "habit,day,outcome\n"
        for (number, habit) in all.enumerated() {
            habits += "h\(number),ann,Habit \(number),\(habit.mask),\(habit.start),\(habit.end)\n"
            for event in habit.events { events += "h\(number),\(event.day),\(event.outcome)\n" }
        }
        return ["users.csv": "id\nann\n", "habits.csv": habits, "events.csv": events]
    }()

    private static func make(
        _ mask: String,
        from start: String,
        _ pattern: String,
        rate: String?,
        is status: Status,
        current: Int,
        longest: Int,
        end: String = ""
    ) -> HabitStatisticsCase {
        HabitStatisticsCase(
            mask: mask,
            start: start,
            pattern: pattern,
            rate: rate,
            status: status.word,
            color: status.color,
            current: current,
            longest: longest,
            end: end)
    }
}
