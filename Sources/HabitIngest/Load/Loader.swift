import Base
import HabitModel
import HabitStore
import StoreEngine

/// A loader that reads inputs and writes their records in one transaction, which commits completely or not at all.
///
/// Memory use does not grow with the size of the inputs, except for one bit per row and about 50 bytes per event. In an
/// initial load, these are the events of the inputs. If most records are already stored, these are the stored events.
public final class Loader {
    private let options: LoadOptions
    private let onRejection: (Rejection) throws -> Void
    private let onProgress: (LoadProgress) -> Void
    private var summary = LoadSummary()
    private var decoder: RecordDecoder
    /// Rejected rows that can become valid after a later row is stored.
    ///
    /// They are tried again at the end, so that the order does not matter.
    private var deferred: [Deferred] = []
    /// Whether an input is a table with a column of outcomes.
    private var hasOutcomeColumn = false
    private var rejectedRecords = RejectedRecords(isOrdered: true)
    /// The habits by title, if the inputs are tables of other programs.
    private var titles: HabitTitles?
    /// The time zones of local times, if the inputs are tables of other programs.
    private var zones = RowZones(nil)

    private struct Deferred {
        var raw: RawRecord
        var record: Record
        var file: String
        var error: HabitError
    }

    /// The maximum number of deferred rows, because memory use must not grow with the input.
    ///
    /// Further rows are rejected.
    private static let deferredLimit = 10_000
    /// The errors that a later row may resolve.
    private static let deferrable: Set<ErrorCode> = [.unknownReference, .eventExists, .itemAlreadyClaimed]

    /// Creates a loader for one load.
    ///
    /// - Parameters:
    ///   - options: The options of the load.
    ///   - onRejection: A closure that is called with each rejected row. Its error ends the load.
    ///   - onProgress: A closure that is called after each batch of rows.
    public init(
        _ options: LoadOptions, onRejection: @escaping (Rejection) throws -> Void,
        onProgress: @escaping (LoadProgress) -> Void = { _ in }
    ) {
        self.options = options
        self.onRejection = onRejection
        self.onProgress = onProgress
        decoder = RecordDecoder(nullIsland: options.nullIsland)
    }

    /// Reads the inputs and stores their records.
    ///
    /// If the load fails, the store is unchanged.
    ///
    /// - Parameters:
    ///   - plan: The inputs to read, in order.
    ///   - engine: The engine of the store.
    ///   - beforeCommit: A closure that is called with the summary after all records are written. If the closure throws
    ///     an error, the load is rolled back.
    /// - Returns: The summary of the load, after the commit or, in a dry run, after the rollback.
    /// - Throws: The error of an input that cannot be read, `rows-rejected` in a strict load, `too-many-rejects`, or
    ///   the error of `beforeCommit`.
    public func load(
        _ plan: InputPlan, into engine: any Engine, beforeCommit: (LoadSummary) throws -> Void = { _ in }
    ) throws -> LoadSummary {
        let areAllOfOneKind = plan.files.allSatisfy { file in file.kind != nil }
        rejectedRecords = RejectedRecords(isOrdered: areAllOfOneKind)
        if options.table != nil {
            try engine.read { session in try readHabits(in: session) }
        }
        let rules = CommitRules(
            inputs: ("row", "rows"), isStrict: options.isStrict, maxRejects: options.maxRejects,
            isDryRun: options.isDryRun)
        try rules.load(into: engine, policy: options.policy) { writer in
            decoder.settings = try writer.settings
            let sizes = plan.files.map(\.size)
            var bytesInFollowingFiles = Dictionary(zip(plan.files.map(\.kind), sizes), uniquingKeysWith: &+)
            for (file, size) in zip(plan.files, sizes) {
                bytesInFollowingFiles[file.kind, default: 0] &-= size
                try load(file, bytesInFollowingFiles: bytesInFollowingFiles[file.kind] ?? 0, writer)
            }
            if options.table?.words.isEmpty == false, !hasOutcomeColumn { throw TableOptions.unusedWords }
            try loadDeferred(writer)
            summary.nullIslands = decoder.nullIslandCount
            summary.replacedTexts = decoder.replacedTextCount
            return summary.rejected
        } beforeCommit: {
            try beforeCommit(summary)
        }
        return summary
    }

