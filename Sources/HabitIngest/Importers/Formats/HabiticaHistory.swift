import Base
import HabitModel

/// The previous entries in the history of one task of Habitica.
///
/// Until January 2018, Habitica wrote the entry of a daily not when the user completed it, but when the user opened the
/// app on a later day. The daily was completed on the day of the previous entry, because after that day the next opening
/// of the app wrote the entry. The time of such an entry is not the time of the event.
struct HabiticaHistory {
    /// The value of the last entry with a value.
    ///
    /// It is 0 before the first entry.
    private var value = 0.0
    /// The time of the last entry.
    private var time: ImportTime?

    /// Adds the value of the next entry.
    ///
    /// - Returns: Whether the value is larger than the previous one, which means that the task was done.
    mutating func add(_ next: Double?) -> Bool {
        guard let next else { return false }
        let isRise = next > value
        value = next
        return isRise
    }

    /// Adds the time of the next entry of a daily.
    ///
    /// - Parameters:
    ///   - next: The time at which the entry was written.
    ///   - instant: The instant of `next`.
    ///   - isWrittenLater: Whether the entry has the form of old entries.
    ///   - end: The first instant at which Habitica writes entries of any form immediately.
    /// - Returns: The day on which the daily was completed if the entry was written later, otherwise `next`.
    mutating func time(
        of next: ImportTime, at instant: Instant, isWrittenLater: Bool, until end: Instant?
    ) -> ImportTime {
        let previous = time
        time = next
        guard isWrittenLater, let end, instant < end else { return next }
        return .writtenLater(written: next, previous: previous)
    }
}
