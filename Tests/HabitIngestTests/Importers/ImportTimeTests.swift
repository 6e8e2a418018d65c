import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests of the rules for days and instants of imports.
@Suite(.engineIndependent) struct ImportTimeTests {
    private static let lisbon = TimeZoneRules("Europe/Lisbon") ?? .utc

    private func resolved(_ time: ImportTime?, in zone: String = "Europe/Lisbon") throws -> String {
        let rules = try #require(TimeZoneRules(zone))
        let result = try #require(time).resolved(in: rules)
        return "\(result.day) \(result.at?.description ?? "-")"
    }

    @Test func dateIsDayInEveryZone() throws {
        #expect(try resolved(ImportTime("2026-03-29"), in: "Pacific/Apia") == "2026-03-29 -")
    }

    @Test func offsetOfSourceIsKept() throws {
        #expect(try resolved(ImportTime("2026-06-01T00:30:00+02:00")) == "2026-06-01 2026-06-01T00:30:00+02:00")
        #expect(try resolved(ImportTime("2026-06-01 00:30 -0330")) == "2026-06-01 2026-06-01T00:30:00-03:30")
        #expect(try resolved(ImportTime("2026-06-01T00:30:00+00:00")) == "2026-06-01 2026-06-01T00:30:00+00:00")
    }

    @Test(
        arguments: [
            ("-5:00", -300),
            ("+9:30", 570),
            ("-0500", -300),
            ("-500", -300),
            ("+05:30", 330),
            ("+09", 540),
            ("+9", 540),
            (" - 5 : 00 ", -300),
            ("\u{2212}05:00", -300),
            ("+01:00:00", 60),
            ("UTC+2", 120),
            ("gmt-03:30", -210),
            ("+00:00", 0),
        ])
    func offsetsOfAllSpellingsAreRead(text: String, minutes: Int16) {
        guard case .offset(let offset)? = ClockTime.Suffix(text) else {
            Issue.record("'\(text)' is not an offset")
            return
        }
        #expect(offset.minutes == minutes)
    }

    @Test func offsetsWithoutHoursAreUTCOrMissing() {
        for text in ["Z", " z ", "UTC", "gmt"] {
            guard case .utc? = ClockTime.Suffix(text) else {
                Issue.record("'\(text)' is not UTC")
                continue
            }
        }
        for text in ["", "   :  ", "\0\0"] {
            guard case ClockTime.Suffix.none? = ClockTime.Suffix(text) else {
                Issue.record("'\(text)' is not blank")
                continue
            }
        }
        for text in ["05:00", "+24:00", "+5:0", "+05:60", "+05:00:30", "+12345", "CET", "+", "+5:00x", "5"] {
            #expect(ClockTime.Suffix(text) == nil, "\(text)")
        }
    }

    @Test func entryWrittenLaterIsOfEarlierDay() throws {
        let written = try #require(ImportTime("2015-10-06T07:00:00Z"))
        let previous = try #require(ImportTime("2015-10-03T23:30:00Z"))
        #expect(try resolved(.writtenLater(written: written, previous: nil)) == "2015-10-05 -")
        #expect(try resolved(.writtenLater(written: written, previous: previous)) == "2015-10-04 -")
        #expect(try resolved(.writtenLater(written: written, previous: written)) == "2015-10-05 -")
    }

    @Test(
        arguments: [
            "2026-05-04", "2026-05-04T00:00:00.000Z", "2026-05-04T00:00:00Z", "2026-05-04t00:00z",
            "2026-05-04 00:00:00 UTC",
        ])
    func midnightInUTCIsDate(text: String) {
        #expect(Day(dateOrMidnight: text)?.description == "2026-05-04")
    }

