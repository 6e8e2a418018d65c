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
    private static let (onTrack, nearGoal, inactive, new) = ("On track", "Near goal", "Inactive", "New")
    private static let (blue, orange, wine, gray) = ("#1769aa", "#c27c0e", "#9b1c4b", "#6b726d")

    /// The cases, of which each is a habit in ``StoreTemplate/statistics``.
    public static let all: [HabitStatisticsCase] = [
        // M-02: exactly 0.85 and 0.40, and values next to them.
        make(workdays, "2026-10-26", "xxxxx..xxxxx..xxxxx..xx...", "0.85", nearGoal, orange, 0, 17),
        make(workdays, "2026-10-26", "xxxxx..xxxxx..xxxxx..xxx..", "0.9", onTrack, blue, 0, 18),
        make(workdays, "2026-10-26", "xxxxx..xxx", "0.4", inactive, wine, 0, 8),
        make(workdays, "2026-10-26", "xxxxx..xxxx", "0.45", nearGoal, orange, 0, 9),
        make(workdays, "2026-11-16", "xx", "0.4", inactive, wine, 0, 2),
        make(workdays, "2026-11-16", "x.xx.", "0.6", nearGoal, orange, 0, 2),
        make(workdays, "2026-11-16", "", "0", inactive, wine, 0, 0),
        make(workdays, "2026-11-23", "", nil, new, gray, 0, 0),
        make(workdays, "2026-11-16", "sssss", nil, new, gray, 0, 0),
        // M-01: today counts only if it is done. Start, end and the period limit the due days. Unplanned days do not
        // count.
        make(everyDay, "2026-11-16", "xxxxxx.", "1", onTrack, blue, 6, 6),
        make(everyDay, "2026-11-16", ".xxxxxx", "0.857143", onTrack, blue, 6, 6),
        make(everyDay, "2026-11-16", "x", "0.333333", inactive, wine, 0, 1, end: "2026-11-18"),
        make(everyDay, "2026-11-16", "xxx", "1", onTrack, blue, 3, 3, end: "2026-11-18"),
        make(everyDay, "2026-10-20", "xxxxxxxx", "0.074074", inactive, wine, 0, 8),
        make("1000000", "2026-10-26", ".xxxxxx.xxxxxx.xxxxxx.xxxxxx", "0", inactive, wine, 0, 0),
        make("1000000", "2026-10-26", "xx.....x......xxx....x......", "1", onTrack, blue, 4, 4),
        // M-03: days that end a streak and days that do not.
        make(everyDay, "2026-11-09", "xxxxxxxxxxxxxx", "1", onTrack, blue, 14, 14),
        make(everyDay, "2026-11-09", "xxxxxxxxxxxx..", "0.923077", onTrack, blue, 0, 12),
        make(everyDay, "2026-11-09", "xxx.xxxx.xxxx.", "0.846154", nearGoal, orange, 4, 4),
        make(everyDay, "2026-11-09", "xxxsxxx.xxs.xx", "0.833333", nearGoal, orange, 2, 6),
        make(everyDay, "2026-11-09", "xxxxxxxxxxxxxs", "1", onTrack, blue, 13, 13),
        make(everyDay, "2026-11-09", "s.x..........s", "0.083333", inactive, wine, 0, 1),
        make("1010100", "2026-11-09", "x.x.x..x.x.x..", "1", onTrack, blue, 6, 6),
        make("1010100", "2026-11-09", "x...x..x.x.x..", "0.833333", nearGoal, orange, 4, 4),
        make("1010100", "2026-11-09", "x.x.xx.x.s.xx.", "1", onTrack, blue, 5, 5),
        // M-04: 20 days in a row.
        make(everyDay, "2026-11-03", String(repeating: "x", count: 20), "1", onTrack, blue, 20, 20),
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
        _ mask: String, _ start: String, _ pattern: String, _ rate: String?, _ status: String, _ color: String,
        _ current: Int, _ longest: Int, end: String = ""
    ) -> HabitStatisticsCase {
        HabitStatisticsCase(
            mask: mask, start: start, pattern: pattern, rate: rate, status: status, color: color, current: current,
            longest: longest, end: end)
    }
}