    /// Reads the habits and, unless the options specify it, the time zones of their users.
    private func readHabits(in session: any Session) throws {
        let titles = try HabitTitles(in: session)
        self.titles = titles
        zones = try options.timeZone.map { RowZones($0) } ?? RowZones(titles: titles, in: session)
    }

    /// Loads the records of one input.
    ///
    /// - Parameters:
    ///   - file: The input to read.
    ///   - bytesInFollowingFiles: The total size of the following files of the same kind, in bytes.
    ///   - writer: The writer of the records.
    /// - Throws: The errors of ``openReader(_:_:)`` and of the reader. `header-invalid` if the header lacks a required
    ///   column. `rows-rejected` if a rejected record follows rows that refer to it. `too-many-rejects` if too many
    ///   users, habits and items are rejected. The error of `onRejection`, or an error of the engine.
    private func load(_ file: InputFile, bytesInFollowingFiles: Int, _ writer: RecordWriter) throws {
        let source = try source(of: file, options.unpackLimit)
        let reader = try reader(of: file, source)
        try checkHeader(reader.header, file)
        if Self.hasOutcomes(reader.header, file.kind) { hasOutcomeColumn = true }
        let photos = PhotoSource(folder: file.folder)
        var progress = LoadProgress(
            file: file.name, bytesTotal: source.totalBytes, bytesInFollowingFiles: bytesInFollowingFiles)
        if let kind = file.kind, summary.counts[kind] == nil { summary.counts[kind] = .init() }
        try run(
            fill: { rows in try fill(rows, from: reader, source: source, photos: photos) },
            process: { rows in
                try writer.withPrefetch(rows.decoded, estimatedRemaining: progress.estimatedRemainingRows) {
                    for index in 0..<rows.count {
                        try process(rows, at: index, of: file, by: writer)
                    }
                }
                progress.rows += rows.count
                progress.bytesRead = rows.bytesRead
                onProgress(progress)
            }, inParallel: file.kind != nil && file.kind != .settings)
        if !reader.unknownFields.isEmpty { summary.unknownFields.append((file.name, reader.unknownFields)) }
        if let column = reader.ignoredColumn { summary.ignoredStatusColumns.append(column) }
    }

    /// Opens a reader of an input, which decides the meaning of the column `status`.
    private func reader(of file: InputFile, _ source: ByteSource) throws -> StatusColumnReader {
        var readerOptions = ReaderOptions(kind: file.kind, format: options.format)
        readerOptions.strictColumns = options.strictColumns
        readerOptions.allowsEmpty = options.allowsEmpty
        readerOptions.table = options.table
        readerOptions.zones = zones
        // The limit counts the bytes of a second reading again, so it has its own.
        let limit = UnpackLimit(options.unpackLimit.limit)
        let reopen = { [readerOptions] in try openReader(try self.source(of: file, limit), readerOptions) }
        return StatusColumnReader(
            try openReader(source, readerOptions), file: file.name, isStrict: options.strictColumns,
            reopen: canReopen(file, source) ? reopen : nil)
    }

    /// Opens an input at its beginning.
    private func source(of file: InputFile, _ limit: UnpackLimit) throws -> ByteSource {
        guard let path = file.path else { return try ByteSource(fileDescriptor: 0, name: file.name, limit: limit) }
        return try ByteSource(path: path, onlyRegularFile: file.isFolderMember, limit: limit)
    }

    /// Whether an input can be opened again, which a pipe cannot.
    private func canReopen(_ file: InputFile, _ source: ByteSource) -> Bool {
        file.path != nil && source.totalBytes != nil
    }

    /// Whether a table has a column of outcomes, in which the words of the options have a meaning.
    private static func hasOutcomes(_ header: [String], _ kind: RecordKind?) -> Bool {
        guard kind == nil || kind == .events else { return false }
        return header.contains { name in
            let field = Field(spelling: name, in: .events)
            return field == .outcome || field == .status
        }
    }

