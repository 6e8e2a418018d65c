import ArgumentParser
import Base
import HabitModel
import HabitStore

struct Skip: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip", abstract: "Mark due days of habits as skipped.",
        discussion: """
            A skipped day counts neither as done nor as missed. A habit is a title, its beginning or an ID; HABIT@DAY \
            names another day. If one habit is refused, no habit is skipped.

            Examples:
              habitat skip gym --as alice
              habitat skip gym --as alice --comment ill
            """)

    @Argument(help: ArgumentHelp("HABIT or HABIT@DAY.", valueName: "habit"), completion: .event)
    var habits: [String]
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
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let draft = try EventDraft(day: day, at: nil, comment: comment, amount: nil)
        try DayEntries(outcome: .skipped, draft: draft, day: day, output: output, common: common).record(habits)
    }
}
