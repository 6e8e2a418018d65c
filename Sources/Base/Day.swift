/// A calendar date without a time zone, in the proleptic Gregorian calendar of the years 1 to 9999.
public struct Day: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    public let number: Int32

    /// The first date of the calendar.
    public static let first = Day(number: -719_162)  // 0001-01-01
    /// The last date of the calendar.
    public static let last = Day(number: 2_932_896)  // 9999-12-31

    /// Creates a date from the number of days since 1970-01-01.
    ///
    /// The range is not checked.
    public init(number: Int32) { self.number = number }

    /// Creates a date, or returns `nil` if it does not exist, such as 2026-02-30.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(of: month, in: year)
        else { return nil }
        number = Int32(Self.number(year: year, month: month, day: day))
    }

    /// Returns the number of days from 1970-01-01 to a date of the proleptic Gregorian calendar, for any year.
    static func number(year: Int, month: Int, day: Int) -> Int {
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Parses `YYYY-MM-DD`, or returns `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        self.init(utf8: text.utf8.span)
    }

    /// Parses `YYYY-MM-DD` from UTF-8 bytes without allocating a string, or returns `nil` for any other text.
    public init?(utf8 bytes: Span<UInt8>) {
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = digits(bytes, in: 0..<4), let month = digits(bytes, in: 5..<7),
            let day = digits(bytes, in: 8..<10)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The year, month and day of the date.
    ///
    /// The result is invalid if the date is before ``first``.
    public var civil: (year: Int, month: Int, day: Int) {
        // Neri and Schneider, "Euclidean affine functions and their application to calendar algorithms", section 7. The
        // years of the algorithm begin in March.
        let quarters = 4 &* UInt32(bitPattern: number &+ 719_468) &+ 3
        let (century, ofCentury) = quarters.quotientAndRemainder(dividingBy: 146_097)
        let product = 2_939_745 * UInt64(ofCentury | 3)
        let dayOfYear = UInt32(truncatingIfNeeded: product) / 2_939_745 / 4
        let monthAndDay = 2141 * dayOfYear + 197_913
        let (month, day) = (Int(monthAndDay >> 16), Int(monthAndDay & 0xFFFF) / 2141 + 1)
        let year = 100 * Int(century) + Int(product >> 32)
        return dayOfYear < 306 ? (year, month, day) : (year + 1, month - 12, day)
    }

    /// The ISO 8601 weekday: 1 for Monday to 7 for Sunday.
    public var weekday: Int {
        // 1970-01-01 was a Thursday, 4.
        let remainder = (Int(number) + 3) % 7
        return (remainder < 0 ? remainder + 7 : remainder) + 1
    }

    /// The Monday of the date's ISO week.
    public var monday: Day { advanced(by: 1 - weekday) }

    /// The year and the month as `YYYY-MM`.
    public var monthText: String { String(description.utf8.prefix(7)) ?? "" }

    /// The ISO 8601 week as `YYYY-Www`.
    ///
    /// The year is the year of the week's Thursday.
    public var weekText: String {
        let thursday = monday.advanced(by: 3)
        let year = thursday.civil.year
        let firstDay = Day.number(year: year, month: 1, day: 1)
        return "\(padded(year, 4))-W\(padded((Int(thursday.number) - firstDay) / 7 + 1, 2))"
    }

    /// Compares two dates chronologically.
    public static func < (a: Day, b: Day) -> Bool { a.number < b.number }

    /// Returns the number of days of a month.
    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        default: 31
        }
    }
}

extension Day: Strideable {
    /// Returns the number of days to `other`.
    ///
    /// The number is negative if `other` is earlier.
    public func distance(to other: Day) -> Int { Int(other.number) - Int(number) }
    /// Returns the date `n` days later.
    ///
    /// Traps if the day number overflows, but does not check the calendar range.
    public func advanced(by n: Int) -> Day { Day(number: number + Int32(n)) }
}

extension Day: CustomStringConvertible {
    /// The date as `YYYY-MM-DD`.
    public var description: String {
        let (year, month, day) = civil
        return String(unsafeUninitializedCapacity: 10) { bytes in
            var rest = year * 10_000 + month * 100 + day
            for index in [9, 8, 6, 5, 3, 2, 1, 0] {
                bytes[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            bytes[4] = UInt8(ascii: "-")
            bytes[7] = UInt8(ascii: "-")
            return 10
        }
    }
}

/// Parses a range of bytes as a decimal number without a sign.
///
/// - Parameters:
///   - bytes: The text.
///   - range: The bytes of the number, at most 18.
/// - Returns: The number, or `nil` if the range is empty, too long, out of bounds, or contains a byte that is not a
///   digit.
@inline(__always)
func digits(_ bytes: Span<UInt8>, in range: Range<Int>) -> Int? {
    guard !range.isEmpty, range.count <= 18, range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
    var value = 0
    for index in range {
        // The guard above checks the range.
        let byte = bytes[unchecked: index]
        guard byte &- 48 < 10 else { return nil }
        value = value * 10 + Int(byte &- 48)
    }
    return value
}

/// Returns `value` with leading zeros, with at least `width` digits.
func padded(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}

extension Day {
    /// Returns the day `days` after this day, limited to the first and last day of the calendar.
    public func clampedAdvanced(by days: Int) -> Day {
        Day(
            number: Int32(
                clamping: Swift.max(Int(Day.first.number), Swift.min(Int(Day.last.number), Int(number) + days))))
    }
}
