import Foundation
import HabitTestSupport
import Testing

/// Tests of rules M-01 to M-04 and C-22 with stored events.
///
/// Each case is a habit in one store.
@Suite(.engineIndependent) struct HabitStatisticsRuleTests {
    private static let cases = HabitStatisticsCase.all

    private static let shared = Task { try await StoreTemplate.statistics.copy() }

    /// Statistics of all cases, by habit id.
    private static let statistics = Task { try await statistics() }
    private static let statisticsWithToday = Task { try await statistics("--include-today") }

    private static func statistics(_ options: String...) async throws -> [String: [String: String]] {
        let result = try await Program.habitat(
            ["habit", "list", "--today", HabitStatisticsCase.today, "--format", "csv"] + options,
            in: try await shared.value)
        let rows = parseCSV(result.output)
        try #require(rows.count == cases.count + 1, "\(result.errors)")
        var statistics: [String: [String: String]] = [:]
        for row in rows.dropFirst() {
            let habit = row[0] ?? ""
            for (name, cell) in zip(rows[0], row) {
                statistics[habit, default: [:]][name ?? ""] = cell
            }
        }
        return statistics
    }

    private static func caseStatistics(_ number: Int) async throws -> [String: String] {
        try #require(try await statistics.value["h\(number)"])
    }

    @Test(arguments: cases.indices) func rateStatusAndStreaksMatchExpectedValues(number: Int) async throws {
        let expected = Self.cases[number]
        let found = try await Self.caseStatistics(number)
        #expect(found["completion_rate"] == expected.rate)
        #expect(found["status"] == expected.status, "\(found)")
        #expect(found["color"] == expected.color, "\(found)")
        #expect(found["streak_current"] == "\(expected.current)")
        #expect(found["streak_longest"] == "\(expected.longest)")
    }

    /// Computes the formula of the rule from the first day.
    @Test(arguments: cases.indices) func scoreMatchesFormulaOfRule(number: Int) async throws {
        let habit = Self.cases[number]
        let found = try #require(try await Self.caseStatistics(number)["score"].flatMap { Double($0) })
        #expect(abs(found - habit.score) <= 0.000_000_51, "\(found), not \(habit.score)")
        if habit.longest == 20 { #expect(found == 0.655748, "the check value of the rule, 0.6557476") }
    }

    /// Rule M-01: `--include-today` counts today, although it is not done yet.
    @Test func includeTodayCountsTodayAsMissed() async throws {
        let number = try #require(Self.cases.firstIndex { $0.pattern == "xxxxxx." })
        #expect(try await Self.caseStatistics(number)["completion_rate"] == "1")
        let found = try #require(try await Self.statisticsWithToday.value["h\(number)"])
        #expect(found["completion_rate"] == "0.857143")
        #expect(found["streak_current"] == "6")
    }
}
