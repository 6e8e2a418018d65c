import Base
import HabitTestSupport
import Testing

@testable import HabitModel

@Suite(.engineIndependent) struct ScheduleTests {
    @Test(arguments: [
        ("mon wed fri", "mon wed fri"), ("Mon,Wed,Fri", "mon wed fri"), ("1,3,5", "mon wed fri"),
        ("1010100", "mon wed fri"), ("sunday saturday", "sat sun"), ("7", "sun"), ("1 1 1", "mon"),
        ("1111111", "mon tue wed thu fri sat sun"), ("daily", "mon tue wed thu fri sat sun"),
        ("weekdays", "mon tue wed thu fri"), ("Weekends", "sat sun"), ("mon-fri", "mon tue wed thu fri"),
        ("sat-mon", "mon sat sun"), ("1-5", "mon tue wed thu fri"), ("7-1", "mon sun"), ("fri-fri", "fri"),
        ("mon-wed,sat", "mon tue wed sat"), ("weekends wed", "wed sat sun"), ("Tuesday-4; sun", "tue wed thu sun"),
    ])
    func scheduleIsParsedFromNamesNumbersAndMasks(text: String, expected: String) throws {
        #expect(try Schedule(text).description == expected)
    }

    @Test(arguments: [
        ("", ErrorCode.scheduleEmpty), (" , ", .scheduleEmpty), ("0000000", .scheduleEmpty), ("8", .scheduleInvalid),
        ("0", .scheduleInvalid), ("mo", .scheduleInvalid), ("mon funday", .scheduleInvalid),
        ("1012100", .scheduleInvalid), ("mon-", .scheduleInvalid), ("-fri", .scheduleInvalid),
        ("mon-wed-fri", .scheduleInvalid), ("0-5", .scheduleInvalid), ("5-8", .scheduleInvalid),
        ("mo-fr", .scheduleInvalid), ("week", .scheduleInvalid),
    ])
    func invalidScheduleIsRefused(text: String, code: ErrorCode) {
        #expect(throws: HabitError.self) { try Schedule(text) }
        #expect { try Schedule(text) } throws: { ($0 as? HabitError)?.code == code }
    }

    @Test func newestScheduleThatHasBegunApplies() throws {
        let history = ScheduleHistory(
            start: Day("2026-11-02"), end: Day("2026-11-29"), schedule: try Schedule("mon"),
            changes: [(try #require(Day("2026-11-18")), try Schedule("wed thu"))])
        let included = (1...30).filter { history.includes(Day(year: 2026, month: 11, day: $0) ?? .first) }
        #expect(included == [2, 9, 16, 18, 19, 25, 26])
    }

    @Test(
        arguments: [
            (nil, nil, ["… to 2026-11-09", "2026-11-10 to 2026-11-19", "2026-11-20 to …"]),
            (
                "2026-11-05", "2026-11-30",
                ["2026-11-05 to 2026-11-09", "2026-11-10 to 2026-11-19", "2026-11-20 to 2026-11-30"]
            ),
            ("2026-11-12", "2026-11-15", ["2026-11-12 to 2026-11-15"]),
            ("2026-11-10", nil, ["2026-11-10 to 2026-11-19", "2026-11-20 to …"]),
            ("2026-12-01", nil, ["2026-12-01 to …"]), (nil, "2026-11-09", ["… to 2026-11-09"]),
        ] as [(String?, String?, [String])])
    func versionsCoverDaysOfHabit(start: String?, end: String?, expected: [String]) throws {
        let history = ScheduleHistory(
            start: start.flatMap { Day($0) }, end: end.flatMap { Day($0) }, schedule: try Schedule("mon"),
            changes: [
                (try #require(Day("2026-11-20")), try Schedule("wed")),
                (try #require(Day("2026-11-10")), try Schedule("tue")),
            ])
        let versions = history.versions
        let days = versions.map { "\($0.first?.description ?? "…") to \($0.last?.description ?? "…")" }
        #expect(days == expected)
        for version in versions {
            for day in [version.first, version.last].compactMap(\.self) {
                #expect(history.schedule(on: day) == version.schedule)
            }
        }
    }
}
