import Base
import Geo
import HabitModel
import Testing

@testable import Rendering

@Suite struct CalendarWriterTests {
    private let day = CalendarEntry.Start.day(Day(number: 20_777))  // 2026-11-20

    private func text(_ entries: CalendarEntry...) throws -> String {
        let output = OutputBuffer()
        let writer = CalendarWriter(output)
        writer.begin(name: "Habitat")
        for entry in entries { try writer.append(entry) }
        writer.end()
        return output.text
    }

    /// Returns the content lines without the line breaks of the folding (RFC 5545, section 3.1).
    ///
    /// The method compares scalars, because a fold can separate the scalars of a character.
    private func lines(_ entry: CalendarEntry) throws -> [String] {
        let fold = Array("\r\n ".unicodeScalars)
        var scalars: [Unicode.Scalar] = []
        for scalar in try text(entry).unicodeScalars {
            scalars.append(scalar)
            if scalars.suffix(fold.count).elementsEqual(fold) { scalars.removeLast(fold.count) }
        }
        return scalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(String.UnicodeScalarView(line.filter { $0 != "\r" }))
        }
    }

    @Test func eventWithInstantHasTimeInUTC() throws {
        let instant = try #require(OffsetInstant("2026-11-20T23:59:59.999+05:30"))
        var entry = CalendarEntry(uid: "e1@habitat", start: .instant(instant.instant), summary: "Run: done")
        entry.position = Position(longitude: -9.1393, latitude: 38.7223)
        entry.description = "rain"
        #expect(
            try text(entry) == """
                BEGIN:VCALENDAR\r
                VERSION:2.0\r
                PRODID:-//Habitat//Habitat//EN\r
                CALSCALE:GREGORIAN\r
                NAME:Habitat\r
                X-WR-CALNAME:Habitat\r
                REFRESH-INTERVAL;VALUE=DURATION:PT1H\r
                BEGIN:VEVENT\r
                UID:e1@habitat\r
                DTSTAMP:20261120T182959Z\r
                DTSTART:20261120T182959Z\r
                SUMMARY:Run: done\r
                DESCRIPTION:rain\r
                GEO:38.7223;-9.1393\r
                TRANSP:TRANSPARENT\r
                END:VEVENT\r
                END:VCALENDAR\r

                """)
    }

    @Test(
        arguments: [
            (Weekdays.everyDay, nil, "RRULE:FREQ=DAILY"),
            (Weekdays.everyDay, Day(number: 20_800), "RRULE:FREQ=DAILY;UNTIL=20261213"),
            (Weekdays(mask: 0b100_0101), nil, "RRULE:FREQ=WEEKLY;BYDAY=MO,WE,SU"),
            (Weekdays(mask: 2), Day(number: 20_777), "RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20261120"),
        ] as [(Weekdays?, Day?, String)])
    func recurrenceIsWrittenAsRule(weekdays: Weekdays?, end: Day?, rule: String) throws {
        var entry = CalendarEntry(uid: "h", start: day, summary: "Run")
        let weekdays = try #require(weekdays)
        entry.recurrence = CalendarEntry.Recurrence(
            on: Set((1...7).filter(weekdays.includes(weekday:))), until: end)
        let plain = try lines(entry)
        #expect(plain.contains("DTSTART;VALUE=DATE:20261120"))
        #expect(plain.contains("DTSTAMP:20261120T000000Z"))
        #expect(plain.contains(rule), "\(plain)")
        #expect(!plain.contains { $0.hasPrefix("EXDATE") }, "\(plain)")
        entry.recurrence?.exceptions = [Day(number: 20_777), Day(number: 20_784)]
        #expect(try lines(entry).contains("EXDATE;VALUE=DATE:20261120,20261127"))
    }

    @Test(arguments: [
        ("00:00", "PT00H00M"), ("07:30", "PT07H30M"), ("23:59", "PT23H59M"),
    ])
    func reminderIsAlarmRelativeToStartOfDay(time: String, trigger: String) throws {
        var entry = CalendarEntry(uid: "h", start: day, summary: "Read; rest")
        let reminder = try #require(TimeOfDay(time))
        entry.reminder = reminder
        let found = try lines(entry)
        let start = try #require(found.firstIndex(of: "BEGIN:VALARM"), "\(found)")
        #expect(
            found[start...].prefix(6) == [
                "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Read\\; rest", "TRIGGER;RELATED=START:\(trigger)",
                "END:VALARM", "END:VEVENT",
            ])
    }

    /// An event with an instant does not begin at midnight.
    @Test func eventWithInstantHasNoAlarm() throws {
        let instant = try #require(OffsetInstant("2026-11-20T23:00:00Z"))
        var entry = CalendarEntry(uid: "e", start: .instant(instant.instant), summary: "Run")
        entry.reminder = TimeOfDay("07:30")
        #expect(try !lines(entry).contains("BEGIN:VALARM"))
    }

    @Test func eventWithoutReminderHasNoAlarm() throws {
        #expect(try !lines(CalendarEntry(uid: "e", start: day, summary: "Run")).contains("BEGIN:VALARM"))
    }

    @Test(arguments: [
        ("a,b;c\\d", "a\\,b\\;c\\\\d"), ("a\nb", "a\\nb"), ("a\r\nb\rc", "a\\nb\\nc"), ("tab\there", "tab\there"),
        ("bell\u{07}\u{00}\u{7F}!", "bell!"), ("\"quoted\": yes", "\"quoted\": yes"), ("日本 🇵🇹", "日本 🇵🇹"),
        ("END:VEVENT\r\nBEGIN:VALARM", "END:VEVENT\\nBEGIN:VALARM"), ("", ""),
    ])
    func textIsEscaped(text: String, expected: String) throws {
        let entry = CalendarEntry(uid: "e", start: day, summary: text, description: text)
        let found = try lines(entry)
        #expect(found.contains("SUMMARY:\(expected)"), "\(found)")
        #expect(found.contains("DESCRIPTION:\(expected)") == !text.isEmpty, "\(found)")
    }

    /// The texts have characters of one to four bytes at every distance from the end of a line.
    @Test func lineHasAtMost75BytesAndSplitsNoCharacter() throws {
        var generator = SeededGenerator(seed: 5545)
        let characters = ["a", "ß", "語", "🏃", "x", ",", "👩‍👩‍👧"]
        for length in 0..<300 {
            let summary = (0..<length).map { _ in characters.randomElement(using: &generator) ?? "" }.joined()
            let bytes = Array(try text(CalendarEntry(uid: "e", start: day, summary: summary)).utf8)
            var line: [UInt8] = []
            for (index, byte) in bytes.enumerated() {
                if byte == UInt8(ascii: "\n") {
                    #expect(bytes[index - 1] == UInt8(ascii: "\r"))
                    let content = line.dropLast()
                    #expect(content.count <= 75, "seed 5545, length \(length)")
                    // The initializer fails for an incomplete character.
                    #expect(String(validating: content, as: UTF8.self) != nil, "seed 5545, length \(length)")
                    line = []
                } else {
                    line.append(byte)
                }
            }
            #expect(line.isEmpty)
            let escaped = summary.replacing(",", with: "\\,")
            #expect(
                try lines(CalendarEntry(uid: "e", start: day, summary: summary)).contains("SUMMARY:\(escaped)"),
                "seed 5545, length \(length)")
        }
    }

    @Test func lineOf75BytesIsNotFolded() throws {
        let exact = String(repeating: "a", count: 75 - "SUMMARY:".count)
        #expect(try text(CalendarEntry(uid: "e", start: day, summary: exact)).contains("SUMMARY:\(exact)\r\n"))
        #expect(
            try text(CalendarEntry(uid: "e", start: day, summary: exact + "b")).contains("SUMMARY:\(exact)\r\n b\r\n"))
    }

    /// RFC 5545, section 3.6, requires a component.
    @Test func calendarWithoutEventsHasComponent() throws {
        #expect(try text().contains("BEGIN:VTIMEZONE\r\nTZID:UTC\r\n"))
        #expect(try !text(CalendarEntry(uid: "e", start: day, summary: "Run")).contains("VTIMEZONE"))
    }
}
