/// A value in an error that a program can use without parsing the message.
///
/// ``HabitError/parameters`` contains each key at most once.
public enum ErrorParameter: Sendable, Equatable {
    /// The number of characters of a text.
    case length(Int)
    /// The number of rows or records.
    case count(Int)
    /// The size of a file or photo in bytes.
    case bytes(Int)
    /// The maximum of the number in the same error.
    case limit(Int)
    /// The time limit in seconds.
    case seconds(Double)
    /// The calendar day at fault.
    case day(Day)
    /// The current date of the user.
    case today(Day)
    /// The local date of an instant.
    case localDay(Day)
    /// The time zone in which the days of the error are calendar dates, as an IANA identifier or a UTC offset.
    case timeZone(String)
    /// The blocked word or phrase.
    case word(String)
    /// The ID of the report that failed.
    case report(String)
    /// The ID of the event that the habit already has on the day.
    case event(String)

    /// A value of a JSON object.
    public enum Value: Sendable, Equatable {
        case integer(Int)
        case number(Double)
        case text(String)
    }

    /// The keys of all parameters, in the order of the cases.
    public enum Key: String, Sendable, CaseIterable {
        case length, count, bytes, limit, seconds, day, today
        case localDay = "local_day"
        case timeZone = "time_zone"
        case word, report, event
    }

    /// The name of the parameter in JSON.
    public var key: Key {
        switch self {
        case .length: .length
        case .count: .count
        case .bytes: .bytes
        case .limit: .limit
        case .seconds: .seconds
        case .day: .day
        case .today: .today
        case .localDay: .localDay
        case .timeZone: .timeZone
        case .word: .word
        case .report: .report
        case .event: .event
        }
    }

    /// The value of the parameter in JSON.
    public var value: Value {
        switch self {
        case .length(let number), .count(let number), .bytes(let number), .limit(let number): .integer(number)
        case .seconds(let number): .number(number)
        case .day(let day), .today(let day), .localDay(let day): .text("\(day)")
        case .timeZone(let text), .word(let text), .report(let text), .event(let text): .text(text)
        }
    }
}
