import Foundation
import HabitTestSupport
import Testing

@testable import Base

@Suite(.engineIndependent) struct DayTests {
    @Test(arguments: [
        ("1970-01-01", 0, 4), ("2026-11-20", 20777, 5), ("2000-02-29", 11016, 2), ("0001-01-01", -719_162, 1),
        ("9999-12-31", 2_932_896, 5), ("1969-12-31", -1, 3),
    ])
    func datesRoundTrip(text: String, number: Int32, weekday: Int) {
        let day = Day(text)
        #expect(day?.number == number)
        #expect(day?.weekday == weekday)
        #expect(day?.description == text)
    }

    @Test(arguments: [
        "2026-02-30", "2025-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-1-01", "26-01-01", "2026/01/01",
        "2026-01-01 ", "", "0000-01-01", "20260101", "2026-01-+1",
    ])
    func invalidDateIsRefused(text: String) {
        #expect(Day(text) == nil)
    }

    /// Covers 400 years, after which the calendar repeats, and both ends of the range.
    @Test func everyDayRoundTripsThroughCivilDate() {
        let ends = [Int32(-719_162)...(-719_000), 2_932_800...2_932_896]
        for number in ([Int32(-135_140)...10_957] + ends).joined() {
            let date = Day(number: number).civil
            guard Day(year: date.year, month: date.month, day: date.day)?.number != number else { continue }
            Issue.record("day \(number) is not \(date.year)-\(date.month)-\(date.day)")
        }
    }

    @Test func weekBeginsOnMonday() throws {
        let friday = try #require(Day("2026-11-20"))
        #expect(friday.monday.description == "2026-11-16")
        #expect(friday.monday.monday == friday.monday)
    }
}

@Suite(.engineIndependent) struct InstantTests {
    @Test(arguments: [
        ("2026-11-20T07:15:00Z", "2026-11-20T07:15:00Z"),
        ("2026-11-20T07:15:00+01:00", "2026-11-20T07:15:00+01:00"),
        ("2026-11-20t07:15:00.5-09:30", "2026-11-20T07:15:00.500-09:30"),
        ("2026-11-20 07:15:00.1234567Z", "2026-11-20T07:15:00.123456Z"),
        ("1763622900", "2025-11-20T07:15:00Z"), ("1763622900123", "2025-11-20T07:15:00.123Z"),
        ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"), ("2026-11-20T07:15:00+00:00", "2026-11-20T07:15:00+00:00"),
    ])
    func instantIsParsedAndFormatted(text: String, expected: String) {
        #expect(OffsetInstant(text)?.description == expected)
    }

    @Test(arguments: [
        "", "2026-11-20", "2026-11-20T07:15Z", "2026-11-20T24:00:00Z", "2026-11-20T07:60:00Z", "2026-11-20T07:15:00",
        "2026-02-30T07:15:00Z", "2026-11-20T07:15:00+24:00", "2026-11-20T07:15:00.Z", "123", "176362290012345",
        "2026-11-20T07:15:00Zjunk",
    ])
    func invalidInstantIsRefused(text: String) {
        #expect(OffsetInstant(text) == nil)
    }

    @Test func dayOfInstantDependsOnZone() throws {
        let instant = try #require(OffsetInstant("2026-11-20T11:30:00Z")).instant
        let kiritimati = try #require(TimeZoneRules("Pacific/Kiritimati"))
        let adak = try #require(TimeZoneRules("America/Adak"))
        #expect(instant.day(in: kiritimati).description == "2026-11-21")
        #expect(instant.day(in: adak).description == "2026-11-20")
        #expect(instant.day(at: UTCOffset(minutes: -12 * 60)).description == "2026-11-19")
    }
}
