import ArgumentParser
import Base
import HabitModel
import HabitReport

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the store to a file while it is in use.",
        discussion: """
            The copy contains one consistent state of the store. The command checks the copy before it moves it to its \
            final name. Only the owner can read the file. Do not copy a store with cp: the copy may lack the latest \
            changes or be damaged.

            'habitat restore' replaces the store with a backup.

            Examples:
              habitat backup habitat-2026-11-20.db
              habitat backup nightly.db --force --quiet
            """)

    @Argument(help: ArgumentHelp("File to create.", valueName: "file"), completion: .file())
    var file: String
    @Flag(help: "Replace an existing file.")
    var force = false
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("backup")
        try output.refuseExplanation()
        guard case .file(let store) = try common.storeLocation() else {
            throw HabitError(
                .usage,
                "a PostgreSQL store cannot be backed up to a file: use pg_dump --schema=habitat --schema=habitat_functions, or copy all data to a file with 'habitat copy'",
                field: "store")
        }
        let engine = try common.open(.read)
        let backup = try StoreBackup(to: file, replaces: force, store: store)
        try common.protect([file], from: output.output, option: "output")
        // An output that cannot be opened prevents the backup.
        try output.show(["path", "bytes"], common) { [.text(file), .integer(try backup.run(engine))] }
    }
}
