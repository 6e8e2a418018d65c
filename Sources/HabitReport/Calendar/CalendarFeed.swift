import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The calendar of a user in iCalendar (RFC 5545): the due days of the user's habits and the done events.
///
/// The same store and current date produce the same bytes. The events are read while the calendar is written.
public struct CalendarFeed {
    private let query: CalendarQuery
    private let session: any Session

    /// Creates the calendar of a user.
    ///
    /// - Parameters:
    ///   - viewer: The user.
    ///   - clock: The clock that defines the current date of the user.
    ///   - session: The session in which the calendar is read.
    /// - Throws: `not-signed-in` if `viewer` is the operator, who has no calendar.
    public init(_ viewer: Viewer, clock: Clock, in session: any Session) throws {
        query = try CalendarQuery(viewer, clock: clock, in: session)
        self.session = session
    }

    /// Writes the calendar.
    ///
    /// - Parameter output: The buffer to which the calendar is appended.
    /// - Throws: An error of the engine or of `OutputBuffer.flush()`.
    public func write(to output: OutputBuffer) throws {
        let writer = CalendarWriter(output)
        let events = query.events
        guard let renderer = ICalendarRenderer(events.shape, writer, name: "Habits of \(try query.userName)") else {
            throw HabitError(.internal, "the events of a calendar have no time")
        }
        try renderer.begin()
        try query.forEachDueDays { try writer.append(Self.entry(for: $0)) }
        try renderer.append(events.sql, in: session)
        try renderer.end()
    }

    private static func entry(for due: CalendarQuery.DueDays) -> CalendarEntry {
        var entry = entryWithoutReminder(for: due)
        entry.reminder = due.remindAt
        return entry
    }

    private static func entryWithoutReminder(for due: CalendarQuery.DueDays) -> CalendarEntry {
        switch due.days {
        case .weekdays(let weekdays, let from, let to, let skipped):
            // Each version of a schedule is an event of its own.
            let version = due.changed.map { "habit-from-\($0)/" } ?? "habit/"
            var entry = CalendarEntry(
                uid: version + due.habit + "@habitat", start: .day(from), summary: due.title, description: due.reason)
            entry.recurrence = CalendarEntry.Recurrence(
                on: Set((1...7).filter(weekdays.includes(weekday:))), until: to, except: skipped)
            return entry
        case .today(let day, let progress):
            let text = [progress, due.reason].compactMap(\.self).joined(separator: "\n")
            // As for the same day of the report `todo`.
            return CalendarEntry(
                uid: "\(due.habit)/\(day)@habitat", start: .day(day), summary: due.title, description: text)
        }
    }
}
