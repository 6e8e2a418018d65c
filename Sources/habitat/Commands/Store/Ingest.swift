import ArgumentParser
import Foundation
import HabitIngest
import HabitModel
import HabitStore
import StoreEngine
import StoreSpatiaLite

struct Ingest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Load users, habits, schedules, follows, events, items, claims, messages and posts.",
        discussion: """
            PATH is a file, a folder, or - for the standard input. A file's kind is told by the beginning of its name \
            (events.csv, events-2026.ndjson.gz), by the member "kind" of a GeoJSON document, or by --kind; its format (CSV, \
            TSV, NDJSON, a JSON array, GeoJSON, GeoJSONSeq, each also gzipped) by its content.

            Loading the same data again changes nothing: records are known by their ids, or by their natural keys. All is \
            one transaction; a load that is killed leaves the store as it was. Rows that are refused are named on the \
            standard error (the first 20) with file, line, column and reason, and the exit status is 65; --rejects keeps all \
            in a file that can be mended and loaded again. Memory stays small whatever the size of the files.

            An event whose done, completed, checked or value is 0, false, no or empty, or whose outcome is missed, no, false \
            or 0, was not done: it is not stored, deletes nothing, and is counted on the standard error.

            Examples:
              habitat ingest sample-data
              habitat ingest sample-data --dry-run --rejects refused.csv
              habitat ingest sample-data/events-lisbon.csv --strict
            """)

    @Argument(help: ArgumentHelp("Files and folders; - is the standard input.", valueName: "path"))
    var paths: [String]
    @Option(
        parsing: .unconditional, help: ArgumentHelp("What the inputs hold: users, habits, events, …", valueName: "kind")
    )
    var kind: RecordKind?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The inputs' format: csv, tsv, ndjson, json, geojson, geojsonseq.", valueName: "format"))
    var from: InputFormat?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where to write the refused rows, as CSV or NDJSON by the file's name.", valueName: "file"))
    var rejects: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Up to this many refused rows are no error; with more nothing is stored.", valueName: "number"))
    var maxRejects: Int?
    @Flag(help: "One refused row, and nothing is stored.")
    var strict = false
    @Flag(help: "Check everything and store nothing.")
    var dryRun = false
    @Flag(help: "Refuse files with columns that are not known, instead of passing over them.")
    var strictColumns = false
    @Flag(help: "Accept empty files, which are an error otherwise.")
    var allowEmpty = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Known records with other values: update, keep or reject.", valueName: "what"))
    var onConflict = ConflictPolicy.update
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Positions at 0,0: keep (with a warning), null or reject.", valueName: "what"))
    var nullIsland = NullIslandPolicy.keep
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("ingest")
        try output.refuseExplanation()
        let plan = try InputPlan(paths: paths, kind: kind)
        if !plan.skipped.isEmpty {
            let names = plan.skipped.map { ($0 as NSString).lastPathComponent }.joined(separator: ", ")
            common.notice("Passed over, since their names tell no kind (events.csv, users.json, …): \(names)")
        }
        guard !plan.files.isEmpty else {
            throw HabitError(.inputNotFound, "there is nothing to load in \(paths.joined(separator: ", "))")
        }
        _ = try output.chosenFormat()
        try common.protect(plan.files.compactMap(\.path), from: output.output, option: "output")
        try common.protect(
            plan.files.compactMap(\.path) + [output.output].compactMap(\.self), from: rejects, option: "rejects")
        _ = try common.clock()
        let report = RejectionReport(
            common, plan: plan, file: try rejects.map { try RejectsFile($0, sharing: output.access.sharing) })
        let bar = ProgressBar(isShown: !common.quiet && isatty(STDERR_FILENO) == 1)
        let loader = Loader(
            try options(),
            onRejection: {
                bar.clear()
                try report.add($0)
            }, onProgress: bar.show)
        let summary = try load(plan, loader, report, bar)
        tell(summary)
        guard summary.rejected == 0 || maxRejects != nil else {
            throw HabitError(
                .rowsRejected,
                Self.sentence(summary, rejects: rejects, dryRun: dryRun)
            )
        }
    }

    /// Loads the inputs and shows the summary.
    ///
    /// The outputs are opened before the load and written before its commit. An output error rolls the load back.
    private func load(
        _ plan: InputPlan, _ loader: Loader, _ report: RejectionReport, _ bar: ProgressBar
    ) throws -> LoadSummary {
        do {
            var summary = LoadSummary()
            try output.show(common, whenEmpty: "There was nothing to load.") { begin in
                let receiver = try begin(LoadSummary.shape)
                summary = try loader.load(plan, into: try engine()) { summary in
                    bar.clear()
                    try common.ignoringBrokenPipe {
                        try receiver.take(summary.rows)
                        try receiver.finish()
                    }
                    try report.finish()
                }
            }
            return summary
        } catch {
            bar.clear()
            // The file of rejected rows is written if these rows made the load fail. Otherwise an existing file is
            // kept.
            if let error = error as? HabitError, [.rowsRejected, .tooManyRejects].contains(error.code) {
                try report.finish()
            }
            throw error
        }
    }

    private static func sentence(_ summary: LoadSummary, rejects: String?, dryRun: Bool) -> String {
        let refused = summary.rejected == 1 ? "1 row was refused" : "\(summary.rejected) rows were refused"
        let others =
            dryRun
            ? "nothing is stored in a dry run" : summary.stored > 0 ? "the others are stored" : "nothing was stored"
        let mend = rejects.map { "mend what is in '\($0)' and load it" } ?? "--rejects FILE keeps them to be mended"
        return "\(refused), \(others): \(mend)"
    }

    private func options() throws -> LoadOptions {
        var options = LoadOptions()
        options.format = from
        options.policy = onConflict
        options.nullIsland = nullIsland
        options.strictColumns = strictColumns
        options.allowsEmpty = allowEmpty
        options.isStrict = strict
        options.isDryRun = dryRun
        if let maxRejects, maxRejects < 0 {
            throw HabitError(.parameterInvalid, "--max-rejects must be 0 or more", field: "max-rejects")
        }
        options.maxRejects = maxRejects
        return options
    }

    /// Returns the store.
    ///
    /// A dry run without a store uses a temporary one.
    private func engine() throws -> any Engine {
        guard dryRun, case .file(let path) = try common.storeLocation(), !FileManager.default.fileExists(atPath: path)
        else { return try common.open(.create) }
        return try SpatiaLiteEngine.temporary()
    }

    private func tell(_ summary: LoadSummary) {
        for (file, names) in summary.unknownFields {
            common.notice(
                "Passed over in '\(file)': columns that no field is known for: \(names.joined(separator: ", "))")
        }
        if summary.notDone > 0 {
            common.notice(
                summary.notDone == 1
                    ? "1 row means that a habit was not done, and is not stored."
                    : "\(summary.notDone) rows mean that a habit was not done, and are not stored.")
        }
        if summary.nullIslands > 0, nullIsland == .keep {
            common.notice(
                "warning[null-island]: \(summary.nullIslands) of the positions are 0,0; if that means 'unknown', load with --null-island null."
            )
        }
    }
}
