import Base
import Geo
import HabitModel
import HabitStore
import StoreEngine

/// An import: it reads all inputs, applies the common rules and writes the records in one transaction.
///
/// The transaction commits completely or not at all. Posts are written while the inputs are read. Events are in memory
/// until all inputs are read, because the first event determines the start of a habit. They need about 300 bytes each, in
/// addition to their comments.
public final class ImportRun {
    let options: ImportOptions
    let onFinding: (ImportFinding) throws -> Void
    /// The summary of the entries read so far.
    public internal(set) var summary: ImportSummary
    var habits: ImportedHabits
    var events = ImportedEvents()
    var settings = Settings()
    let zone: TimeZoneRules
    let account: ImportAccount
    let plan: ImportPlan
    /// The indices of the inputs whose importers have added no notice with a remedy.
    private var unexplained: [Int] = []
    /// The values of each input that cannot be read.
    var unreadable: [UnreadableValues]
    /// The hashes of the IDs of the posts.
    var posts: Set<Int> = []
    /// The posts that wait to be written together, or until their positions are known.
    var waiting: [WaitingPost] = []
    var simultaneousWorkouts = SimultaneousEntries()
    var simultaneousVisits = SimultaneousEntries()
    /// The new habits whose events all belong to another user.
    var habitsOfOthers: Set<Int> = []

    struct WaitingPost {
        var record: PostRecord
        /// The photo if it is not yet in the record, because all posts wait for their positions.
        var photo: ImportedPhoto?
        var part: Int
        var source: SourceLocation
    }

    /// The number of records that are written together.
    static let batchSize = 256

    /// Creates an import.
    ///
    /// - Parameters:
    ///   - plan: The inputs to read, in order.
    ///   - options: The options of the import.
    ///   - account: The account that receives the records.
    ///   - onFinding: A closure that is called with each rejected entry, and with each skipped entry that has a note or
    ///     an amount. Its error ends the import.
    public init(
        _ plan: ImportPlan, _ options: ImportOptions, for account: ImportAccount,
        onFinding: @escaping (ImportFinding) throws -> Void
    ) {
        self.plan = plan
        self.options = options
        self.account = account
        self.onFinding = onFinding
        summary = ImportSummary(plan)
        unreadable = Array(repeating: UnreadableValues(), count: plan.parts.count)
        habits = ImportedHabits(account)
        zone = options.timeZone ?? account.zone
    }

    /// Reads the inputs and stores their records.
    ///
    /// - Parameters:
    ///   - engine: The engine of the store.
    ///   - beforeCommit: A closure that is called with the summary after all records are written. If the closure throws
    ///     an error, the import is rolled back.
    /// - Returns: The summary, after the commit or, in a dry run, after the rollback.
    /// - Throws: The error of a complete input, `rows-rejected` in a strict import, `too-many-rejects`, or the error of
    ///   `beforeCommit`. The store is then unchanged.
    public func run(into engine: any Engine, beforeCommit: (ImportSummary) throws -> Void) throws -> ImportSummary {
        var recorder: ImportRecorder?
        try commitRules.load(into: engine, policy: options.policy) { writer in
            recorder = try ImportRecorder(writer)
            try raiseLimits(writer)
            settings = try writer.settings
            try read(writer)
            try plan.verifyArchives()
            try finish(writer)
            noteEmptyInputs()
            noteSimultaneousEntries()
            noteUnreadableValues()
            return summary.count(.rejected)
        } beforeCommit: {
            try recorder?.record(recordedImport)
            try beforeCommit(summary)
        }
        return summary
    }

    /// The rules by which the transaction commits.
    private var commitRules: CommitRules {
        CommitRules(
            inputs: (one: "entry", several: "entries"),
            isStrict: options.isStrict,
            maxRejects: options.maxRejects,
            isDryRun: options.isDryRun)
    }

    /// The import as the store records it.
    private var recordedImport: RecordedImport {
        var recorded = RecordedImport(
            user: account.id,
            format: plan.formatNames,
            file: plan.inputNames,
            at: options.now)
        for kind in [RecordKind.habits, .events, .posts] {
            recorded.inserted[kind] = summary.count(.inserted, of: kind)
        }
        recorded.updated = summary.count(.updated)
        return recorded
    }

    /// Finds the limits that the texts of the inputs exceed, without a change of the store.
    ///
    /// The cost is one read of all inputs. Photos are not decoded.
    ///
    /// - Parameters:
    ///   - plan: The inputs to read.
    ///   - options: The options of the import.
    ///   - account: The account that receives the records.
    ///   - settings: The settings of the store.
    /// - Returns: The limits, which an import with the same options exceeds.
    /// - Throws: The error of a complete input.
    public static func exceededLimits(
        _ plan: ImportPlan, _ options: ImportOptions, for account: ImportAccount, settings: Settings
    ) throws -> [ImportSummary.ExceededLimit] {
        let run = ImportRun(plan, options, for: account) { _ in }
        run.settings = settings
        try run.read(nil)
        return run.summary.exceededLimits
    }

    /// Reads all inputs and receives their entries.
    ///
    /// - Parameter writer: The writer of posts, or `nil` to check only the texts of posts.
    /// - Throws: The error of a complete input, or the error of the receiver of findings.
    private func read(_ writer: RecordWriter?) throws {
        for (index, part) in plan.parts.enumerated() {
            habits.beginInput()
            let earlierExplanations = summary.explanationCount
            let importer = part.importer.init()
            try importer.records(of: part.input) { entry in
                try receive(entry, of: index, writer: writer)
            }
            if summary.explanationCount == earlierExplanations { unexplained.append(index) }
        }
    }

    /// Raises the limits of the options whose values exceed the stored ones.
    private func raiseLimits(_ writer: RecordWriter) throws {
        for setting in Setting.allCases {
            guard let value = options.raisedLimits[setting] else { continue }
            let stored = try writer.settings[setting]
            guard stored < value else { continue }
            try writer.setLimit(setting, to: value)
            let raised = ImportSummary.RaisedLimit(setting: setting, oldValue: stored, newValue: value)
            summary.raisedLimits.append(raised)
        }
    }

    /// Adds a notice with a remedy for each input without entries, unless the importer has already added one.
    private func noteEmptyInputs() {
        for part in unexplained where !summary.hasEntries(of: part) {
            let advice = importer(of: part).adviceIfEmpty
            summary.notices.append(ImportNotice("\(summary.name(of: part)): no entries", .advice(advice)))
        }
    }

    /// Adds the notices for the values that cannot be read.
    private func noteUnreadableValues() {
        for (part, values) in unreadable.enumerated() {
            summary.notices += values.notices(of: summary.name(of: part))
        }
    }

    /// Returns the importer that reads an input.
    func importer(of part: Int) -> any Importer.Type { plan.parts[part].importer }
}

extension HabitError {
    /// Whether the error makes the complete input unreadable.
    var isOfCompleteInput: Bool {
        switch code {
        case .internal, .archiveUnreadable, .inputUnreadable, .inputNotFound, .gzipTruncated, .jsonInvalid, .xmlInvalid,
            .versionNotKnown, .formatMismatch, .formatNotRecognised, .timeout, .busy:
            true
        default: false
        }
    }
}
