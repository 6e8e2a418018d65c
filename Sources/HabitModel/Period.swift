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
        switch form {
        case .days(let days): return days
        case .week(let weeks):
            let monday = Int(today.monday.number) + 7 * weeks
            guard let days = Self.days(from: monday, count: 7) else {
                throw outOfRange
            }
            return days
        case .month(let months):
            let civil = today.civil
            let month = 12 * civil.year + civil.month - 1 + months
            guard let days = Self.days(ofMonth: month % 12 + 1, in: month / 12) else {
                throw outOfRange
            }
            return days
        }
    }

    private var outOfRange: HabitError {
        HabitError(.dateInvalid, "the period '\(text)' is out of range: use the years 1 to 9999", field: field)
    }

    // MARK: Forms

    private static func form(_ text: String) -> Form? {
        switch text {
        case "this-week": return .week(0)
        case "last-week": return .week(-1)
        case "this-month": return .month(0)
        case "last-month": return .month(-1)
        default: return dated(text).map { days in .days(days) }
        }
    }

    /// Returns the days of `2026`, `2026-11` or `2026-w47`.
    private static func dated(_ text: String) -> ClosedRange<Day>? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let year = number(parts.first ?? "", digits: 4) else {
            return nil
        }
        switch parts.count {
        case 1:
            guard let first = Day(year: year, month: 1, day: 1),
                let last = Day(year: year, month: 12, day: 31)
            else { return nil }
            return first...last
        case 2 where parts[1].hasPrefix("w"):
            return number(parts[1].dropFirst(), digits: 2).flatMap { week in days(ofWeek: week, in: year) }
        case 2:
            return number(parts[1], digits: 2).flatMap { month in days(ofMonth: month, in: year) }
        default:
            return nil
        }
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ $0 &- 48 < 10 }) else {
            return nil
        }
        return Int(text)
    }

    private static func days(ofMonth month: Int, in year: Int) -> ClosedRange<Day>? {
        guard let first = Day(year: year, month: month, day: 1) else {
            return nil
        }
        // Only some months have these days.
        let ends = [31, 30, 29, 28].lazy.compactMap { day in Day(year: year, month: month, day: day) }
        return ends.first.map { last in first...last }
    }

    private static func days(ofWeek week: Int, in year: Int) -> ClosedRange<Day>? {
        // The first week of a year contains January 4.
        guard (1...53).contains(week), let inFirstWeek = Day(year: year, month: 1, day: 4) else {
            return nil
        }
        let monday = inFirstWeek.monday.advanced(by: 7 * (week - 1))
        let days = days(from: Int(monday.number), count: 7)
        let hasWeek = monday.weekText.suffix(2) == (week < 10 ? "0\(week)" : "\(week)")
        return hasWeek ? days : nil
    }

    /// Returns the days of the calendar in a range of day numbers, or `nil` if the range has no day of the calendar.
    private static func days(from first: Int, count: Int) -> ClosedRange<Day>? {
        let calendar = Int(Day.first.number)...Int(Day.last.number)
        let numbers = first...first + count - 1
        guard calendar.overlaps(numbers) else {
            return nil
        }
        let shown = numbers.clamped(to: calendar)
        return Day(number: Int32(shown.lowerBound))...Day(number: Int32(shown.upperBound))
    }
}
