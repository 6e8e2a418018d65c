import ArgumentParser
import HabitStore

struct Stats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "How many rows of each kind the store holds, how many have a place, and their bytes on disk.",
        discussion: """
            Examples:
              habitat stats
              habitat stats --format json
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("stats")
        try output.show(common, whenEmpty: "The store is empty.") { session, _, _ in
            try StoreStatistics().selection(in: session)
        }
    }
}
