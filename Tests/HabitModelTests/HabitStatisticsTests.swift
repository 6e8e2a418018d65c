import Base
import Foundation
import HabitTestSupport
import Testing

@testable import HabitModel

@Suite(.engineIndependent) struct HabitStatisticsTests {
    private static func day(_ text: String) throws -> Day { try #require(Day(text)) }

    private static func statistics(
        _ days: String, done: [String], skipped: [String] = [], on today: String, start: String? = nil,
        end: String? = nil,
        changes: [(String, String)] = []
    ) throws -> HabitStatistics {
        var outcomes: [Day: Outcome] = [:]
        for text in done { outcomes[try day(text)] = .done }
        for text in skipped { outcomes[try day(text)] = .skipped }
        let history = ScheduleHistory(
            start: start.flatMap { Day($0) }, end: end.flatMap { Day($0) }, schedule: try Schedule(days),
            changes: try changes.map { (try day($0.0), try Schedule($0.1)) })
        return HabitStatistics(history: history, outcomes: Outcomes(outcomes), on: try day(today))
    }

    @Test(arguments: [
        (0.86, HabitStatus.onTrack),
        (0.85, .nearGoal),
        (17.0 / 20, .nearGoal),
        (0.41, .nearGoal),
        (0.40, .inactive),
        (2.0 / 5, .inactive),
        (0, .inactive),
        (1, .onTrack),
    ])
    func statusDependsOnCompletionRate(rate: Double, status: HabitStatus) {
        #expect(HabitStatus(completionRate: rate) == status)
    }

    @Test func statusIsNewWhenNothingIsDue() {
        #expect(HabitStatus(completionRate: nil) == .new)
        #expect(HabitStatus.new.color == "#6b726d")
    }

    /// November 2026 begins on a Sunday.
    ///
    /// The report day, 2026-11-20, is a Friday.
    @Test func currentWeeksAreFourWeeksFromMondayToSunday() throws {
        let statistics = try Self.statistics("mon", done: ["2026-10-26", "2026-11-02", "2026-10-19"], on: "2026-11-20")
        #expect(statistics.currentWeeks.lowerBound.description == "2026-10-26")
        #expect(statistics.currentWeeks.upperBound.description == "2026-11-22")
        #expect(statistics.completion(in: statistics.currentWeeks) == (4, 2))
        #expect(statistics.completionRate(in: statistics.currentWeeks) == 0.5)
    }

    @Test func todayCountsOnlyWhenDone() throws {
        let undone = try Self.statistics("fri", done: ["2026-11-13"], on: "2026-11-20", start: "2026-11-13")
        #expect(undone.completion(in: undone.currentWeeks) == (1, 1))
        #expect(undone.completion(in: undone.currentWeeks, includingToday: true) == (2, 1))
        let done = try Self.statistics("fri", done: ["2026-11-20"], on: "2026-11-20", start: "2026-11-13")
        #expect(done.completion(in: done.currentWeeks) == (2, 1))
    }

    @Test func skippedAndUnplannedDaysDoNotCount() throws {
        let statistics = try Self.statistics(
            "mon tue", done: ["2026-11-16", "2026-11-18"], skipped: ["2026-11-17"], on: "2026-11-20",
            start: "2026-11-16")
        #expect(statistics.completion(in: statistics.currentWeeks) == (1, 1))
        #expect(statistics.streaks == (1, 1))
    }

    @Test func streaksSkipDaysThatAreNotDue() throws {
        let statistics = try Self.statistics(
            "mon wed fri", done: ["2026-11-02", "2026-11-04", "2026-11-06", "2026-11-11", "2026-11-13", "2026-11-16"],
            skipped: ["2026-11-18"], on: "2026-11-20")
        // Monday 9 is missed, Wednesday 18 is skipped, and today, Friday 20, is not over.
        #expect(statistics.streaks == (3, 3))
        let tomorrow = try Self.statistics(
            "mon wed fri", done: ["2026-11-02", "2026-11-04", "2026-11-06", "2026-11-11", "2026-11-13", "2026-11-16"],
            skipped: ["2026-11-18"], on: "2026-11-21")
        #expect(tomorrow.streaks == (0, 3))
    }

    @Test func changedScheduleAppliesFromItsDay() throws {
        let statistics = try Self.statistics(
            "mon", done: ["2026-11-09", "2026-11-19"], on: "2026-11-20", start: "2026-11-09",
            changes: [("2026-11-18", "thu")])
        // Due are Mondays 9 and 16 by the first schedule and Thursday 19 by the second.
        #expect(statistics.completion(in: statistics.currentWeeks) == (3, 2))
    }

    @Test func habitIsNotDueAfterItsEnd() throws {
        let statistics = try Self.statistics(
            "mon", done: ["2026-11-02"], on: "2026-11-20", start: "2026-11-02", end: "2026-11-10")
        #expect(statistics.completion(in: statistics.currentWeeks) == (2, 1))
    }

    @Test func scoreOfTwentyDailyEventsMatchesReferenceValue() throws {
        let first = try Self.day("2026-11-01")
        let done = (0..<20).map { first.advanced(by: $0).description }
        let statistics = try Self.statistics("1111111", done: done, on: "2026-11-20")
        // The test of Loop Habit Tracker expects 0.655747 ± 10⁻⁶.
        #expect(abs(statistics.score - 0.655747) < 1e-6)
        #expect(statistics.streaks == (20, 20))
    }

    /// Computes the score by hand.
    ///
    /// With n = 1, c = min(1, r/2) and m = 0.5^(√(1/7)/13), and two done Mondays in two weeks make c = 1.
    @Test func scoreOfWeeklyHabitMatchesFormula() throws {
        let statistics = try Self.statistics("mon", done: ["2026-11-02", "2026-11-09"], on: "2026-11-09")
        let f = 1.0 / 7
        let m = pow(0.5, f.squareRoot() / 13)
        let week: Double = 0.5 * (1 - pow(m, 7))
        let expected: Double = week * m + (1 - m)
        #expect(abs(statistics.score - expected) < 1e-12)
    }

    @Test func scoreIsZeroWhenNothingIsDone() throws {
        let statistics = try Self.statistics("mon", done: [], on: "2026-11-20")
        #expect(statistics.score == 0)
        #expect(statistics.streaks == (0, 0))
    }

    // MARK: Skipped days in the periods of a target

    @Test func periodPassesOverSkippedDay() throws {
        let day = try Self.day("2026-05-04")
        let target = try Target(times: 2, periodDays: 3)
        let history = ScheduleHistory(start: try Self.day("2026-05-01"), end: nil, schedule: .target(target))
        let outcomes = Outcomes([
            try Self.day("2026-05-01"): .done, try Self.day("2026-05-02"): .skipped, day: .done,
        ])
        let statistics = HabitStatistics(history: history, outcomes: outcomes, on: day)
        let satisfied = (1...4).filter { statistics.isDone(day.advanced(by: $0 - 4)) }
        #expect(satisfied == [1, 3, 4])
        #expect(statistics.streaks == (3, 3))
        #expect(statistics.completion(in: statistics.currentWeeks) == (3, 3))
        #expect(statistics.progress(on: day.advanced(by: -1))?.done == 1, "the period ends with 3 May")
    }

    /// A model that removes the skipped days from the calendar and then examines every period of the other days.
    @Test func satisfiedDaysMatchEveryPeriodWithoutSkippedDays() throws {
        let seed: UInt64 = 11
        var random = SeededGenerator(seed: seed)
        let first = try Self.day("2026-03-02")
        var count = 0
        for number in 0..<400 {
            let period = Int.random(in: 1...8, using: &random)
            let target = try Target(times: Int.random(in: 1...period, using: &random), periodDays: period)
            let length = Int.random(in: 1...40, using: &random)
            let missing =
                Bool.random(using: &random) ? [first.advanced(by: Int.random(in: 0..<length, using: &random))] : []
            var outcomes: [Day: Outcome] = [:]
            for offset in 0..<length where Bool.random(using: &random) {
                outcomes[first.advanced(by: offset)] = Int.random(in: 0..<3, using: &random) == 0 ? .skipped : .done
            }
            var history = ScheduleHistory(start: first, end: nil, schedule: .target(target))
            history.missingDates = missing
            let last = first.advanced(by: length - 1)
            let statistics = HabitStatistics(
                history: history, outcomes: Outcomes(outcomes), on: last, isOver: true)
            let counted = (first...last).filter { outcomes[$0] != .skipped && !missing.contains($0) }
            var satisfied: Set<Day> = []
            for begin in (1 - period)..<max(counted.count, 1) {
                let days = (begin..<begin + period).filter(counted.indices.contains).map { counted[$0] }
                if days.count(where: { outcomes[$0] == .done }) >= target.times { satisfied.formUnion(days) }
            }
            let message: Comment = "habit \(number), seed \(seed)"
            #expect((first...last).filter(statistics.isDue) == counted, message)
            #expect((first...last).filter(statistics.isDone) == counted.filter(satisfied.contains), message)
            var streak = 0
            var longest = 0
            for day in counted {
                streak = satisfied.contains(day) ? streak + 1 : 0
                longest = max(longest, streak)
            }
            #expect(statistics.streaks == (streak, longest), message)
            for day in counted {
                let index = try #require(counted.firstIndex(of: day))
                let earlier = counted[max(0, index - period + 1)..<index].count { outcomes[$0] == .done }
                #expect(statistics.isToDo(day) == (earlier < target.times), message)
            }
            count += satisfied.count
        }
        #expect(count > 1000)
    }

    // MARK: Habits without a start

    @Test func habitWithoutStartBeginsOnGivenDay() throws {
        let history = ScheduleHistory(start: nil, end: nil, schedule: .everyDay)
        let first = try Self.day("2026-03-08")
        #expect(history.beginning(on: first).start == first)
        let started = ScheduleHistory(start: first, end: nil, schedule: .everyDay)
        #expect(started.beginning(on: first.advanced(by: 1)).start == first)
    }
}
