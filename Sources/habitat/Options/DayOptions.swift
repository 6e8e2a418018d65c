import ArgumentParser

/// The options of `done` and `skip` for the day and the comment.
struct DayOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("Day of the habits without @DAY (default: today).", valueName: "day"),
        completion: .day)
    var day: String?

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("Comment, up to 20 characters by default.", valueName: "text"),
        completion: .anyText)
    var comment: String?
}
