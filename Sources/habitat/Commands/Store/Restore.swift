import ArgumentParser
import Base
import HabitModel
import HabitReport

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replace the store with a backup.",
        discussion: """
            First stop the server and all other programs that use the store. If the store is in use, the command ends \
            with exit status 75 and changes nothing.

            The command copies the backup next to the store, runs the checks of 'habitat doctor' on the copy, and then \
            exchanges both in one step. It keeps the old store under a name such as \
            habitat.db.before-restore-20261120T120000Z. If a step fails, the store stays unchanged. Only the owner can \
            read the restored store. A backup with the schema of an earlier version is migrated.

            A PostgreSQL store is not a file. Load a dump with pg_restore, or copy the backup of a file store into an \
            empty database with 'habitat copy'.

            Example:
              habitat restore backup.db --store habitat.db
            """)

    @Argument(help: ArgumentHelp("Backup that replaces the store.", valueName: "file"), completion: .file())
    var file: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("restore")
        try output.refuseExplanation()
        guard case .file(let store) = try common.storeLocation() else {
            throw HabitError(
                .usage,
                "a PostgreSQL store cannot be replaced by a file: load a dump with pg_restore, or copy the backup into an empty database with 'habitat copy --from \(file) --to URL'",
                field: "store")
        }
        let restore = try StoreRestore(
            from: file, to: store, now: try common.clock().now, wait: try common.waitTime())
        try common.protect([file], from: output.output, option: "output")
        // An output that cannot be opened prevents the restore.
        try output.show(["path", "bytes", "old_store"], common) {
            let result = try restore.run()
            return [.text(store), .integer(result.bytes), .text(result.old)]
        }
    }
}
