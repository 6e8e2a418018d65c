import Foundation
import HabitTestSupport
import Testing

/// Tests of rules M-01 to M-04 and C-22 with stored events.
///
/// Each case is a habit in one store. Its pattern has one character for each day from `start`: `x` done, `s` skipped,
/// `.` neither.
@Suite struct HabitStatisticsRuleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var mask: String
        var start: String
        var pattern: String
        var rate: String?
        var status: String
        var color: String
        var current: Int
        var longest: Int
        var end = ""

        var testDescription: String { "\(mask) \(start) \(pattern)" }
        var events: [(day: String, outcome: String)] {
            pattern.enumerated().compactMap { index, sign in
                sign == "." ? nil : (Self.day(start, index), sign == "x" ? "done" : "skipped")
            }
        }

        static func day(_ start: String, _ offset: Int) -> String {
            let first = try? Date(start, strategy: .iso8601.year().month().day())
            return first?.addingTimeInterval(Double(offset) * 86400).formatted(.iso8601.year().month().day()) ?? ""
        }
    }

    /// A Sunday.
    ///
    /// The completion rate covers 2026-10-26 to this day.
    static let today = "2026-11-22"
    private static let everyDay = "1111111"
    private static let workdays = "1111100"
    private static let (onTrack, nearGoal, inactive, new) = ("On track", "Near goal", "Inactive", "New")
    private static let (green, orange, red, grey) = ("#2e7d32", "#f07800", "#c62828", "#757575")

    static let cases: [Case] = [
        // M-02: exactly 0.85 and 0.40, and values next to them.
        make(workdays, "2026-10-26", "xxxxx..xxxxx..xxxxx..xx...", "0.85", nearGoal, orange, 0, 17),
        make(workdays, "2026-10-26", "xxxxx..xxxxx..xxxxx..xxx..", "0.9", onTrack, green, 0, 18),
        make(workdays, "2026-10-26", "xxxxx..xxx", "0.4", inactive, red, 0, 8),
        make(workdays, "2026-10-26", "xxxxx..xxxx", "0.45", nearGoal, orange, 0, 9),
        make(workdays, "2026-11-16", "xx", "0.4", inactive, red, 0, 2),
        make(workdays, "2026-11-16", "x.xx.", "0.6", nearGoal, orange, 0, 2),
        make(workdays, "2026-11-16", "", "0", inactive, red, 0, 0),
        make(workdays, "2026-11-23", "", nil, new, grey, 0, 0),
        make(workdays, "2026-11-16", "sssss", nil, new, grey, 0, 0),
        // M-01: today counts only if it is done. Start, end and the period limit the due days. Unplanned days do not
        // count.
        make(everyDay, "2026-11-16", "xxxxxx.", "1", onTrack, green, 6, 6),
        make(everyDay, "2026-11-16", ".xxxxxx", "0.857143", onTrack, green, 6, 6),
        make(everyDay, "2026-11-16", "x", "0.333333", inactive, red, 0, 1, end: "2026-11-18"),
        make(everyDay, "2026-11-16", "xxx", "1", onTrack, green, 3, 3, end: "2026-11-18"),
        make(everyDay, "2026-10-20", "xxxxxxxx", "0.074074", inactive, red, 0, 8),
        make("1000000", "2026-10-26", ".xxxxxx.xxxxxx.xxxxxx.xxxxxx", "0", inactive, red, 0, 0),
        make("1000000", "2026-10-26", "xx.....x......xxx....x......", "1", onTrack, green, 4, 4),
        // M-03: days that end a streak and days that do not.
        make(everyDay, "2026-11-09", "xxxxxxxxxxxxxx", "1", onTrack, green, 14, 14),
        make(everyDay, "2026-11-09", "xxxxxxxxxxxx..", "0.923077", onTrack, green, 0, 12),
        make(everyDay, "2026-11-09", "xxx.xxxx.xxxx.", "0.846154", nearGoal, orange, 4, 4),
        make(everyDay, "2026-11-09", "xxxsxxx.xxs.xx", "0.833333", nearGoal, orange, 2, 6),
        make(everyDay, "2026-11-09", "xxxxxxxxxxxxxs", "1", onTrack, green, 13, 13),
        make(everyDay, "2026-11-09", "s.x..........s", "0.083333", inactive, red, 0, 1),
        make("1010100", "2026-11-09", "x.x.x..x.x.x..", "1", onTrack, green, 6, 6),
        make("1010100", "2026-11-09", "x...x..x.x.x..", "0.833333", nearGoal, orange, 4, 4),
        make("1010100", "2026-11-09", "x.x.xx.x.s.xx.", "1", onTrack, green, 5, 5),
        // M-04: 20 days in a row.
        make(everyDay, "2026-11-03", String(repeating: "x", count: 20), "1", onTrack, green, 20, 20),
    ]

    private static func make(
        _ mask: String, _ start: String, _ pattern: String, _ rate: String?, _ status: String, _ color: String,
        _ current: Int, _ longest: Int, end: String = ""
    ) -> Case {
        Case(
            mask: mask, start: start, pattern: pattern, rate: rate, status: status, color: color, current: current,
            longest: longest, end: end)
    }

    private static let shared: Result<TemporaryFolder, any Error> = Result {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "users.csv")
        var habits = "id,user,title,days,start,end\n"
        var events = "habit,day,outcome\n"
        for (number, habit) in cases.enumerated() {
            habits += "h\(number),ann,Habit \(number),\(habit.mask),\(habit.start),\(habit.end)\n"
            for event in habit.events { events += "h\(number),\(event.day),\(event.outcome)\n" }
        }
        try folder.write(habits, to: "habits.csv")
        try folder.write(events, to: "events.csv")
        let result = try Program.habitat("ingest", "users.csv", "habits.csv", "events.csv", in: folder)
        guard result.status == 0 else { throw SampleData.LoadFailure(result: result) }
        return folder
    }

    /// Statistics of all cases, by habit id.
    private static let statistics = Result { try statistics() }
    private static let statisticsWithToday = Result { try statistics("--include-today") }

    private static func statistics(_ options: String...) throws -> [String: [String: String]] {
        let result = try Program.habitat(
            ["habit", "list", "--today", today, "--format", "csv"] + options, in: try shared.get())
        let rows = parseCSV(result.output)
        try #require(rows.count == cases.count + 1, "\(result.errors)")
        var statistics: [String: [String: String]] = [:]
        for row in rows.dropFirst() {
            for (name, cell) in zip(rows[0], row) { statistics[row[0] ?? "", default: [:]][name ?? ""] = cell }
        }
        return statistics
    }

    private static func caseStatistics(_ number: Int) throws -> [String: String] {
        try #require(try statistics.get()["h\(number)"])
    }

    @Test(arguments: cases.indices) func rateStatusAndStreaksMatchExpectedValues(number: Int) throws {
        let expected = Self.cases[number]
        let found = try Self.caseStatistics(number)
        #expect(found["completion_rate"] == expected.rate)
        #expect(found["status"] == expected.status && found["color"] == expected.color, "\(found)")
        #expect(found["streak_current"] == "\(expected.current)" && found["streak_longest"] == "\(expected.longest)")
    }

    /// Computes the formula of the rule from the first day.
    @Test(arguments: cases.indices) func scoreMatchesFormulaOfRule(number: Int) throws {
        let habit = Self.cases[number]
        let outcomes = Dictionary(uniqueKeysWithValues: habit.events.map { ($0.day, $0.outcome) })
        let mask = habit.mask.map { $0 == "1" }
        let scheduled = Double(mask.filter(\.self).count)
        let m = pow(0.5, (scheduled / 7).squareRoot() / 13)
        var done: [Bool] = []
        var score = 0.0
        // All cases start in these weeks, and the first day is a Monday.
        for offset in 0..<35 {
            let day = Case.day("2026-10-19", offset)
            guard day <= (habit.end.isEmpty ? Self.today : habit.end) else { break }
            done.append(outcomes[day] == "done" && mask[offset % 7])
            guard outcomes[day] != "skipped" else { continue }
            let recent = Double(done.suffix(14).filter(\.self).count)
            let checkmark = scheduled == 7 ? (done[offset] ? 1 : 0) : min(1, recent / (2 * scheduled))
            score = score * m + checkmark * (1 - m)
        }
        let found = try #require(try Self.caseStatistics(number)["score"].flatMap { Double($0) })
        #expect(abs(found - score) <= 0.000_000_51, "\(found), not \(score)")
        if habit.longest == 20 { #expect(found == 0.655748, "the check value of the rule, 0.6557476") }
    }

    /// Rule M-01: `--include-today` counts today, although it is not done yet.
    @Test func includeTodayCountsTodayAsMissed() throws {
        let number = try #require(Self.cases.firstIndex { $0.pattern == "xxxxxx." })
        #expect(try Self.caseStatistics(number)["completion_rate"] == "1")
        let found = try #require(try Self.statisticsWithToday.get()["h\(number)"])
        #expect(found["completion_rate"] == "0.857143" && found["streak_current"] == "6")
    }
}
