import Base

/// The period that the reports of a nightly run describe.
public enum NightlyPeriod: String, Sendable, CaseIterable {
    /// One day.
    case day
    /// An ISO week, from Monday to Sunday.
    case week
    /// A calendar month.
    case month

    /// Returns the period that contains a day.
    public func days(around day: Day) -> ClosedRange<Day> {
        switch self {
        case .day: return day...day
        case .week: return day.monday...day.monday.advanced(by: 6)
        case .month:
            let first = day.advanced(by: 1 - day.civil.day)
            let next = first.advanced(by: 31)
            return first...next.advanced(by: -next.civil.day)
        }
    }

    /// Returns the last day of the last period that ends on or before a day.
    public func lastEnd(upTo day: Day) -> Day {
        let days = days(around: day)
        return days.upperBound == day ? day : days.lowerBound.advanced(by: -1)
    }
}
