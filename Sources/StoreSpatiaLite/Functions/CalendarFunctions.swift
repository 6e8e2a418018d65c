import Base
import CSQLite
import StoreEngine

/// The calendar functions of reports, which have the same names and results in every engine.
///
/// No function reads a clock. The functions return NULL if an argument is not a day or an instant.
extension SQLFunctions {
    /// The names of the calendar functions.
    static let calendar = calendarFunctions.map(\.name)

    static func registerCalendar(on connection: OpaquePointer) {
        for function in calendarFunctions {
            function.register(on: connection)
        }
    }

    private static let calendarFunctions = [
        // Returns 1 for Monday to 7 for Sunday.
        ValueFunction("weekday", argumentCount: 1) { arguments in
            guard let day = arguments.day(0) else { return .null }
            return .integer(Int64(day.weekday))
        },
        // Returns the Monday of the day's week.
        ValueFunction("week_start", argumentCount: 1) { arguments in
            .day(arguments.day(0)?.monday)
        },
        // Returns the year and the month, such as 2026-11.
        ValueFunction("month", argumentCount: 1) { arguments in
            .text(arguments.day(0)?.monthText)
        },
        ValueFunction("year", argumentCount: 1) { arguments in
            guard let day = arguments.day(0) else { return .null }
            return .integer(Int64(day.civil.year))
        },
        // Returns the ISO 8601 week, such as 2026-W47.
        ValueFunction("iso_week", argumentCount: 1) { arguments in
            .text(arguments.day(0)?.weekText)
        },
        ValueFunction("day_add", argumentCount: 2) { arguments in
            guard let day = arguments.day(0) else { return .null }
            guard let count = arguments.integer(1) else { return .null }
            return .day(day.adding(count))
        },
        // Returns the number of days from the second argument to the first.
        ValueFunction("day_diff", argumentCount: 2) { arguments in
            guard let end = arguments.day(0) else { return .null }
            guard let start = arguments.day(1) else { return .null }
            return .integer(Int64(start.distance(to: end)))
        },
        // Returns the hour, 0 to 23, at the UTC offset of the instant.
        ValueFunction("local_hour", argumentCount: 1) { arguments in
            .integer(arguments.instant(0)?.localHour)
        },
        // Returns the microseconds since 1970-01-01 UTC.
        ValueFunction("microseconds", argumentCount: 1) { arguments in
            .integer(arguments.instant(0)?.instant.microseconds)
        },
    ]
}

extension Day {
    /// Returns the day a number of days later, or `nil` if it is not in the calendar.
    fileprivate func adding(_ count: Int64) -> Day? {
        let sum = Int64(number).addingReportingOverflow(count)
        let days = Int64(Day.first.number)...Int64(Day.last.number)
        guard !sum.overflow, days.contains(sum.partialValue) else { return nil }
        return Day(number: Int32(sum.partialValue))
    }
}

extension OffsetInstant {
    /// The hour at the UTC offset, from 0 to 23.
    fileprivate var localHour: Int64 {
        let microsecondsPerHour: Int64 = 3_600_000_000
        let microsecondsPerMinute: Int64 = 60_000_000
        let offset = Int64(offset?.minutes ?? 0) * microsecondsPerMinute
        let ofDay = (instant.microseconds + offset) % Instant.microsecondsPerDay
        let sinceMidnight = ofDay < 0 ? ofDay + Instant.microsecondsPerDay : ofDay
        return sinceMidnight / microsecondsPerHour
    }
}
