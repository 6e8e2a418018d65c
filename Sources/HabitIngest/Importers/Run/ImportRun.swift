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
    private var unreadable: [UnreadableValues]
    /// The hashes of the IDs of the posts.
    private var posts: Set<Int> = []
    /// The posts that wait to be written together, or until their positions are known.
    private var waiting: [WaitingPost] = []
    var simultaneousWorkouts = SimultaneousEntries()
    var simultaneousVisits = SimultaneousEntries()
    /// The new habits whose events all belong to another user.
    private var habitsOfOthers: Set<Int> = []

    struct WaitingPost {
        var record: PostRecord
        /// The photo if it is not yet in the record, because all posts wait for their positions.
        var photo: ImportedPhoto?
        var part: Int
        var source: SourceLocation
    }

    private static let batchSize = 256

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
        let rules = CommitRules(
            inputs: ("entry", "entries"), isStrict: options.isStrict, maxRejects: options.maxRejects,
            isDryRun: options.isDryRun)
        var recorder: ImportRecorder?
        try rules.load(into: engine, policy: options.policy) { writer in
            recorder = try ImportRecorder(writer)
            try raiseLimits(writer)
            settings = try writer.settings
            try read(writer)
            try plan.verifyArchives()
            try finish(writer)
            noteEmptyInputs()
            noteSimultaneousEntries()
            for (part, values) in unreadable.enumerated() {
                summary.notices += values.notices(of: summary.name(of: part))
            }
            return summary.count(.rejected)
        } beforeCommit: {
            try recorder?.record(recordedImport)
            try beforeCommit(summary)
        }
        return summary
    }

    /// The import as the store records it.
    private var recordedImport: RecordedImport {
        var recorded = RecordedImport(
            user: account.id, format: plan.formatNames, file: plan.inputNames, at: options.now)
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
        for (part, input) in plan.parts.enumerated() {
            habits.beginInput()
            let explanations = summary.explanationCount
            try input.importer.init().records(of: input.input) { entry in
                try receive(entry, input.importer, part, writer)
            }
            if summary.explanationCount == explanations { unexplained.append(part) }
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
            summary.notices.append(
                ImportNotice(
                    "\(summary.name(of: part)): no entries", .advice(plan.parts[part].importer.adviceIfEmpty)))
        }
    }

    // MARK: Entries

    private func receive(
        _ entry: ImportEntry, _ importer: any Importer.Type, _ part: Int, _ writer: RecordWriter?
    ) throws {
        switch entry {
        case .habit(let draft): _ = try add(draft, importer, part, isImplied: false)
        case .event(let draft): try add(draft, importer, part)
        case .post(let draft): try add(draft, importer, part, writer)
        case .skipped(let entry): try skip(entry, part)
        case .rejected(let entry): try reject(entry, importer, part)
        case .unreadable(let value): unreadable[part].add(value)
        case .notice(let notice): if !summary.notices.contains(notice) { summary.notices.append(notice) }
        }
    }

    /// Registers a habit and checks its texts.
    private func add(
        _ draft: ImportedHabit, _ importer: any Importer.Type, _ part: Int, isImplied: Bool
    ) throws -> Int {
        var failure: HabitError?
        if draft.canNameStored {
            do throws(HabitError) {
                let stored = try habits.index(ofStoredNamedBy: draft, source: importer.source, part: part)
                if let stored { return stored }
            } catch {
                failure = error
            }
        }
        let (index, isNew) = habits.add(draft, source: importer.source, part: part, isImplied: isImplied)
        guard isNew else {
            noteSharedHabit(index, draft, part)
            return index
        }
        if draft.keepsStored, draft.id != nil, habits.isStored(habits[index].id) { noteOtherExport() }
        // All texts are checked, so that the summary counts every text above its limit.
        let texts: [(String?, TextRule)] = [(draft.title, .title), (draft.reason.value, .reason)]
        let lines = texts.map(\.0) + [draft.unit.value]
        summary.replacedTexts += lines.count { $0?.trimmed.isSingleLine == false }
        for (text, rule) in texts {
            do throws(HabitError) {
                if let text { _ = try check(text.trimmed, rule) }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure {
            habits[index].isRejected = true
            try reject(habits[index], draft, failure)
        }
        return index
    }

    /// Adds the notice for a history that contains habits of an earlier export.
    private func noteOtherExport() {
        let notice = ImportNotice(
            "The store already has habits of this history. If they come from the JSON export, the history can change their events and add events on other days, because it has no UTC offsets",
            .advice("import only one of the two files"))
        if !summary.notices.contains(notice) { summary.notices.append(notice) }
    }

    private func add(_ draft: ImportedEvent, _ importer: any Importer.Type, _ part: Int) throws {
        var draft = draft
        draft.id =
            draft.id.map { ImportID.unique($0, of: importer.source) }
            ?? draft.localID.map { ImportID.digest([account.id, "event id", $0], of: importer.source) }
        if importer.sameDay == .equal, case .none(let reason) = draft.outcome { return try skip(draft, reason, part) }
        do {
            var event = ImportedEvents.Event(
                draft: draft, habit: try habit(of: draft, importer, part), time: try draft.time.resolved(in: zone),
                part: part)
            try event.time.check(in: zone)
            if case .none = draft.outcome {} else { try complete(&event) }
            switch events.add(event, importer.sameDay) {
            case .added: registerWorkout(event, importer)
            case .skipped(let other, let reason):
                if reason == .merged { registerWorkout(event, importer) }
                try skip(other.draft, reason, other.part, habit: other.habit)
            case .rejected(let error): throw error
            }
            for replaced in events.removeReplacements() {
                try skip(replaced.draft, .duplicate, replaced.part, habit: replaced.habit)
            }
        } catch let error as HabitError where error.code != .internal {
            if error.code != TextRule.comment.whenTooLong { count(draft.comment.value, .comment) }
            try reject(draft, error, part)
        }
    }

    /// Checks and completes the fields of an event.
    private func complete(_ event: inout ImportedEvents.Event) throws {
        guard !habits[event.habit].isRejected else { throw rejectedHabit(event.habit) }
        event.draft.comment = try event.draft.comment.map { (text: String) throws(HabitError) in
            try check(text.trimmed, .comment)
        }
        event.draft.position = try position(event.draft.position)
        if let amount = event.draft.amount.value, !(amount >= 0 && amount.isFinite) {
            throw HabitError(.fieldInvalid, "the amount is not a number from 0: correct it", field: Field.amount.name)
        }
    }

    /// Returns the error of an event whose habit is rejected.
    private func rejectedHabit(_ index: Int) -> HabitError {
        let title = habits[index].draft.map { " '\($0.title.trimmed.excerpt)'" } ?? ""
        return HabitError(
            .unknownReference, "the habit\(title) was rejected in this import: correct it first",
            field: Field.habit.name)
    }

    private func habit(of draft: ImportedEvent, _ importer: any Importer.Type, _ part: Int) throws -> Int {
        switch draft.habit {
        case .key(let key):
            if let index = habits.index(ofKey: key) { return index }
            throw HabitError(
                .unknownReference, "the habit '\(key.excerpt)' is not in the input", field: Field.habit.name)
        case .implied(let habit): return try add(habit, importer, part, isImplied: true)
        case .stored(let name):
            let title = name.trimmed.composed
            let name = title.singleLine
            if let index = try habits.index(ofStored: name, part: part) { return index }
            guard options.createsHabits else {
                throw HabitError(
                    .unknownReference, "the habit '\(name.excerpt)' does not exist", field: Field.habit.name,
                    .give(.createHabits))
            }
            var habit = ImportedHabit(key: "stored:" + name.folded, title: title)
            habit.keepsStored = true
            return try add(habit, importer, part, isImplied: true)
        }
    }

    private func add(
        _ draft: ImportedPost, _ importer: any Importer.Type, _ part: Int, _ writer: RecordWriter?
    ) throws {
        do {
            guard let at = try draft.time?.resolved(in: zone).at else {
                return try skip(SkippedEntry(.posts, .noTime, note: draft.caption, source: draft.source), part)
            }
            let caption = try check(draft.caption.trimmed, .caption)
            guard writer != nil else { return }
            let position = try position(draft.position)
            let photo = try draft.photo?.bytes()
            let id = id(of: draft, importer, at, caption, position, photo)
            guard posts.insert(id.hashValue).inserted else {
                return try skip(SkippedEntry(.posts, .duplicate, note: draft.caption, source: draft.source), part)
            }
            registerPost(at: at.instant, importer, part)
            var record = PostRecord(id: id, user: account.id)
            record.caption = caption.isEmpty ? .null : .value(caption)
            record.postedAt = .value(at)
            record.position = position.map { .value($0) } ?? .absent
            let isLater = !options.tracks.isEmpty
            if !isLater { record.photo = try photo.map { .value(try stored($0)) } ?? .absent }
            waiting.append(
                WaitingPost(record: record, photo: isLater ? draft.photo : nil, part: part, source: draft.source))
        } catch let error as HabitError where !error.isOfCompleteInput {
            return try reject(RejectedEntry(draft, error), importer, part)
        }
        if let writer, waiting.count >= Self.batchSize, options.tracks.isEmpty { try writePosts(writer) }
    }

    /// Returns the ID of a post.
    func id(
        of draft: ImportedPost, _ importer: any Importer.Type, _ at: OffsetInstant, _ caption: String,
        _ position: Position?, _ photo: [UInt8]?
    ) -> String {
        if let id = draft.id { return ImportID.unique(id, of: importer.source) }
        if let id = draft.localID { return ImportID.digest([account.id, "post id", id], of: importer.source) }
        if let photo, draft.photo?.identifiesPost == true {
            return ImportID.digest([account.id, "photo", ImportID.digest(of: photo)], of: importer.source)
        }
        let coordinates = position.map { "\($0.longitude),\($0.latitude)" } ?? ""
        return ImportID.digest(
            [account.id, "post", String(at.instant.microseconds), coordinates, caption], of: importer.source)
    }

    // MARK: Writing

    private func finish(_ writer: RecordWriter) throws {
        try locate()
        try writePosts(writer)
        try keepStoredSums()
        habitsOfOthers = try findHabitsOfOthers(writer)
        try writeHabits(writer)
        try writeEvents(writer)
    }

    /// Sets the positions of records without one from the tracks of the options.
    private func locate() throws {
        guard !options.tracks.isEmpty else { return }
        var instants: [Instant] = []
        for event in events.all {
            if let event, event.draft.position == nil, let at = event.time.at { instants.append(at.instant) }
        }
        for post in waiting where post.record.position.value == nil {
            if let at = post.record.postedAt.value { instants.append(at.instant) }
        }
        var options = options
        options.timeZone = zone
        let positions = try TrackPositions(of: instants, from: options)
        events.update { event in
            guard event.draft.position == nil, let at = event.time.at else { return }
            event.draft.position = positions[at.instant]
        }
        for index in waiting.indices where waiting[index].record.position.value == nil {
            guard let at = waiting[index].record.postedAt.value, let position = positions[at.instant] else { continue }
            waiting[index].record.position = .value(position)
        }
        let found = instants.count { positions[$0] != nil }
        summary.notices.append(
            ImportNotice(
                "The tracks contain the positions of \(found) of \(instants.count) entries without a position."))
        summary.notices += positions.notices
    }

    private func writePosts(_ writer: RecordWriter) throws {
        defer { waiting.removeAll(keepingCapacity: true) }
        for batch in waiting.batches(of: Self.batchSize) {
            try writer.withPrefetch(batch.map { .post($0.record) }) {
                for post in batch { try write(post, writer) }
            }
        }
    }

    private func write(_ post: WaitingPost, _ writer: RecordWriter) throws {
        var record = post.record
        do {
            if let photo = post.photo { record.photo = .value(try stored(try photo.bytes())) }
        } catch let error as HabitError where !error.isOfCompleteInput {
            return try reject(post.record, error, post.source, post.part)
        }
        try write(.post(record), .posts, post.part, writer) { try reject(post.record, $0, post.source, post.part) }
    }

    private func writeHabits(_ writer: RecordWriter) throws {
        for case let event? in events.all { habits[event.habit].add(event.time.day) }
        for index in habits.all.indices {
            let habit = habits[index]
            guard let draft = habit.draft, !habit.isRejected else {
                if !habit.isRejected { summary.add(.habits, .unchanged, part: habit.part) }
                continue
            }
            if habit.days == nil, draft.isArchived {
                summary.add(.habits, .skipped, reason: SkipReason.archivedEmpty.rawValue, part: habit.part)
                continue
            }
            if habit.isImplied, habitsOfOthers.contains(index) || (habit.days == nil && !habit.hasRejectedEvents) {
                continue
            }
            if draft.keepsStored, habits.isStored(habit.id) {
                summary.add(.habits, .unchanged, part: habit.part)
                continue
            }
            do {
                let record = try record(of: habit, draft)
                try write(.habit(record), .habits, habit.part, writer) { throw $0 }
            } catch let error as HabitError where error.code != .internal {
                habits[index].isRejected = true
                try reject(habit, draft, error)
            }
        }
    }

    private func writeEvents(_ writer: RecordWriter) throws {
        let moves = assignIDs()
        for index in moves {
            if let event = events.all[index] { try write([event], remaining: 0, writer) }
        }
        let moved = Set(moves)
        let count = events.all.count
        for start in stride(from: 0, to: count, by: Self.batchSize) {
            let indices = start..<min(start + Self.batchSize, count)
            let batch = indices.compactMap { moved.contains($0) ? nil : events.all[$0] }
            try write(batch, remaining: count - indices.upperBound, writer)
        }
    }

    private func write(_ batch: [ImportedEvents.Event], remaining: Int, _ writer: RecordWriter) throws {
        var accepted: [(event: ImportedEvents.Event, record: EventRecord)] = []
        for event in batch {
            do {
                if habits[event.habit].isRejected { throw rejectedHabit(event.habit) }
                if habitsOfOthers.contains(event.habit) { throw otherOwner(event) }
                accepted.append((event, try record(of: event)))
            } catch let error as HabitError where !error.isOfCompleteInput {
                try reject(event.draft, error, event.part, habit: event.habit)
            }
        }
        try writer.withPrefetch(accepted.map { .event($0.record) }, estimatedRemaining: remaining) {
            for (event, record) in accepted {
                try write(.event(record), .events, event.part, writer) {
                    try reject(event.draft, $0, event.part, habit: event.habit)
                }
            }
        }
    }

    /// Writes a record and counts the result.
    ///
    /// `onError` receives the error of a record that breaks a rule.
    private func write(
        _ record: Record, _ kind: RecordKind, _ part: Int, _ writer: RecordWriter,
        onError: (HabitError) throws -> Void
    ) throws {
        do {
            let outcome = try writer.write(record)
            let result: ImportSummary.Result =
                switch outcome {
                case .inserted: .inserted
                case .updated: .updated
                case .unchanged: .unchanged
                }
            summary.add(kind, result, part: part)
            preview(record, kind)
        } catch let error as HabitError where error.code != .internal {
            try onError(error)
        }
    }
}

extension ImportedEvents {
    /// Calls `body` with each event, which it may change except for its habit and day.
    mutating func update(_ body: (inout Event) throws -> Void) rethrows {
        for index in all.indices {
            guard var event = all[index] else { continue }
            try body(&event)
            replace(event, at: index)
        }
    }
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

extension Array {
    /// The consecutive slices with at most `size` elements.
    func batches(of size: Int) -> some Sequence<ArraySlice<Element>> {
        stride(from: 0, to: count, by: size).lazy.map { self[$0..<Swift.min($0 + size, count)] }
    }
}
