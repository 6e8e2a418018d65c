import ArgumentParser
import HabitStore

struct Todo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "todo", abstract: "Your habits that are due today, and whether they are done.",
        discussion: """
            Examples:
              habitat todo --as alice
              habitat todo --as alice --today 2026-11-20 --format json
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "Nothing is due today: 'habitat habit list' shows your schedules.") {
            session, viewer, clock in
            try TodoQuery(viewer: viewer, clock: clock).selection(in: session)
        }
    }
}
