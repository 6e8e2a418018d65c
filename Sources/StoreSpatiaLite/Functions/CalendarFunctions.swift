import Base
import CSQLite

/// The calendar functions of reports, which have the same names and results in every engine.
///
/// No function reads a clock. The functions return NULL if an argument is not a day or an instant.
extension SQLFunctions {
    /// The names of the functions that ``registerCalendar(on:)`` adds.
    static let calendar = [
        "weekday", "week_start", "month", "year", "iso_week", "day_add", "day_diff", "local_hour", "microseconds",
    ]

    static func registerCalendar(on connection: OpaquePointer) {
        // Returns 1 for Monday to 7 for Sunday.
        add("weekday", 1, to: connection) { context, _, arguments in
            SpatiaLiteValue.set(context, .integer(day(arguments?[0]).map { Int64($0.weekday) }))
        }
        // Returns the Monday of the day's week.
        add("week_start", 1, to: connection) { context, _, arguments in
            SpatiaLiteValue.set(context, .day(day(arguments?[0])?.monday))
        }
        // Returns the year and the month, such as 2026-11.
        add("month", 1, to: connection) { context, _, arguments in
            SpatiaLiteValue.set(context, .text(day(arguments?[0])?.monthText))
        }
        add("year", 1, to: connection) { context, _, arguments in
            SpatiaLiteValue.set(context, .integer(day(arguments?[0]).map { Int64($0.civil.year) }))
        }
        // Returns the ISO 8601 week, such as 2026-W47.
        add("iso_week", 1, to: connection) { context, _, arguments in
            SpatiaLiteValue.set(context, .text(day(arguments?[0])?.weekText))
        }
        add("day_add", 2, to: connection) { context, _, arguments in
            guard let arguments, let day = day(arguments[0]), sqlite3_value_type(arguments[1]) == SQLITE_INTEGER else {
                return sqlite3_result_null(context)
            }
            let number = Int64(day.number).addingReportingOverflow(sqlite3_value_int64(arguments[1]))
            let isDay =
                !number.overflow && (Int64(Day.first.number)...Int64(Day.last.number)).contains(number.partialValue)
            SpatiaLiteValue.set(context, .day(isDay ? Day(number: Int32(number.partialValue)) : nil))
        }
        // Returns the number of days from the second argument to the first.
        add("day_diff", 2, to: connection) { context, _, arguments in
            guard let first = day(arguments?[0]), let second = day(arguments?[1]) else {
                return sqlite3_result_null(context)
            }
            sqlite3_result_int64(context, Int64(second.distance(to: first)))
        }
        // Returns the hour, 0 to 23, at the UTC offset of the instant.
        add("local_hour", 1, to: connection) { context, _, arguments in
            guard let instant = instant(arguments?[0]) else { return sqlite3_result_null(context) }
            let local = instant.instant.microseconds + Int64(instant.offset?.minutes ?? 0) * 60_000_000
            let ofDay = local % Instant.microsecondsPerDay
            sqlite3_result_int64(context, (ofDay < 0 ? ofDay + Instant.microsecondsPerDay : ofDay) / 3_600_000_000)
        }
        // Returns the microseconds since 1970-01-01 UTC.
        add("microseconds", 1, to: connection) { context, _, arguments in
            SpatiaLiteValue.set(context, .integer(instant(arguments?[0])?.instant.microseconds))
        }
    }
}

// These are free functions, because a C function pointer cannot capture even the type.
private func day(_ value: OpaquePointer??) -> Day? {
    SpatiaLiteValue.utf8(value ?? nil).flatMap { Day(utf8: $0.span) }
}

private func instant(_ value: OpaquePointer??) -> OffsetInstant? {
    SpatiaLiteValue.utf8(value ?? nil).flatMap { OffsetInstant(utf8: $0.span) }
}
