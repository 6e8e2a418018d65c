import ArgumentParser
import HabitReport
import HabitStore
import Rendering

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export the store to files that can be loaded again.",
        discussion: """
            The command writes one file for each kind of record, and the photos to the folder photos/. 'habitat ingest \
            FOLDER' restores the same records with exactly equal positions. The export contains one consistent state \
            of the store, and equal stores produce equal files. The folder appears only after all files are complete. \
            Only the owner can read it.

            --format sets the format of the files (csv, ndjson or parquet, default csv) and of the summary. Parquet files \
            are for analyses: they have typed columns and GeoParquet geometries, but Habitat does not load them. Their \
            summary is text.

            Several threads read the store and write the files. --threads limits them.

            Examples:
              habitat export archive
              habitat export archive-2026-11-20 --format ndjson --quiet
            """)

    @Argument(
        help: ArgumentHelp("Folder to create; an existing folder must be empty.", valueName: "dir"),
        completion: .directory)
    var folder: String
    @OptionGroup var threads: ThreadOption
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("export")
        try output.refuseExplanation()
        let export = try StoreExport(ExportQuery(), format: output.format ?? .csv)
        var output = output
        if output.format?.isBinary == true { output.format = .text }
        let team = try threads.team { try common.open(.read) }
        try output.show(common, whenEmpty: "The store is empty.") { begin in
            let receiver = try begin(StoreExport.shape)
            let folder = try AtomicFolder(folder, sharing: output.access.sharing)
            let rows = try team.read { session, crew in
                try session.fileMapping?.mapFile()
                return try export.write(to: folder, in: session, crew: crew)
            }
            try folder.commit()
            try receiver.append(rows)
        }
    }
}
