import ArgumentParser
import HabitStore

struct Todo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "todo", abstract: "List your habits that are due today.",
        discussion: """
            Each row shows whether the habit is already done. A skipped habit has the
            outcome 'skipped'.

            Examples:
              habitat todo --as alice
              habitat todo --as alice --today 2026-11-20 --format json
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(common, whenEmpty: "No habits are due today: 'habitat habit list' shows your schedules.") {
            session, viewer, clock in
            var query = TodoQuery(viewer: viewer, clock: clock)
            let isProgressSelected = output.columnNames?.contains("progress") == true
            query.showsProgress = try isProgressSelected || output.showsTarget
            return try query.selection(in: session)
        }
    }
}
