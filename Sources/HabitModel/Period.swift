import Base

/// A period of days as a user writes it: a week, a month or a year.
///
/// Weeks begin on Monday (ISO 8601).
public struct Period: Sendable, Equatable {
    private enum Form: Equatable {
        case days(ClosedRange<Day>)
        /// The number of weeks after the current week.
        case week(Int)
        /// The number of months after the current month.
        case month(Int)
    }

    private let form: Form
    private let text: String
    private var field: String?

    /// Parses a period.
    ///
    /// The forms are `2026-11`, `2026-W47`, `2026`, `this-week`, `last-week`, `this-month` and `last-month`, in any
    /// letter case. Returns `nil` for any other text.
    public init?(_ text: String) {
        guard let form = Self.form(text.lowercased()) else {
            return nil
        }
        self.form = form
        self.text = text
    }

    /// Parses the value of an option for a period.
    ///
    /// - Parameters:
    ///   - text: The text that the user enters.
    ///   - field: The name of the option, for the error.
    /// - Throws: `date-invalid` if the text is not a period.
    public init(_ text: String, field: String) throws(HabitError) {
        guard var period = Period(text) else {
            throw HabitError(
                .dateInvalid,
                "'\(text)' is not a period: write 2026-11, 2026-W47, 2026, this-week or last-month",
                field: field)
        }
        period.field = field
        self = period
    }

    /// Whether the period depends on the current date.
    public var isRelative: Bool {
        if case .days = form { false } else { true }
    }

    /// Returns the days of the period, without days outside the years 1 to 9999.
    ///
    /// - Parameter today: The current date of the user.
    /// - Returns: The days.
    /// - Throws: `date-invalid` if the complete period is outside the years 1 to 9999.
    public func days(today: Day) throws(HabitError) -> ClosedRange<Day> {
        guard let days = calendarDays(today: today) else {
            throw outOfRange
        }
        return days
    }

    /// Returns the days of the period, or `nil` if the complete period is outside the calendar.
    private func calendarDays(today: Day) -> ClosedRange<Day>? {
        switch form {
        case .days(let days):
            return days
        case .week(let weeks):
            let monday = Int(today.monday.number)
            return ClosedRange(from: monday + 7 * weeks, count: 7)
        case .month(let months):
            let civil = today.civil
            let current = 12 * civil.year + civil.month - 1
            let month = current + months
            return ClosedRange(month: month % 12 + 1, of: month / 12)
        }
    }

    private var outOfRange: HabitError {
        HabitError(
            .dateInvalid,
            "the period '\(text)' is out of range: use the years 1 to 9999",
            field: field)
    }

    // MARK: Forms

    private static func form(_ text: String) -> Form? {
        switch text {
        case "this-week": return .week(0)
        case "last-week": return .week(-1)
        case "this-month": return .month(0)
        case "last-month": return .month(-1)
        default:
            guard let days = dated(text) else { return nil }
            return .days(days)
        }
    }

    /// Returns the days of `2026`, `2026-11` or `2026-w47`.
    private static func dated(_ text: String) -> ClosedRange<Day>? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let yearText = parts.first else { return nil }
        guard let year = number(yearText, digits: 4) else { return nil }
        switch parts.count {
        case 1: return ClosedRange(year: year)
        case 2: return ClosedRange(part: parts[1], of: year)
        default: return nil
        }
    }

    fileprivate static func number(_ text: Substring, digits: Int) -> Int? {
        let bytes = text.utf8
        guard bytes.count == digits else { return nil }
        let isNumber = bytes.allSatisfy { byte in
            byte &- UInt8(ascii: "0") < 10
        }
        return isNumber ? Int(text) : nil
    }
}

extension ClosedRange<Day> {
    /// The days of a year, or `nil` for a year outside the calendar.
    fileprivate init?(year: Int) {
        guard let first = Day(year: year, month: 1, day: 1),
            let last = Day(year: year, month: 12, day: 31)
        else { return nil }
        self = first...last
    }

    /// The days of a month `11` or a week `w47`.
    fileprivate init?(part: Substring, of year: Int) {
        if part.hasPrefix("w") {
            let week = Period.number(part.dropFirst(), digits: 2)
            guard let week else { return nil }
            self.init(week: week, of: year)
        } else {
            let month = Period.number(part, digits: 2)
            guard let month else { return nil }
            self.init(month: month, of: year)
        }
    }

    /// The days of a month, or `nil` if the month does not exist.
    fileprivate init?(month: Int, of year: Int) {
        let first = Day(year: year, month: month, day: 1)
        guard let first else { return nil }
        // Only some months have these days.
        for day in [31, 30, 29, 28] {
            if let last = Day(year: year, month: month, day: day) {
                self = first...last
                return
            }
        }
        return nil
    }

    /// The days of a week, or `nil` if the year does not have the week.
    fileprivate init?(week: Int, of year: Int) {
        guard (1...53).contains(week) else { return nil }
        // The first week of a year contains January 4.
        let inFirstWeek = Day(year: year, month: 1, day: 4)
        guard let inFirstWeek else { return nil }
        let days = 7 * (week - 1)
        let monday = inFirstWeek.monday.advanced(by: days)
        let number = week < 10 ? "0\(week)" : "\(week)"
        // Some years do not have the week 53.
        guard monday.weekText.hasSuffix(number) else { return nil }
        self.init(from: Int(monday.number), count: 7)
    }

    /// The days of the calendar in a range of day numbers, or `nil` if the range has no day of the calendar.
    fileprivate init?(from first: Int, count: Int) {
        let calendarStart = Int(Day.first.number)
        let calendarEnd = Int(Day.last.number)
        let start = Swift.max(first, calendarStart)
        let end = Swift.min(first + count - 1, calendarEnd)
        guard start <= end else { return nil }
        let firstDay = Day(number: Int32(start))
        let lastDay = Day(number: Int32(end))
        self = firstDay...lastDay
    }
}
