import ArgumentParser
import Base
import HabitModel
import HabitStore
import StoreEngine

struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy a store to another file or PostgreSQL database.",
        discussion: """
            The copy contains one consistent state of all data, including accounts and tokens. The command compares \
            row counts and checksums of both stores. It creates the target store if it does not exist, and rejects a \
            target that contains other data. To add data to an existing store, load the files of 'habitat export'.

            The command commits after every million rows. Run an interrupted copy again to resume after the last \
            committed row.

            Each store is a file or a PostgreSQL database, such as postgresql://ann@db.example.org/habitat.

            Example:
              habitat copy --from habitat.db --to copy.db
            """)

    @Option(help: ArgumentHelp("Store to copy.", valueName: "store"), completion: .file())
    var from: String
    @Option(help: ArgumentHelp("Target store.", valueName: "store"), completion: .file())
    var to: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("copy")
        try output.refuseExplanation()
        guard common.store == nil else {
            throw HabitError(
                .usage, "--store does not apply to a copy: omit it and pass --from and --to", field: "store")
        }
        let wait = try common.waitTime()
        let source = StoreLocation(from)
        let target = StoreLocation(to)
        guard !source.isSame(as: target) else {
            throw HabitError(.usage, "--from and --to name the same store: choose another target", field: "to")
        }
        let copy = StoreCopy(
            from: try naming("from") { try source.open(.read, wait: wait) },
            to: try naming("to") { try target.open(.create, wait: wait) })
        try output.show(common, whenEmpty: "") { begin in
            let receiver = try begin(StoreCopy.Result.shape)
            let results = try copy.run { table, count in common.notice("\(table): \(count) rows copied") }
            try receiver.append(results.map(\.row))
        }
    }

    /// Opens a store; an error names the option of the store.
    private func naming(_ option: String, _ open: () throws -> any Engine) throws -> any Engine {
        do { return try open() } catch var error as HabitError {
            error.remedies = error.remedies.map { remedy in
                remedy == .give(.store) ? .advice("name another store with --\(option)") : remedy
            }
            throw error
        }
    }
}
