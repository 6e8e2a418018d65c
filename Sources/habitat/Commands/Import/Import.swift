import ArgumentParser
import Base
import Foundation
import HabitIngest
import HabitModel
import HabitStore
import StoreEngine

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import the exports of other apps.",
        discussion: """
            FILE is a file, a folder, a ZIP archive, or - for the standard input. The format is recognized from the \
            content. The formats are, in this order: \(Importers.formats.joined(separator: ", ")).

            Entries of habit trackers become events of habits. Visits, check-ins, waypoints and photos become posts. An \
            entry that is not done is not stored. The command shows the number of entries by file, kind and result, \
            with the reason for each skipped or rejected entry.

            The import is one transaction. If it fails or is interrupted, the store is unchanged. A repeated import of \
            the same file changes nothing. A newer export adds and updates records. A local time without a time zone is \
            in the zone of --time-zone, otherwise in the time zone of the user.

            The operator names the user with --user. A user (--as) can import only into the user's own account. The \
            command does not create users.

            The exit status is 65 if entries were rejected, unless you pass --max-rejects. --rejects writes the \
            rejected entries, and the skipped entries that have a note or an amount, to a file. Correct the rows and \
            load the file with 'habitat ingest'.

            If texts are longer than the store allows, the command asks on a terminal whether to raise the limits. \
            --raise-limits raises them before the first record is stored, and --keep-limits rejects these entries. An \
            event whose habit is rejected is counted in the line of the habit.

            The store records each import that changes records. --runs lists the imports. --undo ID deletes the records \
            that an import has inserted and that have not changed since. Records that have changed since, and records \
            that the import has updated, stay and are counted. Raised limits stay.

            Examples:
              habitat import sample-data/imports/harsh --user alice --dry-run
              habitat import sample-data/imports/harsh --user alice --rejects refused.csv
            """)

    @Argument(
        help: ArgumentHelp("Files and folders to import; - is the standard input.", valueName: "file"),
        completion: .file())
    var paths: [String] = []
    @OptionGroup var runs: ImportRunOptions
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("ID of the user who receives the records, or 'me'.", valueName: "id"),
        completion: .user)
    var user: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Format of the files (default: recognized from the content).", valueName: "format"),
        completion: .list(Importers.formats))
    var from: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("CSV: kind of the records (default: events).", valueName: "kind"))
    var kind: Kind?
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Track with the missing positions of records; repeatable.", valueName: "track"), completion: .file())
    var placesFrom: [String] = []
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Recorded tracks: none (skipped) or events (default: none).", valueName: "what"))
    var tracks = TrackPolicy.none
    @Flag(help: "Reject photos that are too large instead of converting them to smaller ones.")
    var noShrinkPhoto = false
    @OptionGroup var table: TableFormatOptions
    @OptionGroup var load: LoadPolicyOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var unpacking: UnpackOption
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Policy for positions at 0,0: null, keep or reject (default: null).", valueName: "what"))
    var nullIsland = NullIslandPolicy.null
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    enum TrackPolicy: String, ExpressibleByArgument, CaseIterable { case none, events }
    enum Kind: String, ExpressibleByArgument, CaseIterable { case events, posts }

    func validate() throws {
        try runs.validate(paths: paths)
        guard runs.undo == nil || user == nil else {
            throw ValidationError("--undo needs no user: omit --user")
        }
    }

    func run() throws {
        let user = try user.map(common.accountID)
        if runs.runs { return try runs.list(of: user, output: output, common: common) }
        if let id = runs.undo { return try runs.undo(id, output: output, common: common) }
        try output.refuseExplanation()
        _ = try output.chosenFormat()
        let account = try accountID(user)
        try limits.check(common)
        var options = try options(for: account)
        let files = paths.filter { $0 != "-" } + placesFrom
        try common.protect(files, from: output.output, option: "output")
        try common.protect(files + [output.output].compactMap(\.self), from: load.rejects, option: "rejects")
        let plan = try ImportPlan(paths: paths, options: options)
        try plan.checkOutcomeWords(options)
        printSkippedFiles(plan)
        let engine = try common.open(.write)
        let receiver = try engine.read { session in try ImportAccount(account, in: session) }
        options.raisedLimits = try limits.raisedLimits(
            for: plan, options: options, account: receiver, in: engine, common: common)
        let report = ImportReport(
            common, file: try load.rejects.map { try RejectsFile($0, sharing: output.access.sharing) })
        let run = ImportRun(plan, options, for: receiver, onFinding: report.add)
        do {
            let summary = try importRecords(run, into: engine, report: report)
            report.printNotices(summary, isDryRun: load.dryRun)
            guard summary.count(.rejected) == 0 || load.maxRejects != nil else {
                throw HabitError(.rowsRejected, sentence(summary))
            }
        } catch let error as HabitError
            where Self.rejectionCodes.contains(error.code) && !run.summary.exceededLimits.isEmpty
        {
            // The lines of the limits follow the error.
            common.report.write(error)
            report.printExceededLimits(run.summary)
            throw ExitCode(error.code.exitStatus)
        }
        report.printExceededLimits(run.summary)
    }

    /// The codes of the errors of an import with rejected entries.
    private static let rejectionCodes: [ErrorCode] = [.rowsRejected, .tooManyRejects]

    private func printSkippedFiles(_ plan: ImportPlan) {
        guard !plan.skipped.isEmpty else { return }
        let names = plan.skipped.prefix(20).joined(separator: ", ")
        common.notice(
            "Skipped files that the recognized formats do not contain: \(names)\(plan.skipped.count > 20 ? ", …" : "")")
    }

    /// Runs the import and shows the summary.
    ///
    /// The outputs are opened before the import and written before its commit. An output error rolls the import back.
    private func importRecords(
        _ run: ImportRun, into engine: any Engine, report: ImportReport
    ) throws -> ImportSummary {
        do {
            var summary: ImportSummary?
            try output.show(common, whenEmpty: "The input has no entries.") { begin in
                let receiver = try begin(ImportSummary.shape)
                summary = try run.run(into: engine) { summary in
                    try common.ignoringBrokenPipe {
                        try receiver.append(summary.rows)
                        try show(summary, receiver)
                        try receiver.finish()
                    }
                    try report.finish()
                }
            }
            guard let summary else { throw HabitError(.internal, "the import has no summary") }
            return summary
        } catch let error as HabitError where Self.rejectionCodes.contains(error.code) {
            // The file of rejected entries is written if these entries made the import fail.
            try report.finish()
            throw error
        }
    }

    /// Shows the first records of an import that stores nothing, in a text before the summary.
    private func show(_ summary: ImportSummary, _ receiver: RowReceiver) throws {
        guard load.dryRun, try output.chosenFormat() == .text else { return }
        var hasPreview = false
        for kind in [RecordKind.habits, .events, .posts] {
            let options = try output.renderOptions(single: false)
            guard let table = summary.previewTable(of: kind, isForPeople: !options.plain) else { continue }
            let name = "\(kind.rawValue.prefix(1).uppercased())\(kind.rawValue.dropFirst())"
            let count = max(table.rows.count, summary.recordCount(of: kind))
            let shown = count > table.rows.count ? "\(table.rows.count) of \(count) rows" : "all rows"
            try receiver.appendTable(
                table.rows, table.shape, options: options,
                title: options.plain ? nil : "\(name) (\(shown))")
            hasPreview = true
        }
        if hasPreview, try !output.renderOptions(single: false).plain { receiver.addTitle("Summary") }
    }

    private func sentence(_ summary: ImportSummary) -> String {
        let rejected = summary.count(.rejected)
        let refused = rejected == 1 ? "1 entry was rejected" : "\(rejected) entries were rejected"
        let stored = summary.count(.inserted) + summary.count(.updated)
        let outcome = stored > 0 ? "the others were stored" : "no record was stored"
        let others = load.dryRun ? "a dry run stores nothing" : outcome
        let correction = load.rejects.map { file in
            "correct the rows in '\(file)' and load that file with 'habitat ingest'"
        }
        let remedy = correction ?? "pass --rejects FILE to write them to a file"
        return "\(refused), \(others): \(remedy)"
    }

    // MARK: Options

    /// Returns the ID of the user who receives the records.
    ///
    /// - Parameter user: The user that the option names, or `nil`.
    /// - Returns: The ID.
    /// - Throws: `usage` if no user is named, and the errors of the acting user.
    private func accountID(_ user: String?) throws -> String {
        guard let actingUser = try common.actingUserID() else {
            if let user, !user.isEmpty { return user }
            throw HabitError(
                .usage, "the user who receives the records is missing: pass --user ID, or --as ID", field: "user")
        }
        guard !actingUser.isEmpty else {
            throw HabitError(.notSignedIn, "the user ID is empty", field: "as", .signIn)
        }
        guard user == nil || user == actingUser else {
            throw HabitError(
                .notYours, "users can import only into their own accounts", field: "user", .omit(.user), .actAsOperator)
        }
        return actingUser
    }

    private func options(for user: String) throws -> ImportOptions {
        var options = ImportOptions()
        options.user = user
        options.format = from
        let clock = try common.clock()
        options.timeZone = clock.timeZone
        options.now = clock.now
        options.policy = load.onConflict
        options.nullIsland = nullIsland
        options.tracks = placesFrom
        options.createsTrackEvents = tracks == .events
        options.shrinksPhotos = !noShrinkPhoto
        options.createsHabits = table.createHabits
        options.kind = kind == .posts ? .posts : .events
        options.table = try table.tableOptions(acceptsAllFields: false)
        options.isStrict = load.strict
        options.maxRejects = try load.maximumRejects()
        options.unpackLimit = try unpacking.limit
        options.isDryRun = load.dryRun
        return options
    }
}
