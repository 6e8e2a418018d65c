import Base

/// A day as a user writes it: a date, or a description that depends on the current date.
///
/// A bound of a range can also be a period, which then stands for its first or its last day.
public struct DayExpression: Sendable, Equatable {
    /// The role of a day in a range of days.
    public enum Bound: Sendable {
        /// The day is not a bound.
        case single
        /// The day is the first of a range, so that a period stands for its first day.
        case first
        /// The day is the last of a range, so that a period stands for its last day.
        case last
    }

    private enum Form: Equatable {
        case date(Day)
        /// The number of days after the current date.
        case offset(Int)
        /// The weekday, which is 1 for Monday to 7 for Sunday.
        case weekday(Int)
        case period(Period)
    }

    private let form: Form
    private let bound: Bound
    private let text: String
    private let field: String

    /// Parses a day.
    ///
    /// The forms are `2026-11-20`, `today`, `yesterday`, `tomorrow`, `today-7`, `today+3`, `-7d`, `+2w`, and names of
    /// weekdays (`mon` or `monday`), in any letter case.
    ///
    /// - Parameters:
    ///   - text: The text that the user enters.
    ///   - bound: The role of the day in a range. A bound of a range accepts the forms of ``Period``.
    ///   - field: The name of the option or parameter, for errors.
    /// - Throws: `date-invalid`.
    public init(_ text: String, as bound: Bound = .single, field: String) throws(HabitError) {
        guard let form = Self.form(text.lowercased(), bound) else {
            throw HabitError(
                .dateInvalid,
                "'\(text)' is not a day: write 2026-11-20, yesterday, mon, today-7 or -7d",
                field: field)
        }
        self.form = form
        self.bound = bound
        self.text = text
        self.field = field
    }

    /// Whether the day depends on the current date.
    public var isRelative: Bool {
        switch form {
        case .date: false
        case .offset, .weekday: true
        case .period(let period): period.isRelative
        }
    }

    /// Returns the day.
    ///
    /// - Parameter today: The current date of the user.
    /// - Returns: The day. For a weekday, the latest such day that is not after the current date.
    /// - Throws: `date-invalid` if the day is outside the years 1 to 9999.
    public func day(today: Day) throws(HabitError) -> Day {
        switch form {
        case .date(let day): return day
        case .offset(let days): return try day(days, after: today)
        case .weekday(let weekday):
            let daysSince = (today.weekday - weekday + 7) % 7
            return try day(-daysSince, after: today)
        case .period(let period):
            let days = try period.days(today: today)
            return bound == .last ? days.upperBound : days.lowerBound
        }
    }

    private func day(_ days: Int, after today: Day) throws(HabitError) -> Day {
        let calendar = Int(Day.first.number)...Int(Day.last.number)
        guard calendar.contains(Int(today.number) + days) else {
            throw HabitError(
                .dateInvalid, "the date '\(text)' is out of range: use the years 1 to 9999", field: field)
        }
        return today.advanced(by: days)
    }

    // MARK: Forms

    private static func form(_ text: String, _ bound: Bound) -> Form? {
        if let day = Day(text) {
            return .date(day)
        }
        if text == "tomorrow" {
            return .offset(1)
        }
        if let days = Parse.daysFromToday(text) ?? signedDays(text) {
            return .offset(days)
        }
        if let weekday = Weekdays.weekday(named: text) {
            return .weekday(weekday)
        }
        guard bound != .single, let period = Period(text) else {
            return nil
        }
        return .period(period)
    }

    /// Returns the days of `-7d` or `+2w`, or `nil` for any other text.
    private static func signedDays(_ text: String) -> Int? {
        guard let sign = text.first, sign == "-" || sign == "+" else {
            return nil
        }
        let digits = text.dropFirst().dropLast()
        guard (1...7).contains(digits.utf8.count), digits.utf8.allSatisfy({ $0 &- 48 < 10 }) else {
            return nil
        }
        guard let number = Int(digits) else {
            return nil
        }
        let days = sign == "-" ? -number : number
        switch text.last {
        case "d": return days
        case "w": return 7 * days
        default: return nil
        }
    }
}
