import ArgumentParser
import HabitModel
import HabitReport
import HabitStore

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the store into a file, while others go on using it.",
        discussion: """
            The copy has one state of the store, is looked through before it gets its name, and needs no other file beside \
            it: to go back to it, put it in the store's place while no program uses that, and remove the files store-wal and \
            store-shm beside it. Only you may read it. (A copy made with cp may lack what was written last, or be damaged.)

            Examples:
              habitat backup habitat-2026-11-20.db
              habitat backup nightly.db --force --quiet
            """)

    @Argument(help: ArgumentHelp("The file to make.", valueName: "file"))
    var file: String
    @Flag(help: "Replace a file that is there already.")
    var force = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("backup")
        try output.refuseExplanation()
        guard case .file(let store) = try common.storeLocation() else {
            throw HabitError(
                .usage,
                "a PostgreSQL database is backed up by its own program: pg_dump --schema=habitat --schema=habitat_functions, which leaves out what lies on shards; or copy all of it into a file with 'habitat copy'",
                field: "store")
        }
        let engine = try common.open(.read)
        let backup = try StoreBackup(to: file, replaces: force, store: store)
        // What cannot be told is not done.
        try output.show(["path", "bytes"], common) { [.text(file), .integer(try backup.run(engine))] }
    }
}

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
            for result in results { try receiver.take(result.row) }
        }
    }
}

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look whether the store is whole, and with --repair mend what can be mended.",
        discussion: """
            Checks the file's pages and references, the spatial index and the search index against the records, and the \
            records against each other: a row for each check, ok or damaged, with how many things are at fault and the first \
            of them. The exit status is 65 where anything is damaged. It changes nothing and hinders nobody.

            --repair makes what follows from the rest of the store again, in one transaction: indexes, what texts are \
            searched by, what is 'unplanned', the state of items and claims; and it removes photos that no record has. \
            What it cannot mend, a backup can.

            Examples:
              habitat doctor
              habitat doctor --repair
              habitat doctor --format json
            """)

    @Flag(help: "Mend what can be mended, and look again.")
    var repair = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("doctor")
        try output.refuseExplanation()
        let engine = try common.open(repair ? .write : .read)
        var results: [CheckResult] = []
        try output.show(common, whenEmpty: "") { begin in
            let receiver = try begin(CheckResult.shape)
            results = repair ? try StoreDoctor(engine).repair() : try StoreDoctor(engine).examine()
            for result in results { try receiver.take(result.row) }
        }
        let damaged = results.filter { $0.status == .damaged }.count
        guard damaged == 0 else { throw Self.error(damaged, isRepaired: repair) }
    }

    private static func error(_ count: Int, isRepaired: Bool) -> HabitError {
        let checks = count == 1 ? "1 check finds" : "\(count) checks find"
        return HabitError(
            .storeDamaged,
            isRepaired
                ? "\(checks) damage that cannot be mended: restore a backup of the store"
                : "\(checks) damage: mend it with 'habitat doctor --repair', or restore a backup of the store")
    }
}
