import HabitModel
import HabitStore
import StoreEngine

/// Reads inputs and writes their records, all in one transaction: a load is in the store as a whole, or not at all.
///
/// Memory does not grow with the inputs, but for one bit a row, and about 50 bytes an event: of a first load those that come, of
/// one in which most come again those that are stored.
public final class Loader {
    private let options: LoadOptions
    private let onRejection: (Rejection) throws -> Void
    private let onProgress: (LoadProgress) -> Void
    private var summary = LoadSummary()
    private var decoder: RecordDecoder
    /// Rows that another row, further on, may make acceptable: tried again at the end, so that the order does not matter.
    private var deferred: [Deferred] = []
    private var refused = RefusedRecords(isOrdered: true)

    private struct Deferred {
        var raw: RawRecord
        var record: Record
        var file: String
        var error: HabitError
    }

    /// So many rows may wait; those beyond are refused at once, since memory must not grow with the input.
    private static let deferredLimit = 10_000
    private static let deferrable: Set<ErrorCode> = [.unknownReference, .eventExists, .itemAlreadyClaimed]

    public init(
        _ options: LoadOptions, onRejection: @escaping (Rejection) throws -> Void,
        onProgress: @escaping (LoadProgress) -> Void = { _ in }
    ) {
        self.options = options
        self.onRejection = onRejection
        self.onProgress = onProgress
        decoder = RecordDecoder(nullIsland: options.nullIsland)
    }

    /// `beforeCommit` gets the summary when all is written and nothing is final: its error undoes the load.
    ///
    /// Throws what makes the whole load impossible, the store then being as it was: an input that cannot be read,
    /// `rows-rejected` in a strict load, `too-many-rejects`.
    public func load(
        _ plan: InputPlan, into engine: any Engine, beforeCommit: (LoadSummary) throws -> Void = { _ in }
    ) throws -> LoadSummary {
        refused = RefusedRecords(isOrdered: plan.files.allSatisfy { $0.kind != nil })
        do {
            try engine.load(policy: options.policy) { writer in
                decoder.settings = writer.settings
                let sizes = plan.files.map(\.size)
                var bytesInFollowingFiles = Dictionary(zip(plan.files.map(\.kind), sizes), uniquingKeysWith: &+)
                for (file, size) in zip(plan.files, sizes) {
                    bytesInFollowingFiles[file.kind, default: 0] &-= size
                    try load(file, bytesInFollowingFiles: bytesInFollowingFiles[file.kind] ?? 0, writer)
                }
                try loadDeferred(writer)
            } beforeCommit: { session in
                summary.nullIslands = decoder.nullIslandCount
                try checkRejections()
                if !options.isDryRun { try session.flush() }
                try beforeCommit(summary)
                if options.isDryRun { throw DryRunRollback() }
            }
        } catch is DryRunRollback {
            // Undone, as was asked for.
        }
        return summary
    }

    private struct DryRunRollback: Error {}

    /// - Parameter bytesInFollowingFiles: The size of the following files of the same kind.
    private func load(_ file: InputFile, bytesInFollowingFiles: Int, _ writer: RecordWriter) throws {
        let source =
            try file.path.map { try ByteSource(path: $0, onlyRegularFile: file.isFolderMember) }
            ?? ByteSource(fileDescriptor: 0, name: file.name)
        var readerOptions = ReaderOptions(kind: file.kind, format: options.format)
        readerOptions.strictColumns = options.strictColumns
        readerOptions.allowsEmpty = options.allowsEmpty
        let reader = try openReader(source, readerOptions)
        try checkHeader(reader.header, file)
        let photos = PhotoSource(folder: file.folder)
        var progress = LoadProgress(
            file: file.name, bytesTotal: source.totalBytes, bytesInFollowingFiles: bytesInFollowingFiles)
        if let kind = file.kind, summary.counts[kind] == nil { summary.counts[kind] = .init() }
        try run(
            fill: { try fill($0, reader, source, photos) },
            take: { rows in
                try writer.withPrefetch(rows.decoded, estimatedRemaining: progress.estimatedRemainingRows) {
                    for index in 0..<rows.count { try take(rows, index, file, writer) }
                }
                progress.rows += rows.count
                progress.bytesRead = rows.bytesRead
                onProgress(progress)
            }, inParallel: file.kind != nil && file.kind != .settings)
        if !reader.unknownFields.isEmpty { summary.unknownFields.append((file.name, reader.unknownFields)) }
    }

    /// Reads and checks rows while those before them are written; one after the other where a row may change how the next
    /// ones are checked.
    private func run(fill: (InputRows) throws -> Bool, take: (InputRows) throws -> Void, inParallel: Bool) throws {
        if inParallel { return try Pipeline(depth: 4) { InputRows(capacity: 256) }.run(fill: fill, take: take) }
        let row = InputRows(capacity: 1)
        while true {
            let goesOn = try fill(row)
            try take(row)
            guard goesOn else { return }
        }
    }

