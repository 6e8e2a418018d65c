import Base
import Foundation
import HabitTestSupport
import Testing

@testable import HabitModel

/// Tests of days and periods as users write them.
///
/// The calendar of Foundation is the oracle.
@Suite(.engineIndependent) struct DayExpressionTests {
    /// Leap days, ends of years, weeks 53 and days around them.
    static let days = [
        "2024-02-28", "2024-02-29", "2024-03-01", "2025-12-31", "2026-01-01", "2026-12-31", "2027-01-01", "2027-01-03",
        "2027-01-04", "2020-12-31", "2021-01-01", "2100-02-28", "2000-02-29", "2026-11-20", "2026-11-22", "2026-11-23",
    ]

    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .gmt
        return calendar
    }

    private static func date(_ day: Day) -> Date { Date(timeIntervalSince1970: Double(day.number) * 86_400) }
    private static func day(_ date: Date) -> Day {
        Day(number: Int32((date.timeIntervalSince1970 / 86_400).rounded()))
    }

    private static func expected(_ unit: Calendar.Component, _ offset: Int, from today: Day) -> ClosedRange<Day>? {
        guard let moved = calendar.date(byAdding: unit, value: offset, to: date(today)),
            let interval = calendar.dateInterval(of: unit, for: moved)
        else { return nil }
        return day(interval.start)...day(interval.end).advanced(by: -1)
    }

    private static func day(_ text: String, today: Day) throws -> Day {
        try DayExpression(text, field: "day").day(today: today)
    }

    @Test(arguments: days)
    func offsetsCountDays(day: String) throws {
        let today = try #require(Day(day))
        let offsets = [
            "today": 0, "TODAY": 0, "today-0": 0, "yesterday": -1, "Tomorrow": 1, "today-7": -7, "today+3": 3,
            "-7d": -7,
            "+2w": 14, "-1W": -7, "+0d": 0, "-366D": -366,
        ]
        for (text, offset) in offsets {
            let expected = Self.calendar.date(byAdding: .day, value: offset, to: Self.date(today))
            #expect(try Self.day(text, today: today) == expected.map(Self.day), "\(text)")
            #expect(try DayExpression(text, field: "day").isRelative)
        }
        #expect(try Self.day(day, today: Day(number: 0)) == today)
        #expect(try !DayExpression(day, field: "day").isRelative)
    }

    @Test(arguments: days)
    func weekdayIsLatestThatIsNotAfterToday(day: String) throws {
        let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        let start = try #require(Day(day))
        for today in (0..<7).map({ start.advanced(by: $0) }) {
            for (index, name) in names.enumerated() {
                let candidates = (0..<7).map { today.advanced(by: -$0) }
                let expected = candidates.first { candidate in
                    // Foundation counts from Sunday.
                    Self.calendar.component(.weekday, from: Self.date(candidate)) == (index + 1) % 7 + 1
                }
                for text in [name, name.lowercased(), String(name.prefix(3)), name.prefix(3).uppercased()] {
                    #expect(try Self.day(text, today: today) == expected, "\(text) on \(today)")
                }
            }
        }
    }

    @Test(arguments: days)
    func relativePeriodContainsDaysOfCalendar(day: String) throws {
        let today = try #require(Day(day))
        let periods: [(String, Calendar.Component, Int)] = [
            ("this-week", .weekOfYear, 0), ("Last-Week", .weekOfYear, -1), ("this-month", .month, 0),
            ("last-month", .month, -1),
        ]
        for (text, unit, offset) in periods {
            let period = try #require(Period(text))
            #expect(period.isRelative)
            let days = try period.days(today: today)
            #expect(days == Self.expected(unit, offset, from: today), "\(text) on \(today)")
            let first = try DayExpression(text, as: .first, field: "from")
            let last = try DayExpression(text, as: .last, field: "to")
            #expect(try first.day(today: today) == days.lowerBound)
            #expect(try last.day(today: today) == days.upperBound)
            #expect(first.isRelative)
        }
    }

    @Test(arguments: [2000, 2004, 2015, 2020, 2024, 2025, 2026, 2027, 2032, 2100])
    func datedPeriodContainsDaysOfCalendar(year: Int) throws {
        let newYear = try #require(Day(year: year, month: 1, day: 1))
        let anyDay = Day(number: 0)
        #expect(try Period("\(year)")?.days(today: anyDay) == Self.expected(.year, 0, from: newYear))
        for month in 1...12 {
            let text = "\(year)-" + (month < 10 ? "0\(month)" : "\(month)")
            let first = try #require(Day(year: year, month: month, day: 1))
            #expect(try Period(text)?.days(today: anyDay) == Self.expected(.month, 0, from: first), "\(text)")
        }
        // Every week that contains a day of the year, by the text of that day.
        var weeks: Set<String> = []
        for offset in stride(from: -7, through: 372, by: 1) {
            let day = newYear.advanced(by: offset)
            guard day.weekText.hasPrefix("\(year)-W") else { continue }
            weeks.insert(day.weekText)
            #expect(
                try Period(day.weekText)?.days(today: anyDay) == Self.expected(.weekOfYear, 0, from: day), "\(day)")
        }
        #expect((Period("\(year)-w53") != nil) == (weeks.count == 53))
        #expect(Period("\(year)-W00") == nil)
        #expect(Period("\(year)-W54") == nil)
        #expect(Period("\(year)-13") == nil)
    }

    @Test(arguments: [
        "", "soon", "20-11-2026", "2026-02-30", "2026-11", "2026-W47", "this-week", "mo", "tues", "7d", "-7", "-d",
        "--7d",
        "-7m", "- 7d", "today-", "today--1", "today-12345678", "-12345678d", "todayx", "mon ", "next monday", "-７d",
    ])
    func otherTextIsNotDay(text: String) throws {
        let error = #expect(throws: HabitError.self) { try DayExpression(text, field: "day") }
        #expect(error?.code == .dateInvalid)
        #expect(error?.field == "day")
        #expect(error?.message == "'\(text)' is not a day: write 2026-11-20, yesterday, mon, today-7 or -7d")
    }

    @Test func dayOutsideCalendarIsRefused() throws {
        for (text, today) in [
            ("yesterday", Day.first),
            ("sun", .first),
            ("tomorrow", .last),
            ("-9999999w", .last),
        ] {
            let error = #expect(throws: HabitError.self) { try Self.day(text, today: today) }
            #expect(error?.code == .dateInvalid)
        }
        #expect(throws: HabitError.self) { try Period("last-week")?.days(today: .first) }
        #expect(throws: HabitError.self) { try Period("last-month")?.days(today: .first) }
        #expect(try Period("this-week")?.days(today: .last).upperBound == .last)
        #expect(try Period("9999-W52")?.days(today: .last).upperBound == .last)
        #expect(Period("0000") == nil)
    }

    /// A local time that the clocks skip or repeat is the first instant of that time or later.
    @Test(arguments: [
        ("Europe/Lisbon", "2026-11-20", "18:30", "2026-11-20T18:30:00Z"),
        ("Europe/Lisbon", "2026-03-29", "01:30", "2026-03-29T01:00:00Z"),
        ("Europe/Lisbon", "2026-10-25", "01:30", "2026-10-25T00:30:00Z"),
        ("Asia/Kathmandu", "2024-02-29", "00:00", "2024-02-28T18:15:00Z"),
        ("America/New_York", "2025-12-31", "23:59", "2026-01-01T04:59:00Z"),
    ])
    func timeOfDayIsInstantInZone(zone: String, day: String, time: String, expected: String) throws {
        let rules = try #require(TimeZoneRules(zone))
        let at = try #require(TimeOfDay(time)).instant(on: try #require(Day(day)), in: rules)
        #expect(at.instant == OffsetInstant(expected)?.instant)
        #expect(at.day(in: .utc) == Day(day))
    }

    @Test(arguments: ["", "7:05", "24:00", "12:60", "12-30", "1230", "12:3x", "12:30:00"])
    func otherTextIsNotTimeOfDay(text: String) { #expect(TimeOfDay(text) == nil) }

    @Test(arguments: ["00:00", "07:05", "12:30", "23:59"]) func timeOfDayIsDescribedAsItIsRead(text: String) throws {
        #expect(try #require(TimeOfDay(text)).description == text)
    }
}