    /// Calls `fill` and `process` alternately until `fill` returns `false`.
    ///
    /// If `inParallel` is `true`, the next rows are read and checked on another thread while the writer stores the
    /// previous rows. Pass `false` if a row can change how the next rows are checked.
    private func run(fill: (InputRows) throws -> Bool, process: (InputRows) throws -> Void, inParallel: Bool) throws {
        if inParallel { return try Pipeline(depth: 4) { InputRows(capacity: 256) }.run(fill: fill, process: process) }
        let row = InputRows(capacity: 1)
        while true {
            let goesOn = try fill(row)
            try process(row)
            guard goesOn else { return }
        }
    }

    /// Fills a batch.
    ///
    /// Returns `false` at the end of the input.
    private func fill(
        _ rows: InputRows, from reader: any RecordReader, source: ByteSource, photos: PhotoSource
    ) throws -> Bool {
        rows.count = 0
        defer { rows.bytesRead = source.consumedBytes }
        var photoBytes = 0
        while rows.count < rows.records.count, photoBytes < InputRows.photoByteLimit {
            let index = rows.count
            switch try reader.next(into: &rows.records[index]) {
            case .end: return false
            case .rejected(let problem): rows.outcomes[index] = .rejected(problem)
            case .record:
                do throws(HabitError) {
                    let record = try decoder.decode(rows.records[index], photos: photos)
                    photoBytes += record?.photo?.bytes.count ?? 0
                    rows.outcomes[index] = record.map { .decoded($0) } ?? .notDone
                } catch {
                    rows.outcomes[index] = .invalid(error)
                }
            }
            rows.count += 1
        }
        return true
    }

    private func process(
        _ rows: InputRows, at index: Int, of file: InputFile, by writer: RecordWriter
    ) throws {
        switch rows.outcomes[index] {
        case .rejected(let problem):
            try reject(
                Rejection(
                    file: file.name, line: problem.line, column: problem.column, field: problem.field,
                    code: problem.code, reason: problem.reason, kind: problem.kind ?? file.kind,
                    original: problem.original))
        case .invalid(let error): try reject(rows.records[index], of: file.name, because: error)
        case .notDone: summary.notDone += 1
        case .decoded(let record):
            guard let error = try write(record, of: rows.records[index].kind, by: writer) else {
                return rejectedRecords.use(record)
            }
            try postpone(rows.records[index], as: record, of: file, because: error)
        }
    }

    /// Throws one error, instead of an error for each row, if the header lacks a required column.
    private func checkHeader(_ header: [String], _ file: InputFile) throws {
        guard let kind = file.kind, !header.isEmpty else { return }
        let fields = Set(header.compactMap { Field(spelling: $0, in: kind) })
        for choices in kind.requiredFields where fields.isDisjoint(with: choices) {
            let missing = choices.map(\.name).joined(separator: " or ")
            throw HabitError(
                .headerInvalid, "the header has no column \(missing), which \(kind.rawValue) require",
                field: choices.first?.name,
                .advice("add it (columns found: \(header.joined(separator: ", ")))"), .give(.column),
                file: file.name, line: 1)
        }
    }

    /// Defers a record that broke a rule, or rejects it if no later row can resolve the error.
    private func postpone(
        _ raw: RawRecord, as record: Record, of file: InputFile, because error: HabitError
    ) throws {
        let canBeResolved = Self.deferrable.contains(error.code) && !rejectedRecords.isFinal(record)
        guard canBeResolved, deferred.count < Self.deferredLimit else {
            return try reject(raw, of: file.name, because: error)
        }
        rejectedRecords.postpone(record)
        deferred.append(Deferred(raw: raw, record: record, file: file.name, error: error))
    }

