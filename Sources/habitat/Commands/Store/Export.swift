import ArgumentParser
import HabitReport
import HabitStore
import Rendering

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the whole store into a folder, in the formats that 'habitat ingest' reads.",
        discussion: """
            A file for each kind of record, and the photos in the folder's photos/: 'habitat ingest DIR' makes the same \
            store of it again, to the last bit of every position. It is one state of the store, whoever writes meanwhile, \
            and equal stores give equal files. The folder is there when all of it is, and never in part; only you may read it.

            --format says how the files are written, csv (as without it) or ndjson, and how the summary is.

            Examples:
              habitat export archive
              habitat export archive-2026-11-20 --format ndjson --quiet
            """)

    @Argument(help: ArgumentHelp("The folder to make; one that is there must be empty.", valueName: "dir"))
    var folder: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("export")
        try output.refuseExplanation()
        let export = try StoreExport(ExportQuery(), format: output.format ?? .csv)
        let engine = try common.open(.read)
        try output.show(common, whenEmpty: "The store is empty.") { begin in
            let receiver = try begin(StoreExport.shape)
            let folder = try AtomicFolder(folder, sharing: output.access.sharing)
            let rows = try engine.read { try export.write(to: folder, in: $0) }
            try folder.commit()
            try receiver.take(rows)
        }
    }
}
