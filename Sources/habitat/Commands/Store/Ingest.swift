import ArgumentParser
import Base
import Foundation
import HabitIngest
import HabitModel
import HabitStore
import StoreEngine
import StoreSpatiaLite

struct Ingest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Load records from files into the store.",
        discussion: """
            PATH is a file, a folder, or - for the standard input. The kind of records is the prefix of the file name \
            (events.csv, events-2026.ndjson.gz), the member "kind" of a GeoJSON document, or the value of --kind. The \
            format is detected from the content: CSV, TSV, NDJSON, a JSON array, GeoJSON or GeoJSONSeq, optionally \
            compressed with gzip.

            The load is one transaction. If it is interrupted, the store is unchanged. A repeated load of the same \
            data changes nothing, because records are identified by their IDs or natural keys. Memory use does not \
            depend on the size of the files.

            The first 20 rejected rows are reported on the standard error with file, line, column and reason. The exit \
            status is 65 if rows were rejected, unless you pass --max-rejects. --rejects writes all rejected rows to a \
            file that you can correct and load again.

            An event row that describes a habit that was not done is not stored and does not delete an event. Such a \
            row has 0, false, no or an empty text in done, completed, checked or value, or missed, no, false or 0 in \
            outcome or status. The number of such rows is reported on the standard error.

            The options that begin with CSV in their help read tables of other programs. With one of these options, a \
            row of events may name a habit by its title, and a time without a time zone is in --time-zone, otherwise in \
            the time zone of the user.

            Examples:
              habitat ingest sample-data
              habitat ingest sample-data --dry-run --rejects refused.csv
              habitat ingest sample-data/events-lisbon.csv --strict
            """)

    @Argument(
        help: ArgumentHelp("Files and folders to load; - is the standard input.", valueName: "path"),
        completion: .file())
    var paths: [String]
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Kind of records in the input: users, habits, events, …", valueName: "kind")
    )
    var kind: RecordKind?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Format of the input: \(InputFormat.alternatives) (default: detected).",
            valueName: "format"))
    var from: InputFormat?
    @Flag(help: "Reject files with unknown columns instead of ignoring the columns.")
    var strictColumns = false
    @Flag(help: "Accept empty files.")
    var allowEmpty = false
    @OptionGroup var load: LoadPolicyOptions
    @OptionGroup var unpacking: UnpackOption
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Policy for positions at 0,0: keep (with a warning), null or reject.", valueName: "what"))
    var nullIsland = NullIslandPolicy.keep
    @OptionGroup var table: TableFormatOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        do { try loadFiles() } catch let error as HabitError where Self.formatCodes.contains(error.code) {
            throw namingImport(error)
        }
    }

    /// The codes of the errors of a file that has another format.
    private static let formatCodes: [ErrorCode] = [
        .headerInvalid, .rowInvalid, .encodingInvalid, .inputNotFound, .recordTooLong,
    ]

    /// Returns the error with the command that reads the input, or the same error if no command reads it.
    private func namingImport(_ error: HabitError) -> HabitError {
        let found = paths.compactMap { ImportPlan.recognition(of: $0) }
        let content: String
        if found.contains(.export) {
            content = "is an export of another app"
        } else if found.contains(.photos) {
            content = "contains photos"
        } else {
            guard found.contains(.table), !table.isUsed, !strictColumns, error.code == .headerInvalid else {
                return error
            }
            var error = error
            error.remedies.append(.take(.importFiles))
            return error
        }
        return HabitError(
            error.code, "the input \(content), which this command does not read", .take(.importFiles), file: error.file)
    }

    private mutating func loadFiles() throws {
        try common.requireOperator("ingest")
        try output.refuseExplanation()
        let plan = try InputPlan(paths: paths, kind: kind)
        if !plan.skipped.isEmpty {
            let names = plan.skipped.map { ($0 as NSString).lastPathComponent }.joined(separator: ", ")
            common.notice(
                "Skipped files whose names do not begin with a kind (such as events.csv or users.json): \(names)")
        }
        guard !plan.files.isEmpty else {
            throw HabitError(
                .inputNotFound,
                "no files to load in \(paths.joined(separator: ", ")): start file names with a kind (events-2026.csv), or pass --kind"
            )
        }
        _ = try output.chosenFormat()
        try common.protect(plan.files.compactMap(\.path), from: output.output, option: "output")
        try common.protect(
            plan.files.compactMap(\.path) + [output.output].compactMap(\.self), from: load.rejects, option: "rejects")
        _ = try common.clock()
        let report = RejectionReport(
            common, plan: plan, file: try load.rejects.map { try RejectsFile($0, sharing: output.access.sharing) })
        let bar = ProgressBar(isShown: !common.quiet && isatty(STDERR_FILENO) == 1)
        let loader = Loader(
            try options(),
            onRejection: {
                bar.clear()
                try report.add($0)
            }, onProgress: bar.show)
        let summary = try load(plan, by: loader, report: report, bar: bar)
        printNotices(summary)
        guard summary.rejected == 0 || load.maxRejects != nil else {
            throw HabitError(
                .rowsRejected,
                Self.sentence(summary, rejects: load.rejects, dryRun: load.dryRun)
            )
        }
    }

    /// Loads the inputs and shows the summary.
    ///
    /// The outputs are opened before the load and written before its commit. An output error rolls the load back.
    private func load(
        _ plan: InputPlan, by loader: Loader, report: RejectionReport, bar: ProgressBar
    ) throws -> LoadSummary {
        do {
            var summary = LoadSummary()
            try output.show(common, whenEmpty: "The input has no records.") { begin in
                let receiver = try begin(LoadSummary.shape)
                let engine = try engine()
                summary = try loader.load(plan, into: engine) { summary in
                    bar.clear()
                    try common.ignoringBrokenPipe {
                        try receiver.append(summary.rows)
                        try receiver.finish()
                    }
                    try report.finish()
                }
                // The connection of the load removes its files next to the store when it closes, so it is the last one.
                if let users = summary.counts[.users], users.inserted + users.updated > 0, !load.dryRun {
                    try engine.read { session in try common.warnAboutSharedAddresses(in: session) }
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
        let refused = summary.rejected == 1 ? "1 row was rejected" : "\(summary.rejected) rows were rejected"
        let stored = summary.stored > 0 ? "the others were stored" : "no row was stored"
        let others = dryRun ? "a dry run stores no rows" : stored
        let correction = rejects.map { file in "correct the rows in '\(file)' and load that file" }
        let remedy = correction ?? "pass --rejects FILE to write them to a file"
        return "\(refused), \(others): \(remedy)"
    }

    private func options() throws -> LoadOptions {
        var options = LoadOptions()
        options.format = from
        options.policy = load.onConflict
        options.nullIsland = nullIsland
        options.strictColumns = strictColumns
        options.allowsEmpty = allowEmpty
        options.isStrict = load.strict
        options.isDryRun = load.dryRun
        if table.isUsed {
            options.table = try table.tableOptions(acceptsAllFields: true)
            options.timeZone = try common.clock().timeZone
            options.createsHabits = table.createHabits
        }
        options.maxRejects = try load.maximumRejects()
        options.unpackLimit = try unpacking.limit
        return options
    }

    /// Returns the store.
    ///
    /// A dry run without a store uses a temporary one.
    private func engine() throws -> any Engine {
        guard load.dryRun, case .file(let path) = try common.storeLocation(),
            !FileManager.default.fileExists(atPath: path)
        else { return try common.open(.create) }
        return try SpatiaLiteEngine.temporary()
    }

    private func printNotices(_ summary: LoadSummary) {
        for (file, names) in summary.unknownFields {
            common.notice(
                "Ignored unknown columns in '\(file)': \(names.joined(separator: ", "))")
        }
        for column in summary.ignoredStatusColumns { common.notice(column.message) }
        if summary.notDone > 0 {
            common.notice(
                summary.notDone == 1
                    ? "1 row was not stored because its habit was not done."
                    : "\(summary.notDone) rows were not stored because their habits were not done.")
        }
        if summary.nullIslands > 0, nullIsland == .keep {
            let positions = summary.nullIslands == 1 ? "1 position is" : "\(summary.nullIslands) positions are"
            common.notice(
                "warning[null-island]: \(positions) 0,0: if 0,0 means an unknown position, load with --null-island null."
            )
        }
        common.printReplacedTexts(summary.replacedTexts)
    }
}

extension InputFormat {
    /// The names of all formats, for the help.
    fileprivate static let alternatives: String = {
        let names = allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + names.suffix(1).joined()
    }()
}
