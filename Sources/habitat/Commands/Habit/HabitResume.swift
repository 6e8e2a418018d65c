import ArgumentParser

struct HabitResume: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "End the pause of one of your habits.",
        discussion: """
            The pause ends yesterday, so that today counts again. A pause that begins today is deleted. A pause of all \
            habits ends with 'habitat user resume'.

            Example:
              habitat habit resume gym --as alice
            """)

    @Argument(help: ArgumentHelp("ID or title of the habit.", valueName: "habit"), completion: .ownHabit)
    var habit: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try common.resume(habit, output)
    }
}
