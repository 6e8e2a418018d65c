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
    public init(number: Int32) {
        self.number = number
    }

    /// Creates a date, or returns `nil` if it does not exist, such as 2026-02-30.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year),
            (1...12).contains(month),
            day >= 1,
            day <= Self.length(of: month, in: year)
        else { return nil }
        let number = Self.number(year: year, month: month, day: day)
        self.number = Int32(number)
    }

    /// Returns the number of days from 1970-01-01 to a date of the proleptic Gregorian calendar, for any year.
    static func number(year: Int, month: Int, day: Int) -> Int {
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
        // Its years begin in March.
        let marchYear = month <= 2 ? year - 1 : year
        let cycleStart = marchYear >= 0 ? marchYear : marchYear - 399
        let era = cycleStart / 400
        let yearOfEra = marchYear - era * 400
        let monthsSinceMarch = month > 2 ? month - 3 : month + 9
        let daysBeforeMonth = (153 * monthsSinceMarch + 2) / 5
        let dayOfYear = daysBeforeMonth + day - 1
        let leapDays = yearOfEra / 4 - yearOfEra / 100
        let dayOfEra = yearOfEra * 365 + leapDays + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns the number of days from 1970-01-01 to January 1 of any year.
    static func number(ofNewYear year: Int) -> Int {
        number(year: year, month: 1, day: 1)
    }

    /// Parses `YYYY-MM-DD`, or returns `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        self.init(utf8: text.utf8.span)
    }

    /// Parses `YYYY-MM-DD` from UTF-8 bytes without allocating a string, or returns `nil` for any other text.
    public init?(utf8 bytes: Span<UInt8>) {
        let hyphen = UInt8(ascii: "-")
        guard bytes.count == 10,
            bytes[4] == hyphen,
            bytes[7] == hyphen,
            let year = digits(bytes, in: 0..<4),
            let month = digits(bytes, in: 5..<7),
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
        let dayOfCalendar = UInt32(bitPattern: number &+ 719_468)
        let quarters = 4 &* dayOfCalendar &+ 3
        let centuries = quarters.quotientAndRemainder(dividingBy: 146_097)
        let product = 2_939_745 * UInt64(centuries.remainder | 3)
        let scaledDayOfYear = UInt32(truncatingIfNeeded: product)
        let dayOfYear = scaledDayOfYear / 2_939_745 / 4
        let monthAndDay = 2141 * dayOfYear + 197_913
        let month = Int(monthAndDay >> 16)
        let day = Int(monthAndDay & 0xFFFF) / 2141 + 1
        let yearOfCentury = Int(product >> 32)
        let year = 100 * Int(centuries.quotient) + yearOfCentury
        // Day 306 of such a year is January 1.
        let isBeforeJanuary = dayOfYear < 306
        if isBeforeJanuary {
            return (year, month, day)
        } else {
            return (year + 1, month - 12, day)
        }
    }

    /// The ISO 8601 weekday: 1 for Monday to 7 for Sunday.
    public var weekday: Int {
        // 1970-01-01 was a Thursday, 4.
        let remainder = (Int(number) + 3) % 7
        let daysAfterMonday = remainder < 0 ? remainder + 7 : remainder
        return daysAfterMonday + 1
    }

    /// The Monday of the date's ISO week.
    public var monday: Day {
        advanced(by: 1 - weekday)
    }

    /// The year and the month as `YYYY-MM`.
    public var monthText: String {
        let yearAndMonth = description.utf8.prefix(7)
        return String(yearAndMonth) ?? ""
    }

    /// The ISO 8601 week as `YYYY-Www`.
    ///
    /// The year is the year of the week's Thursday.
    public var weekText: String {
        let thursday = monday.advanced(by: 3)
        let year = thursday.civil.year
        let firstDay = Day.number(ofNewYear: year)
        let dayOfYear = Int(thursday.number) - firstDay
        let week = dayOfYear / 7 + 1
        return "\(padded(year, width: 4))-W\(padded(week, width: 2))"
    }

    /// Compares two dates chronologically.
    public static func < (a: Day, b: Day) -> Bool {
        a.number < b.number
    }

    /// Returns the number of days of a month.
    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: isLeap(year) ? 29 : 28
        default: 31
        }
    }

    private static func isLeap(_ year: Int) -> Bool {
        if year % 100 == 0 {
            year % 400 == 0
        } else {
            year % 4 == 0
        }
    }
}

extension Day: Strideable {
    /// Returns the number of days to `other`.
    ///
    /// The number is negative if `other` is earlier.
    public func distance(to other: Day) -> Int {
        Int(other.number) - Int(number)
    }

    /// Returns the date `n` days later.
    ///
    /// Traps if the day number overflows, but does not check the calendar range.
    public func advanced(by n: Int) -> Day {
        Day(number: number + Int32(n))
    }
}

extension Day: CustomStringConvertible {
    /// The date as `YYYY-MM-DD`.
    public var description: String {
        let civil = civil
        let yearAndMonth = civil.year * 100 + civil.month
        return String(unsafeUninitializedCapacity: 10) { bytes in
            var rest = yearAndMonth * 100 + civil.day
            for index in [9, 8, 6, 5, 3, 2, 1, 0] {
                let digit = UInt8(rest % 10)
                bytes[index] = UInt8(ascii: "0") + digit
                rest /= 10
            }
            let hyphen = UInt8(ascii: "-")
            bytes[4] = hyphen
            bytes[7] = hyphen
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
    guard !range.isEmpty,
        range.count <= 18,
        range.lowerBound >= 0,
        range.upperBound <= bytes.count
    else { return nil }
    var value = 0
    for index in range {
        // The guard above checks the range.
        let digit = bytes[unchecked: index] &- 48
        guard digit < 10 else {
            return nil
        }
        value = value * 10 + Int(digit)
    }
    return value
}

/// Returns `value` with leading zeros, with at least `width` digits.
func padded(_ value: Int, width: Int) -> String {
    let text = String(value)
    let missing = max(0, width - text.utf8.count)
    let zeros = String(repeating: "0", count: missing)
    return zeros + text
}

extension Day {
    /// Returns the day `days` after this day, limited to the first and last day of the calendar.
    public func clampedAdvanced(by days: Int) -> Day {
        let target = Int(number) + days
        if target < Int(Day.first.number) {
            return .first
        }
        if target > Int(Day.last.number) {
            return .last
        }
        return Day(number: Int32(target))
    }
}