    @Test(
        arguments: [
            "2026-05-04T00:00:01Z", "2026-05-04T00:00:00.001Z", "2026-05-04T00:00:00+00:00", "2026-05-04T00:00:00",
            "2026-05-04T24:00:00Z", "2026-05-32T00:00:00Z", "",
        ])
    func otherTimesAreNotDates(text: String) { #expect(Day(dateOrMidnight: text) == nil) }

    @Test func offsetOfPlaceIsLookedUp() throws {
        let instant = try #require(OffsetInstant("2026-06-03T22:30:00Z")).instant
        let tokyo = try #require(TimeZoneRules("Asia/Tokyo"))
        #expect(try resolved(.utc(instant, zone: tokyo)) == "2026-06-04 2026-06-04T07:30:00+09:00")
    }

    @Test func dateOfSourceDecidesDayOfInstant() throws {
        let day = try #require(Day("2026-06-01"))
        let time = try #require(ImportTime("2026-06-02T00:30:00+01:00"))
        #expect(try resolved(.dated(day, time)) == "2026-06-01 2026-06-02T00:30:00+01:00")
        let later = try ImportTime.dated(day, #require(ImportTime("2026-06-03T00:30:00+01:00")))
        #expect {
            try later.resolved(in: Self.lisbon).check(in: Self.lisbon)
        } throws: {
            ($0 as? HabitError)?.code == .dayMismatch
        }
    }

    @Test func instantWithoutOffsetHasDayOfZone() throws {
        #expect(try resolved(ImportTime("2026-06-01T23:30:00Z")) == "2026-06-02 2026-06-01T23:30:00Z")
        #expect(try resolved(ImportTime("2026-06-01T23:30:00", isUTC: true)) == "2026-06-02 2026-06-01T23:30:00Z")
        #expect(try resolved(ImportTime(unix: 1_717_236_000)) == "2024-06-01 2024-06-01T10:00:00Z")
        #expect(try resolved(ImportTime(unix: 1_717_236_000_000)) == "2024-06-01 2024-06-01T10:00:00Z")
    }

    @Test(
        arguments: [
            ("2026-07-01T07:00", "Europe/Lisbon", "2026-07-01T07:00:00+01:00"),
            // The clocks skip the hour from 02:00 to 03:00.
            ("2026-03-29T02:30:00", "Europe/Berlin", "2026-03-29T03:30:00+02:00"),
            ("2026-03-29T01:59:59", "Europe/Berlin", "2026-03-29T01:59:59+01:00"),
            ("2026-03-29T03:00:00", "Europe/Berlin", "2026-03-29T03:00:00+02:00"),
            // The clocks show the hour from 02:00 to 03:00 twice.
            ("2026-10-25T02:30:00", "Europe/Berlin", "2026-10-25T02:30:00+02:00"),
            ("2026-10-25T03:00:00", "Europe/Berlin", "2026-10-25T03:00:00+01:00"),
            // Half an hour, and a day that did not exist. The day of the text stays the same.
            ("2026-10-04T02:10:00", "Australia/Lord_Howe", "2026-10-04T02:40:00+11:00"),
            ("2011-12-30T12:00:00", "Pacific/Apia", "2011-12-31T12:00:00+14:00"),
        ])
    func localTimeFollowsRulesOfZone(text: String, zone: String, expected: String) throws {
        #expect(try resolved(ImportTime(text), in: zone) == "\(text.prefix(10)) \(expected)")
    }

    @Test func fractionsAreTruncatedToMicroseconds() throws {
        #expect(try resolved(ImportTime("2026-06-01T10:00:00.1234567Z")) == "2026-06-01 2026-06-01T10:00:00.123456Z")
    }

    @Test(arguments: ["", "2026-02-30", "2026-06-01T", "2026-06-01T25:00", "2026-06-01T10", "01.06.2026", "now"])
    func otherTextIsRejected(text: String) { #expect(ImportTime(text) == nil) }

    @Test func localDateOutsideCalendarIsRejected() throws {
        #expect(throws: HabitError.self) {
            try resolved(ImportTime("0001-01-01T00:00:00Z"), in: "America/Lima").isEmpty
        }
        #expect(throws: HabitError.self) { try resolved(ImportTime("9999-12-31T23:59:00Z"), in: "Asia/Tokyo").isEmpty }
    }

    @Test(
        arguments: [
            ("dd.MM.yyyy", "01.04.2026", "2026-04-01"), ("d.M.yyyy", "1.4.2026", "2026-04-01"),
            ("M/d/yy", "4/1/26", "2026-04-01"), ("M/d/yy", "12/31/99", "1999-12-31"),
            ("yyyyMMdd", "20260401", "2026-04-01"),
            ("dd.MM.yyyy", "1.4.2026", nil), ("dd.MM.yyyy", "31.04.2026", nil), ("dd.MM.yyyy", "04/01/2026", nil),
            ("d 'de' M yyyy", "1 de 4 2026", "2026-04-01"),
        ] as [(String, String, String?)])
    func patternParsesDate(pattern: String, text: String, expected: String?) throws {
        #expect(try DatePattern(pattern, field: "date-format").day(text)?.description == expected)
    }

    @Test(arguments: ["", "dd.MM", "dd.MM.yyyy yyyy", "EEE dd MM yyyy", "d'M'yyyy", "HH:mm"])
    func patternWithoutCompleteDateIsRejected(pattern: String) {
        #expect(throws: HabitError.self) { try DatePattern(pattern, field: "date-format") }
    }
}
