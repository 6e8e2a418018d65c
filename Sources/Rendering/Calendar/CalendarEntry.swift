import Base
import Geo

/// An event of a calendar (VEVENT of RFC 5545).
public struct CalendarEntry: Sendable {
    /// The time of an event.
    public enum Start: Sendable, Equatable {
        /// The event lasts a complete day.
        case day(Day)
        /// The event is at an instant.
        case instant(Instant)
    }

    /// The days on which an event that lasts a day repeats.
    public struct Recurrence: Sendable, Equatable {
        /// The weekdays of the event, which are 1 for Monday to 7 for Sunday.
        public var weekdays: Set<Int>
        /// The last possible day, or `nil` if the event has no end.
        public var end: Day?
        /// The days on which the event does not take place, in ascending order.
        public var exceptions: [Day]

        /// Creates a recurrence.
        public init(on weekdays: Set<Int>, until end: Day?, except exceptions: [Day] = []) {
            self.weekdays = weekdays
            self.end = end
            self.exceptions = exceptions
        }
    }

    /// The identifier of the event, which stays the same in later versions of the calendar.
    public var uid: String
    /// The time of the event, or of its first repetition.
    public var start: Start
    /// The title of the event.
    public var summary: String
    /// The text of the event, or `nil`.
    public var description: String?
    /// The location of the event, or `nil`.
    public var position: Position?
    /// The days on which the event repeats, or `nil` if it takes place once.
    public var recurrence: Recurrence?
    /// The local time of an alarm on each day of an event that lasts a day, or `nil`.
    public var reminder: TimeOfDay?

    /// Creates an event that takes place once.
    public init(uid: String, start: Start, summary: String, description: String? = nil, position: Position? = nil) {
        self.uid = uid
        self.start = start
        self.summary = summary
        self.description = description
        self.position = position
    }
}
