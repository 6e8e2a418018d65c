import Base
import HabitTestSupport
import Testing

@testable import HabitModel

/// Tests that the statistics of a habit skip paused days.
@Suite(.engineIndependent) struct PauseStatisticsTests {
    private static func day(_ text: String) throws -> Day { try #require(Day(text)) }

    /// Returns a habit that is done on all of its days from 2026-11-02, a Monday, to 2026-11-15, except the days of
    /// `pauses`.
    private static func habit(
        _ schedule: Schedule = .everyDay,
        pauses: [(String, String?)],
        without: ClosedRange<Int>? = nil
    ) throws -> PlainHabit {
        let first = try day("2026-11-02")
        var outcomes: [Day: Outcome] = [:]
        for offset in 0..<14 where without?.contains(offset) != true {
            outcomes[first.advanced(by: offset)] = .done
        }
        return PlainHabit(
            start: first,
            schedules: [(first, schedule)],
            pauses: try pauses.map { pause in (try day(pause.0), try pause.1.map(day)) },
            outcomes: outcomes,
            reportDay: first.advanced(by: 13))
    }

    // MARK: Days

    @Test func overlappingPausesAreOneRange() throws {
        let pauses = Pauses([
            (try Self.day("2026-11-10"), try Self.day("2026-11-20")),
            (try Self.day("2026-11-05"), try Self.day("2026-11-12")),
            (try Self.day("2026-11-06"), try Self.day("2026-11-07")),
            (try Self.day("2026-11-21"), try Self.day("2026-11-22")), (try Self.day("2026-12-01"), nil),
        ])
        #expect(pauses.ranges.map(\.lowerBound.description) == ["2026-11-05", "2026-12-01"])
        #expect(pauses.ranges.map(\.upperBound.description) == ["2026-11-22", "9999-12-31"])
    }

    @Test func pauseWithoutDaysIsIgnored() throws {
        #expect(Pauses([(try Self.day("2026-11-10"), try Self.day("2026-11-09"))]).isEmpty)
    }

    @Test(arguments: [
        ("2026-11-04", false), ("2026-11-05", true), ("2026-11-06", true), ("2026-11-07", false), ("2026-11-08", false),
        ("2026-11-09", true), ("9999-12-31", true),
    ])
    func firstAndLastDayArePaused(text: String, isPaused: Bool) throws {
        let pauses = Pauses([
            (try Self.day("2026-11-09"), nil), (try Self.day("2026-11-05"), try Self.day("2026-11-06")),
        ])
        #expect(pauses.contains(try Self.day(text)) == isPaused)
    }

    @Test(arguments: [
        (0, "2026-11-10"), (1, "2026-11-09"), (2, "2026-11-08"), (3, "2026-11-04"), (4, "2026-11-03"),
        (5, "2026-11-01"), (6, "2026-10-31"),
    ])
    func earlierDayIsCountedWithoutPausedDays(count: Int, expected: String) throws {
        let pauses = Pauses([
            (try Self.day("2026-11-05"), try Self.day("2026-11-07")),
            (try Self.day("2026-11-02"), try Self.day("2026-11-02")),
        ])
        #expect(pauses.day(count, before: try Self.day("2026-11-10")).description == expected)
    }

    @Test func earlierDayOfPausedDayIsBeforePause() throws {
        let pauses = Pauses([(try Self.day("2026-11-05"), nil)])
        #expect(pauses.day(1, before: try Self.day("2026-11-10")).description == "2026-11-04")
    }

    @Test func pauseSplitsVersionOfSchedule() throws {
        let habit = try Self.habit(pauses: [("2026-11-05", "2026-11-07"), ("2026-11-12", nil)])
        let parts = habit.history.unpausedVersions
        #expect(parts.map(\.first?.description) == ["2026-11-02", "2026-11-08"])
        #expect(parts.map(\.last?.description) == ["2026-11-04", "2026-11-11"])
        #expect(parts.map(\.changed?.description) == [nil, "2026-11-08"])
    }

    @Test func pauseBeforeStartLeavesVersion() throws {
        let habit = try Self.habit(pauses: [("2026-10-01", "2026-11-01")])
        #expect(habit.history.unpausedVersions == habit.history.versions)
    }

    @Test func pauseOfAllDaysLeavesNoVersion() throws {
        let habit = try Self.habit(pauses: [("2026-10-01", nil)])
        #expect(habit.history.unpausedVersions.isEmpty)
    }

    // MARK: Statistics

    @Test func pausedDaysAreNeitherDueNorMissed() throws {
        let habit = try Self.habit(pauses: [("2026-11-05", "2026-11-08")], without: 3...6)
        let statistics = habit.statistics
        #expect(statistics.completion(in: statistics.currentWeeks) == (10, 10))
        #expect(statistics.streaks == (10, 10))
        #expect(statistics.dayOutcome(try Self.day("2026-11-05")) == .none)
        #expect(statistics.dayOutcome(try Self.day("2026-11-08")) == .none)
    }

    @Test func eventOnPausedDayIsUnplannedWithWeekdays() throws {
        let habit = try Self.habit(pauses: [("2026-11-05", "2026-11-08")])
        let statistics = habit.statistics
        let day = try Self.day("2026-11-06")
        #expect(statistics.dayOutcome(day) == .unplanned)
        #expect(!habit.history.includes(day))
        #expect(statistics.completion(in: statistics.currentWeeks) == (10, 10))
    }

    @Test func eventOnPausedDayStaysPlannedWithTarget() throws {
        let target = Schedule.target(try Target(times: 2, periodDays: 3))
        let habit = try Self.habit(target, pauses: [("2026-11-05", "2026-11-08")])
        let statistics = habit.statistics
        let day = try Self.day("2026-11-06")
        // The event is planned, but the day is not due.
        #expect(habit.history.includes(day))
        #expect(statistics.dayOutcome(day) == .unplanned)
        #expect(!statistics.isDue(day))
        #expect(!statistics.isToDo(day))
    }

    @Test func eventsOnPausedDaysCountInNoPeriod() throws {
        let target = Schedule.target(try Target(times: 3, periodDays: 4))
        let first = try Self.day("2026-11-02")
        let events = [0, 1, 2, 4].map { offset in first.advanced(by: offset) }
        let habit = PlainHabit(
            start: first,
            schedules: [(first, target)],
            pauses: [(events[1], events[2])],
            outcomes: Dictionary(uniqueKeysWithValues: events.map { day in (day, Outcome.done) }),
            reportDay: events[3])
        // Only the first and the last event count: 2 of 3.
        #expect(habit.statistics.progress(on: events[3])?.done == 2)
        #expect(habit.statistics.streaks == (0, 0))
    }

    @Test func pausedTodayIsNotToDo() throws {
        let habit = try Self.habit(pauses: [("2026-11-15", nil)], without: 13...13)
        let today = try Self.day("2026-11-15")
        #expect(!habit.statistics.isToDo(today))
        #expect(habit.statistics.streaks == (13, 13))
    }

    @Test func scoreOutlastsPauseOfManyYears() throws {
        var habit = try Self.habit(pauses: [("2026-11-16", nil)])
        let before = habit.statistics.score
        habit.reportDay = try Self.day("2046-11-15")
        #expect(before > 0.5)
        #expect(habit.statistics.score == before)
        #expect(habit.statistics.streaks == (14, 14))
    }

    @Test func historyOfCalendarIsPaused() throws {
        let target = Schedule.target(try Target(times: 2, periodDays: 3))
        var habit = try Self.habit(target, pauses: [])
        habit.pauses = [(.first, nil)]
        #expect(habit.statistics.streaks == (0, 0))
        #expect(habit.statistics.score == 0)
        #expect(habit.statistics.completionRate(in: habit.statistics.currentWeeks) == nil)
    }

    // MARK: Comparison with the model

    @Test func daysMatchPlainModel() throws {
        let seed: UInt64 = 32
        var random = SeededGenerator(seed: seed)
        let first = try Self.day("2026-03-02")
        var paused = 0
        for number in 0..<400 {
            let habit = try PlainHabit(random: &random, from: first)
            let statistics = habit.statistics
            let message: Comment = "habit \(number), seed \(seed)"
            let days = habit.calendar
            let done = habit.doneDays
            #expect(days.filter(statistics.isDue) == days.filter(habit.isDue), message)
            #expect(days.filter(statistics.isDone) == days.filter(done.contains), message)
            #expect(days.filter(habit.history.includes) == days.filter(habit.isPlanned), message)
            #expect(days.filter(statistics.isToDo) == days.filter(habit.isToDo), message)
            paused += days.count(where: habit.isPaused)
        }
        #expect(paused > 1000)
    }

    @Test func sumsMatchPlainModel() throws {
        let seed: UInt64 = 33
        var random = SeededGenerator(seed: seed)
        let first = try Self.day("2026-03-02")
        for number in 0..<400 {
            let habit = try PlainHabit(random: &random, from: first)
            let statistics = habit.statistics
            let message: Comment = "habit \(number), seed \(seed)"
            let weeks = statistics.currentWeeks
            let due = habit.calendar.filter { day in weeks.contains(day) && habit.isDue(day) }
            let done = due.filter(habit.doneDays.contains)
            #expect(statistics.completion(in: weeks) == (due.count, done.count), message)
            #expect(statistics.streaks == habit.streaks, message)
            #expect(abs(statistics.score - habit.score) < 1e-9, message)
        }
    }

    @Test func streakFromEarlierDayMatchesCurrentStreak() throws {
        var random = SeededGenerator(seed: 34)
        let first = try Self.day("2026-03-02")
        for number in 0..<200 {
            let habit = try PlainHabit(random: &random, from: first)
            let streak = habit.statistics.streak(upTo: habit.reportDay, lookingBackTo: first.advanced(by: -40))
            #expect(streak == habit.streaks.current, "habit \(number)")
        }
    }
}
