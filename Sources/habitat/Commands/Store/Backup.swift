import ArgumentParser
import HabitModel
import HabitReport

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
        try common.protect([file], from: output.output, option: "output")
        // An output that cannot be opened prevents the backup.
        try output.show(["path", "bytes"], common) { [.text(file), .integer(try backup.run(engine))] }
    }
}
