import ArgumentParser
import HabitModel
import HabitStore

/// The filter of events.
///
/// All commands that show events have the same options.
struct EventOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp("Only events of this user; repeatable.", valueName: "id")
    )
    var user: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Only events of this habit, or of all with this title; repeatable.", valueName: "id|title"))
    var habit: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("No events of this habit, or of any with this title; repeatable.", valueName: "id|title"))
    var notHabit: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only events whose comment holds this text, in any case.", valueName: "text"))
    var comment: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only events whose comment holds this as a whole word, in any case.", valueName: "word"))
    var commentWord: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Only events on this day or later.", valueName: "date"))
    var from: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Only events on this day or earlier.", valueName: "date"))
    var to: String?

    /// Returns the filter that the options describe.
    ///
    /// - Throws: `HabitError` if a value is invalid, or if the first day is after the last one.
    func filter() throws -> EventFilter {
        var filter = EventFilter()
        filter.users = user
        filter.habits = habit
        filter.notHabits = notHabit
        filter.comment = try comment.map { try Parse.searchText($0, option: "comment") }
        filter.commentWord = try commentWord.map { try Parse.searchText($0, option: "comment-word") }
        filter.from = try from.map { try Parse.day($0, option: "from") }
        filter.to = try to.map { try Parse.day($0, option: "to") }
        if let first = filter.from, let last = filter.to, last < first {
            throw HabitError(.dateInvalid, "--from \(first) is after --to \(last): nothing lies between", field: "from")
        }
        return filter
    }
}
