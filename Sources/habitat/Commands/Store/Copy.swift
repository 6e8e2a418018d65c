import ArgumentParser
import HabitModel
import HabitStore
import StoreEngine

struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy everything of one store into another: from a file to PostgreSQL, or back.",
        discussion: """
            The copy has one state of the store, with all that is in it, sign-ins and tokens too; what is read is compared with \
            what was written, by counts and checksums. It is made where there is none yet. Rows are committed a million at a time: \
            a copy that was cut short goes on where it stopped when it is asked for again. A store that holds anything else is \
            left alone: load into it what 'habitat export' writes.

            Each store is a file or a PostgreSQL database, such as postgresql://ann@db.example.org/habitat.

            Example:
              habitat copy --from habitat.db --to copy.db
            """)

    @Option(help: ArgumentHelp("The store to copy.", valueName: "store"))
    var from: String
    @Option(help: ArgumentHelp("The store to copy it to.", valueName: "store"))
    var to: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("copy")
        try output.refuseExplanation()
        guard common.store == nil else {
            throw HabitError(.usage, "a copy has two stores, --from and --to: leave --store out", field: "store")
        }
        let (wait, source, target) = (try common.waitTime(), StoreLocation(from), StoreLocation(to))
        guard !source.isSame(as: target) else {
            throw HabitError(.usage, "--from and --to name the same store: name another one", field: "to")
        }
        let copy = StoreCopy(
            from: try source.open(.read, wait: wait), to: try target.open(.create, wait: wait))
        try output.show(common, whenEmpty: "") { begin in
            let receiver = try begin(StoreCopy.Result.shape)
            let results = try copy.run { common.notice("\($0): \($1) rows copied") }
            try receiver.take(results.map(\.row))
        }
    }
}
