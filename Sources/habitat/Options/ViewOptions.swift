import ArgumentParser
import Base
import HabitModel
import HabitStore

/// The records of a shared view.
struct ViewOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Kinds of records: events, posts, items, or several separated by commas.", valueName: "layers"),
        completion: .list(ViewDefinition.Layer.allCases.map(\.rawValue)))
    var layers = "events"

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("ID or title of your habit whose events are shown; repeatable.", valueName: "id|title"),
        completion: .ownHabit)
    var habit: [String] = []

    @Option(help: "Outcome of the events.")
    var outcome: Outcome?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Text that the comment must contain; case is ignored.", valueName: "text"),
        completion: .anyText)
    var comment: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("First day, such as 2026-11-20, mon, -7d or 2026-11.", valueName: "day"),
        completion: .dayOrPeriod)
    var from: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Last day, such as 2026-11-20, yesterday or last-week.", valueName: "day"),
        completion: .dayOrPeriod)
    var to: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of days up to today, at each reading.", valueName: "number"),
        completion: .anyText)
    var days: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Box of the rounded positions: WEST,SOUTH,EAST,NORTH in degrees.", valueName: "box"),
        completion: .anyText)
    var bbox: String?

    @Option(help: "Size of the cells in which positions are rounded: 100 m, 1 km or 10 km.")
    var rounding = ViewDefinition.Rounding.street

    @Flag(help: "Show the current status of the habits, which also depends on events outside the view.")
    var status = false

    /// Returns the definition of the view.
    ///
    /// - Parameter user: The user whose records the view shows.
    /// - Returns: The definition.
    /// - Throws: `parameter-invalid` for a layer; `usage` if the options exclude each other; the errors of the lookup of
    ///   habits and of ``HabitModel/ViewDefinition/checked()``.
    func definition(of user: ActingUser) throws -> ViewDefinition {
        var definition = try ViewDefinition(layers: try Self.layers(layers))
        definition.habits = try habit.map { name in try user.names.habitID(name, own: true) }
        definition.outcome = outcome
        definition.comment = comment
        definition.box = try bbox.map(Parse.box)
        definition.rounding = rounding
        definition.showsStatus = status
        definition.period = try period(today: user.today)
        return try definition.checked()
    }

    private static func layers(_ text: String) throws -> [ViewDefinition.Layer] {
        try text.split(separator: ",").map { name in
            guard let layer = ViewDefinition.Layer(rawValue: String(name)) else {
                throw HabitError(
                    .parameterInvalid,
                    "'\(name)' is not a layer: use events, posts and items, separated by commas",
                    field: "layers")
            }
            return layer
        }
    }

    private func period(today: Day) throws -> ViewDefinition.Period {
        guard from != nil || to != nil else {
            return days.map { days in .last(days: days) } ?? .always
        }
        guard days == nil else {
            throw HabitError(
                .usage,
                "--days and --from or --to are mutually exclusive: omit --days or the others",
                field: "days")
        }
        let first = try from.map { text in try DayExpression(text, as: .first, field: "from").day(today: today) }
        let last = try to.map { text in try DayExpression(text, as: .last, field: "to").day(today: today) }
        return .between(first, last)
    }
}
