import ArgumentParser

struct HabitPause: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause one of your habits.",
        discussion: """
            The days of a pause are neither due nor missed: streaks, the completion rate and the score skip them. Events \
            on these days are unplanned, except with a target: then they count in no period. A pause without --to ends \
            with 'habitat habit resume'.

            Examples:
              habitat habit pause gym --as alice
              habitat habit pause gym --from 2026-12-01 --to 2026-12-14 --as alice
            """)

    @Argument(help: ArgumentHelp("ID or title of the habit.", valueName: "habit"), completion: .ownHabit)
    var habit: String
    @OptionGroup var days: PauseOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try common.pause(habit, on: days, output)
    }
}