    /// Returns false where the input has ended.
    private func fill(
        _ rows: InputRows, _ reader: any RecordReader, _ source: ByteSource, _ photos: PhotoSource
    ) throws -> Bool {
        rows.count = 0
        defer { rows.bytesRead = source.consumedBytes }
        while rows.count < rows.records.count {
            let place = rows.count
            switch try reader.next(into: &rows.records[place]) {
            case .end: return false
            case .rejected(let problem): rows.outcomes[place] = .refused(problem)
            case .record:
                do throws(HabitError) {
                    let record = try decoder.decode(rows.records[place], photos: photos)
                    rows.outcomes[place] = record.map { .decoded($0) } ?? .notDone
                } catch {
                    rows.outcomes[place] = .invalid(error)
                }
            }
            rows.count += 1
        }
        return true
    }

    private func take(_ rows: InputRows, _ index: Int, _ file: InputFile, _ writer: RecordWriter) throws {
        switch rows.outcomes[index] {
        case .refused(let problem):
            try reject(
                Rejection(
                    file: file.name, line: problem.line, column: problem.column, field: problem.field,
                    code: problem.code, reason: problem.reason, kind: problem.kind ?? file.kind,
                    original: problem.original))
        case .invalid(let error): try reject(rows.records[index], file.name, error)
        case .notDone: summary.notDone += 1
        case .decoded(let record):
            guard let error = try write(record, rows.records[index].kind, writer) else {
                return refused.use(record)
            }
            try postpone(rows.records[index], record, file, error)
        }
    }

    /// A column that every record needs and the header lacks is one error, and not one for each row.
    private func checkHeader(_ header: [String], _ file: InputFile) throws {
        guard let kind = file.kind, !header.isEmpty else { return }
        let fields = Set(header.compactMap { Field(spelling: $0, in: kind) })
        for choices in kind.requiredFields where fields.isDisjoint(with: choices) {
            let missing = choices.map(\.name).joined(separator: " or ")
            throw HabitError(
                .headerInvalid,
                "\(kind.rawValue) need a column \(missing), and the header has only \(header.joined(separator: ", "))",
                field: choices.first?.name, file: file.name, line: 1)
        }
    }

    /// Keeps a record that broke a rule for the end, or refuses it where that is of no use.
    private func postpone(_ raw: RawRecord, _ record: Record, _ file: InputFile, _ error: HabitError) throws {
        guard Self.deferrable.contains(error.code), deferred.count < Self.deferredLimit, !refused.isFinal(record) else {
            return try reject(raw, file.name, error)
        }
        refused.postpone(record)
        deferred.append(Deferred(raw: raw, record: record, file: file.name, error: error))
    }

    /// Writes what waits, again and again, until that makes nothing more acceptable.
    private func loadDeferred(_ writer: RecordWriter) throws {
        var waiting = deferred
        deferred = []
        while true {
            var rest: [Deferred] = []
            for var row in waiting {
                guard let error = try write(row.record, row.raw.kind, writer) else {
                    refused.resume(row.record)
                    continue
                }
                row.error = error
                rest.append(row)
            }
            let isDone = rest.count == waiting.count
            waiting = rest
            if isDone { break }
        }
        for row in waiting { try reject(row.raw, row.file, row.error) }
    }

    /// Gives the error of a record that breaks a rule; throws every other.
    private func write(_ record: Record, _ kind: RecordKind, _ writer: RecordWriter) throws -> HabitError? {
        if let error = refused.error(of: record) { return error }
        do {
            let outcome = try writer.write(record)
            // What comes with settings is from a store that may have had others when its texts were written.
            if kind == .settings { decoder.settings = writer.settings.atLeastStandard }
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

    private func reject(_ raw: RawRecord, _ file: String, _ error: HabitError) throws {
        let field = error.field.flatMap(Field.init(named:))
        try reject(
            Rejection(
                file: file, line: field.map(raw.line(of:)) ?? raw.line, column: field.flatMap(raw.column(of:)),
                field: error.field, code: error.code, reason: error.plainText, kind: raw.kind, raw: raw,
                original: raw.original))
        try refused.refuse(raw)
    }

    private func reject(_ rejection: Rejection) throws {
        if let kind = rejection.kind {
            summary.counts[kind, default: .init()].rejected += 1
        } else {
            summary.rejectedOfNoKind += 1
        }
        try onRejection(rejection)
    }

    private func checkRejections() throws {
        let count = summary.rejected
        if options.isStrict, count > 0 {
            throw HabitError(
                .rowsRejected, "\(count) rows were refused, so nothing was stored", .advice("correct them"),
                .omit(.strict))
        }
        if let limit = options.maxRejects, count > limit {
            throw HabitError(
                .tooManyRejects,
                "\(count) rows were refused, and at most \(limit) were allowed, so nothing was stored: correct them")
        }
    }
}