    /// Writes the deferred rows repeatedly until a pass writes no further row.
    private func loadDeferred(_ writer: RecordWriter) throws {
        var waiting = deferred
        deferred = []
        while true {
            var rest: [Deferred] = []
            for var row in waiting {
                guard let error = try write(row.record, of: row.raw.kind, by: writer) else {
                    rejectedRecords.resume(row.record)
                    continue
                }
                row.error = error
                rest.append(row)
            }
            let isDone = rest.count == waiting.count
            waiting = rest
            if isDone { break }
        }
        for row in waiting {
            try reject(row.raw, of: row.file, because: row.error)
        }
    }

    /// Returns the error of a record that breaks a rule, or `nil` after a write.
    ///
    /// Throws all other errors.
    private func write(
        _ record: Record, of kind: RecordKind, by writer: RecordWriter
    ) throws -> HabitError? {
        if let error = rejectedRecords.error(of: record) { return error }
        do {
            let outcome = try writeResolving(record, writer)
            // Texts in a file with settings come from a store that may have had other limits when the texts were
            // written.
            if kind == .settings { decoder.settings = try writer.settings.atLeastStandard }
            switch outcome {
            case .inserted: summary.counts[kind, default: .init()].inserted += 1
            case .updated: summary.counts[kind, default: .init()].updated += 1
            case .unchanged: summary.counts[kind, default: .init()].unchanged += 1
            }
            return nil
        } catch let error as HabitError where error.code != .internal {
            return error
        }
    }

    /// Writes a record.
    ///
    /// The event of a table of another program may contain the title of its habit instead of the ID.
    private func writeResolving(_ record: Record, _ writer: RecordWriter) throws -> WriteOutcome {
        do {
            return try writer.write(record)
        } catch let error as HabitError where error.code == .unknownReference && error.field == Field.habit.name {
            guard case .event(var event) = record, titles != nil else { throw error }
            if let id = titles?.id(of: event.habit, user: event.user) {
                event.habit = id
            } else if options.createsHabits, let user = event.user, let habit = titles?.create(event.habit, user: user)
            {
                let title = try TextRule.title.check(habit.title, writer.settings)
                let created = HabitRecord(id: habit.id, user: user, title: title, schedule: .everyDay)
                let outcome = try writer.write(.habit(created))
                if outcome == .inserted {
                    summary.counts[.habits, default: .init()].inserted += 1
                }
                event.habit = habit.id
            } else {
                throw missingHabit(of: event, error)
            }
            return try writer.write(.event(event))
        }
    }

    /// Returns the error of an event whose habit does not exist and is not created.
    private func missingHabit(of event: EventRecord, _ error: HabitError) -> HabitError {
        let problem = "the habit '\(event.habit.excerpt)' does not exist"
        if !options.createsHabits {
            return HabitError(
                error.code, problem, field: error.field, .advice("load it first or correct its name"),
                .give(.createHabits))
        }
        guard event.user == nil else { return error }
        return HabitError(
            error.code, "\(problem), and a new habit requires a user", field: Field.user.name,
            .advice("add the column 'user'"))
    }

    private func reject(_ raw: RawRecord, of file: String, because error: HabitError) throws {
        let field = error.field.flatMap(Field.init(named:))
        try reject(
            Rejection(
                file: file, line: field.map(raw.line(of:)) ?? raw.line, column: field.flatMap(raw.column(of:)),
                field: error.field, code: error.code, reason: error.plainText, parameters: error.parameters,
                kind: raw.kind, raw: raw, original: raw.original, error: Self.withRemediesOfLoad(error)))
        try rejectedRecords.add(raw)
    }

    /// Returns an error with only the remedies that the options of a load and the fields of a record offer.
    private static func withRemediesOfLoad(_ error: HabitError) -> HabitError {
        var error = error
        error.remedies = error.remedies.compactMap { remedy in
            switch remedy {
            case .give(.decimal), .give(.dateFormat), .give(.timeZone), .give(.outcomeWord), .give(.createHabits):
                remedy
            default: remedy.plainWords.map { words in .advice(words) }
            }
        }
        return error
    }

    private func reject(_ rejection: Rejection) throws {
        if let kind = rejection.kind {
            summary.counts[kind, default: .init()].rejected += 1
        } else {
            summary.rejectedOfNoKind += 1
        }
        try onRejection(rejection)
    }
}
