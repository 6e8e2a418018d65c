import Foundation

/// Parsers for values that users enter: options of the command line, query parameters and parameters of reports.
///
/// Each error explains the expected form and has the name of the option or parameter as its field.
public enum Parse {
    /// Parses a date in the form `YYYY-MM-DD`.
    ///
    /// - Parameters:
    ///   - text: The text that the user enters.
    ///   - field: The name of the option or parameter, for the error.
    /// - Returns: The date.
    /// - Throws: `date-invalid`.
    public static func day(_ text: String, field: String) throws -> Day {
        guard let day = Day(text) else {
            throw HabitError(.dateInvalid, "'\(text)' is not a date: write YYYY-MM-DD", field: field)
        }
        return day
    }

    /// Parses an absolute date or a date relative to today: `today`, `yesterday`, `today-27` or `today+7`.
    ///
    /// The option for the current date and parameters of queries have these forms. Other options have more.
    ///
    /// - Parameters:
    ///   - text: The text that the user enters.
    ///   - field: The name of the option or parameter, for the error.
    ///   - today: The current date of the user.
    /// - Returns: The absolute date.
    /// - Throws: `date-invalid`, also if the result is outside the years 1 to 9999.
    public static func day(_ text: String, field: String, today: Day) throws -> Day {
        if let day = Day(text) {
            return day
        }
        guard let days = daysFromToday(text) else {
            throw HabitError(
                .dateInvalid,
                "'\(text)' is not a date: write YYYY-MM-DD, today, yesterday, today-27 or today+7",
                field: field)
        }
        let calendar = Int(Day.first.number)...Int(Day.last.number)
        guard calendar.contains(Int(today.number) + days) else {
            throw HabitError(
                .dateInvalid, "the date '\(text)' is out of range: use the years 1 to 9999", field: field)
        }
        return today.advanced(by: days)
    }

    /// Whether a text is a relative date, such as `today-27`.
    public static func isRelativeDay(_ text: String) -> Bool {
        daysFromToday(text) != nil
    }

    /// Returns the number of days that a relative date adds to today, or `nil` if the text is not a relative date.
    package static func daysFromToday(_ text: String) -> Int? {
        if text == "yesterday" {
            return -1
        }
        guard text.hasPrefix("today") else {
            return nil
        }
        let offset = text.dropFirst(5)
        guard let sign = offset.first else {
            return 0
        }
        guard sign == "-" || sign == "+" else {
            return nil
        }
        let digits = offset.dropFirst().utf8
        guard (1...7).contains(digits.count) else {
            return nil
        }
        guard digits.allSatisfy({ $0 &- 48 < 10 }) else {
            return nil
        }
        return Int(offset)
    }

    /// Parses an instant in RFC 3339, or in Unix seconds or milliseconds.
    ///
    /// - Parameters:
    ///   - text: The text that the user enters.
    ///   - field: The name of the option or parameter, for the error.
    /// - Returns: The instant with its UTC offset.
    /// - Throws: `date-invalid`.
    public static func instant(_ text: String, field: String) throws -> OffsetInstant {
        guard let instant = OffsetInstant(text) else {
            throw HabitError(
                .dateInvalid, "'\(text)' is not an instant: write RFC 3339, such as 2026-11-20T18:00:00Z", field: field
            )
        }
        return instant
    }

    /// Checks a search text.
    ///
    /// - Parameters:
    ///   - text: The text or word to search for.
    ///   - field: The name of the option or parameter, for the error.
    ///   - searched: The text that is searched, for the error.
    /// - Returns: The text, unchanged.
    /// - Throws: `search-text-empty` if the text is empty or contains only white space.
    public static func searchText(_ text: String, field: String, in searched: String = "comment") throws -> String {
        guard !text.allSatisfy(\.isWhitespace) else {
            throw HabitError(
                .searchTextEmpty, "the search text is blank: write a part of the \(searched) to find", field: field)
        }
        return text
    }
}
