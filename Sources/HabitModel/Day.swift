/// A calendar date of the proleptic Gregorian calendar, from year 1 to 9999, without a time zone.
public struct Day: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    public let number: Int32

    public static let first = Day(number: -719_162)  // 0001-01-01
    public static let last = Day(number: 2_932_896)  // 9999-12-31

    public init(number: Int32) { self.number = number }

    /// Nil where there is no such date, such as 2026-02-30.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(of: month, in: year)
        else { return nil }
        number = Int32(Self.number(year: year, month: month, day: day))
    }

    /// Days from 1970-01-01 to a date of the proleptic Gregorian calendar, in any year.
    static func number(year: Int, month: Int, day: Int) -> Int {
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Reads `YYYY-MM-DD`, and nothing else.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        self.init(utf8: text.utf8.span)
    }

    /// Reads `YYYY-MM-DD` from bytes, without making a string of them.
    public init?(utf8 bytes: Span<UInt8>) {
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = digits(bytes, in: 0..<4), let month = digits(bytes, in: 5..<7),
            let day = digits(bytes, in: 8..<10)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// No date where the day lies before ``first``.
    public var civil: (year: Int, month: Int, day: Int) {
        // Neri and Schneider, "Euclidean affine functions and their application to calendar algorithms", section 7, whose
        // years begin in March.
        let quarters = 4 &* UInt32(bitPattern: number &+ 719_468) &+ 3
        let (century, ofCentury) = quarters.quotientAndRemainder(dividingBy: 146_097)
        let product = 2_939_745 * UInt64(ofCentury | 3)
        let dayOfYear = UInt32(truncatingIfNeeded: product) / 2_939_745 / 4
        let monthAndDay = 2141 * dayOfYear + 197_913
        let (month, day) = (Int(monthAndDay >> 16), Int(monthAndDay & 0xFFFF) / 2141 + 1)
        let year = 100 * Int(century) + Int(product >> 32)
        return dayOfYear < 306 ? (year, month, day) : (year + 1, month - 12, day)
    }

    /// 1 for Monday to 7 for Sunday, as ISO 8601 counts.
    public var weekday: Int {
        // 1970-01-01 was a Thursday, 4.
        let remainder = (Int(number) + 3) % 7
        return (remainder < 0 ? remainder + 7 : remainder) + 1
    }

    /// The Monday of this day's ISO week.
    public var monday: Day { advanced(by: 1 - weekday) }

    public static func < (a: Day, b: Day) -> Bool { a.number < b.number }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        default: 31
        }
    }
}

extension Day: Strideable {
    public func distance(to other: Day) -> Int { Int(other.number) - Int(number) }
    public func advanced(by n: Int) -> Day { Day(number: number + Int32(n)) }
}

extension Day: CustomStringConvertible {
    /// `YYYY-MM-DD`.
    public var description: String {
        let (year, month, day) = civil
        return String(unsafeUninitializedCapacity: 10) { bytes in
            var rest = year * 10_000 + month * 100 + day
            for place in [9, 8, 6, 5, 3, 2, 1, 0] {
                bytes[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            bytes[4] = UInt8(ascii: "-")
            bytes[7] = UInt8(ascii: "-")
            return 10
        }
    }
}

/// The number that a range of the bytes spells in decimal digits; `nil` for anything else.
@inline(__always)
func digits(_ bytes: Span<UInt8>, in range: Range<Int>) -> Int? {
    guard !range.isEmpty, range.count <= 18, range.upperBound <= bytes.count else { return nil }
    var value = 0
    for index in range {
        // The range is checked.
        let byte = bytes[unchecked: index]
        guard byte &- 48 < 10 else { return nil }
        value = value * 10 + Int(byte &- 48)
    }
    return value
}

/// `value` with leading zeros to `width` digits.
func padded(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}
