import ArgumentParser
import HabitStore

struct Stats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count the rows of the store and their size on disk.",
        discussion: """
            Each row of the result describes one kind of record: the number of rows, the number of rows with a position and \
            the size in bytes.

            Examples:
              habitat stats
              habitat stats --format json
            """)

    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("stats")
        try output.show(common, whenEmpty: "The store is empty.") { session, _, _ in
            try StoreStatistics().selection(in: session)
        }
    }
}
