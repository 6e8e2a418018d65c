import ArgumentParser
import Base
import HabitModel
import HabitStore

/// The filter of events.
///
/// All commands that show events have the same options.
struct EventOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("ID of a user whose events are selected; repeatable.", valueName: "id"), completion: .user)
    var user: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("ID or title of a habit whose events are selected; repeatable.", valueName: "id|title"),
        completion: .visibleHabit)
    var habit: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("ID or title of a habit whose events are excluded; repeatable.", valueName: "id|title"),
        completion: .visibleHabit)
    var notHabit: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Text that the comment must contain; case is ignored.", valueName: "text"),
        completion: .anyText)
    var comment: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Word that the comment must contain as a whole word; case is ignored.", valueName: "word"),
        completion: .anyText)
    var commentWord: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("First day of the events, such as 2026-11-20, mon, -7d or 2026-11.", valueName: "day"),
        completion: .dayOrPeriod)
    var from: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Last day of the events, such as 2026-11-20, yesterday or last-week.", valueName: "day"),
        completion: .dayOrPeriod)
    var to: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Period of the events: 2026-11, 2026-W47, 2026, this-week, last-week, this-month or last-month.",
            valueName: "period"), completion: .period)
    var `in`: String?

    /// The names of the options, with dashes.
    static var names: [String] {
        let properties = Mirror(reflecting: EventOptions()).children.compactMap(\.label)
        return properties.map(name)
    }

    /// Returns the name of the option of a property, such as `--not-habit` of `_notHabit`.
    private static func name(of property: String) -> String {
        let letters = property.drop { character in character == "_" }
        let parts = letters.map { letter in
            letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
        }
        return "--" + parts.joined()
    }

    /// Whether no option is set.
    var isEmpty: Bool {
        user.isEmpty && habit.isEmpty && notHabit.isEmpty
            && [comment, commentWord, from, to, self.in].allSatisfy { $0 == nil }
    }

    /// Whether a day is relative to the current date, which depends on the time zone of the user.
    ///
    /// An invalid day is not relative.
    var hasRelativeDays: Bool {
        if let period = self.in.flatMap({ Period($0) }) { return period.isRelative }
        let days = [try? firstDay(), try? lastDay()]
        return days.contains { day in day?.isRelative == true }
    }

    private func firstDay() throws -> DayExpression? {
        try from.map { try DayExpression($0, as: .first, field: "from") }
    }

    private func lastDay() throws -> DayExpression? {
        try to.map { try DayExpression($0, as: .last, field: "to") }
    }

    /// Checks all values as far as they do not depend on the store.
    ///
    /// - Throws: `HabitError` if a value is invalid.
    func check() throws {
        _ = try firstDay()
        _ = try lastDay()
        if let period = self.in {
            _ = try Period(period, field: "in")
            guard from == nil, to == nil else {
                throw HabitError(
                    .usage, "--in and --from or --to are mutually exclusive: omit --in or the others", field: "in")
            }
        }
        guard !hasRelativeDays else { return }
        _ = try filter(today: Day(number: 0))
    }

    /// Replaces the names of a filter by IDs and whole titles.
    ///
    /// - Parameters:
    ///   - filter: The filter that the options describe.
    ///   - names: The lookup of the names.
    /// - Throws: `not-found` or `usage` if a name does not stand for one record.
    func resolveNames(of filter: inout EventFilter, _ names: NameLookup) throws {
        filter.users = try filter.users.map(names.userID)
        filter.habits = try names.habitFilter(filter.habits)
        filter.notHabits = try names.habitFilter(filter.notHabits)
    }

    /// Returns the filter that the options describe.
    ///
    /// - Parameter today: The current date of the user, to which relative dates refer.
    /// - Returns: The filter.
    /// - Throws: `HabitError` if a value is invalid, or if the first day is after the last one.
    func filter(today: Day) throws -> EventFilter {
        var filter = EventFilter()
        filter.users = user
        filter.habits = habit
        filter.notHabits = notHabit
        filter.comment = try comment.map { try Parse.searchText($0, field: "comment") }
        filter.commentWord = try commentWord.map { try Parse.searchText($0, field: "comment-word") }
        filter.from = try firstDay()?.day(today: today)
        filter.to = try lastDay()?.day(today: today)
        if let period = self.in {
            let days = try Period(period, field: "in").days(today: today)
            filter.from = days.lowerBound
            filter.to = days.upperBound
        }
        if let first = filter.from, let last = filter.to, last < first {
            throw HabitError(
                .dateInvalid, "--from \(first) is after --to \(last): choose an earlier first day", field: "from")
        }
        return filter
    }
}
