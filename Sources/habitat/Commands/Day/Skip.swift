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

    @Argument(help: ArgumentHelp("HABIT or HABIT@DAY.", valueName: "habit"), completion: .openHabit)
    var habits: [String]
    @OptionGroup var event: DayOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let draft = try EventDraft(day: event.day, at: nil, comment: event.comment, amount: nil)
        try DayEntries(outcome: .skipped, draft: draft, day: event.day, output: output, common: common).record(habits)
    }
}
