import Base
import Rendering

/// The dates and times of a page in the time zone of its reader.
///
/// Days within a week have words, such as "today", "yesterday" and "Monday". Other days are dates.
struct LocalTimes {
    /// The time zone of the reader.
    let zone: TimeZoneRules
    /// The current date of the reader.
    let today: Day

    /// The name of an earlier day of the last week, or of a neighbor of today; `nil` for any other day.
    private func word(for day: Day) -> String? {
        switch day.distance(to: today) {
        case 0: PageText.Record.today
        case 1: PageText.Record.yesterday
        case -1: PageText.Record.tomorrow
        case 2...6: DateNames.weekdays[day.weekday - 1]
        default: nil
        }
    }

    /// Returns a date as an element `time`.
    ///
    /// - Parameters:
    ///   - day: The date.
    ///   - isComplete: Whether the date follows its word.
    /// - Returns: The element.
    func html(_ day: Day, isComplete: Bool = false) -> HTML {
        let date = day.description
        return "<time datetime=\"\(date)\">\(text(day, isComplete: isComplete))</time>"
    }

    /// Returns an instant as an element `time`.
    ///
    /// - Parameters:
    ///   - instant: The instant.
    ///   - shown: The date that the reader already sees; the text is then only the time of this date.
    ///   - isComplete: Whether the date follows its word.
    /// - Returns: The element; empty for an instant outside of the calendar.
    func html(
        _ instant: Instant,
        after shown: Day? = nil,
        isComplete: Bool = false
    ) -> HTML {
        let buffer = OutputBuffer()
        let offset = instant.offset(in: zone).minutes
        guard buffer.append(instant: instant.microseconds, offset: Int64(offset)) else { return "" }
        let written = buffer.text
        let clock = String(written.dropFirst(11).prefix(5))
        let day = instant.day(in: zone)
        let date = day == shown ? "" : "\(text(day, isComplete: isComplete)) "
        return "<time datetime=\"\(written)\">\(date)\(clock)</time>"
    }

    private func text(_ day: Day, isComplete: Bool) -> String {
        guard let word = word(for: day) else { return day.description }
        return isComplete ? "\(word), \(day.description)" : word
    }

    /// A sentence about the time zone.
    var note: HTML { "<p class=\"count\">\(PageText.Record.times(inZone: zone.id))</p>\n" }
}
