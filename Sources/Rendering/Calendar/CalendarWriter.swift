import Base
import Geo

/// Writes an iCalendar object (RFC 5545) to an output buffer.
///
/// Call ``begin()``, ``append(_:)`` for each event, and ``end()``. Memory use does not depend on the number of events.
/// The output depends only on the events: DTSTAMP is the time of the event and not the time of the output.
public final class CalendarWriter {
    /// Number of events written.
    public private(set) var count = 0
    private let output: OutputBuffer
    private let precision: Int?
    /// The current content line, without line breaks.
    private var line: [UInt8] = []

    /// The maximum length of a line in bytes, without the line break (RFC 5545, section 3.1).
    static let lineLimit = 75

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - output: The buffer to which the writer appends. The writer flushes complete blocks after each event.
    ///   - precision: The maximum number of decimals of a degree. `nil` writes the shortest text that parses to the same
    ///     position.
    public init(_ output: OutputBuffer, precision: Int? = 7) {
        self.output = output
        self.precision = precision
    }

    /// Appends the beginning of the calendar.
    ///
    /// - Parameter name: The name of the calendar.
    public func begin(name: String) {
        append("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Habitat//Habitat//EN", "CALSCALE:GREGORIAN")
        // RFC 7986, sections 5.1 and 5.7. Many programs read only the older name.
        append("NAME", text: name)
        append("X-WR-CALNAME", text: name)
        append("REFRESH-INTERVAL;VALUE=DURATION:PT1H")
    }

    /// Appends one event.
    ///
    /// - Throws: An error of `OutputBuffer.flush()`.
    public func append(_ entry: CalendarEntry) throws {
        append("BEGIN:VEVENT")
        append("UID", text: entry.uid)
        append("DTSTAMP:" + Self.text(entry.start.stamp))
        switch entry.start {
        case .day(let day): append("DTSTART;VALUE=DATE:" + Self.text(day))
        case .instant(let instant): append("DTSTART:" + Self.text(instant))
        }
        if let recurrence = entry.recurrence { append(recurrence) }
        append("SUMMARY", text: entry.summary)
        if let description = entry.description, !description.isEmpty {
            append("DESCRIPTION", text: description)
        }
        if let position = entry.position { append(position) }
        // The event does not make its owner unavailable.
        append("TRANSP:TRANSPARENT")
        if case .day = entry.start, let reminder = entry.reminder {
            appendAlarm(at: reminder, text: entry.summary)
        }
        append("END:VEVENT")
        count += 1
        try output.flushIfFull()
    }

    /// Appends the end of the calendar.
    ///
    /// A calendar has at least one component (RFC 5545, section 3.6). A calendar without events has the time zone UTC.
    public func end() {
        if count == 0 {
            append("BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0000")
            append("TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE")
        }
        append("END:VCALENDAR")
    }

    // MARK: Properties

    private func append(_ recurrence: CalendarEntry.Recurrence) {
        var rule = "RRULE:FREQ=DAILY"
        if recurrence.weekdays.count < 7 {
            let names = recurrence.weekdays.sorted().map { weekday in Self.weekdayNames[weekday - 1] }
            rule = "RRULE:FREQ=WEEKLY;BYDAY=" + names.joined(separator: ",")
        }
        if let end = recurrence.end {
            rule += ";UNTIL=" + Self.text(end)
        }
        append(rule)
        guard !recurrence.exceptions.isEmpty else { return }
        let exceptions = recurrence.exceptions.map(Self.text)
        append("EXDATE;VALUE=DATE:" + exceptions.joined(separator: ","))
    }

    private static let weekdayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// Appends an alarm (RFC 5545, section 3.6.6) at a time of the day of an event that lasts a day.
    ///
    /// The event begins at midnight in the time zone of the reader's calendar.
    private func appendAlarm(at time: TimeOfDay, text: String) {
        let hours = Self.twoDigits(Int64(time.minutes / 60))
        let minutes = Self.twoDigits(Int64(time.minutes % 60))
        append("BEGIN:VALARM", "ACTION:DISPLAY")
        append("DESCRIPTION", text: text)
        append("TRIGGER;RELATED=START:PT\(hours)H\(minutes)M", "END:VALARM")
    }

    /// Appends GEO, in which the latitude is first (RFC 5545, section 3.8.1.6).
    private func append(_ position: Position) {
        let number = OutputBuffer()
        _ = number.append(position.latitude, decimals: precision)
        number.append(UInt8(ascii: ";"))
        _ = number.append(position.longitude, decimals: precision)
        append("GEO:" + number.text)
    }

    /// Appends a property with a value of the type TEXT (RFC 5545, section 3.3.11).
    ///
    /// A line break of any form becomes `\n`. Other control characters except the tab are omitted, because a TEXT cannot
    /// contain them.
    private func append(_ name: String, text: String) {
        line += name.utf8
        line.append(UInt8(ascii: ":"))
        var previous: UInt8 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","): line += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n") where previous == UInt8(ascii: "\r"): break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): line += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\t"): line.append(byte)
            case 0..<0x20, 0x7F: break
            default: line.append(byte)
            }
            previous = byte
        }
        endLine()
    }

    private func append(_ lines: String...) {
        for text in lines {
            line += text.utf8
            endLine()
        }
    }

    /// Appends the current line, and splits it into lines of at most ``lineLimit`` bytes (RFC 5545, section 3.1).
    ///
    /// A following line begins with a space. No character is split.
    private func endLine() {
        // An optimized build refuses the span of a stored property.
        let text = line
        line = []
        write(text.span)
    }

    private func write(_ line: Span<UInt8>) {
        var begin = 0
        var limit = Self.lineLimit
        while line.count - begin > limit {
            var end = begin + limit
            // A byte 10xxxxxx continues a character of UTF-8.
            while end > begin + 1, line[end] & 0xC0 == 0x80 { end -= 1 }
            output.append(line.extracting(begin..<end))
            output.append(literal: "\r\n ")
            begin = end
            limit = Self.lineLimit - 1
        }
        output.append(line.extracting(begin..<line.count))
        output.append(literal: "\r\n")
    }

    // MARK: Dates

    /// Returns a date in the basic format of ISO 8601, such as `20261120`.
    private static func text(_ day: Day) -> String { day.description.replacing("-", with: "") }

    /// Returns an instant in UTC in the basic format of ISO 8601, such as `20261120T073000Z`.
    ///
    /// Parts of a second are truncated.
    private static func text(_ instant: Instant) -> String {
        let day = instant.day(at: .utc)
        let seconds = (instant.microseconds - day.startInUTC.microseconds) / 1_000_000
        let hour = twoDigits(seconds / 3600)
        let minute = twoDigits(seconds / 60 % 60)
        let second = twoDigits(seconds % 60)
        return "\(text(day))T\(hour)\(minute)\(second)Z"
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

extension CalendarEntry.Start {
    /// The instant of DTSTAMP: the instant of the event, or the beginning of its day in UTC.
    fileprivate var stamp: Instant {
        switch self {
        case .day(let day): day.startInUTC
        case .instant(let instant): instant
        }
    }
}
