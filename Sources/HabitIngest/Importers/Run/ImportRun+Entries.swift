import Base
import Geo
import HabitModel
import HabitStore

/// The entries of the inputs, to which the import applies the common rules.
extension ImportRun {
    /// Receives an entry of an input.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - part: The index of the input.
    ///   - writer: The writer of posts, or `nil` to check only the texts of posts.
    /// - Throws: The error of a complete input, or the error of the receiver of findings.
    func receive(_ entry: ImportEntry, of part: Int, writer: RecordWriter?) throws {
        switch entry {
        case .habit(let draft): try add(draft, of: part)
        case .event(let draft): try add(draft, of: part)
        case .post(let draft): try add(draft, of: part, writer: writer)
        case .skipped(let entry): try skip(entry, of: part)
        case .rejected(let entry): try reject(entry, of: part)
        case .unreadable(let value): unreadable[part].add(value)
        case .notice(let notice): summary.addOnce(notice)
        }
    }

    // MARK: Habits

    /// Registers a habit, checks its texts and returns its index.
    @discardableResult
    private func add(
        _ draft: ImportedHabit,
        of part: Int,
        isImplied: Bool = false
    ) throws -> Int {
        let source = importer(of: part).source
        var nameError: HabitError?
        if draft.canNameStored {
            do throws(HabitError) {
                let stored = try habits.index(ofStoredNamedBy: draft, source: source, part: part)
                if let stored { return stored }
            } catch {
                nameError = error
            }
        }
        let added = habits.add(draft, source: source, part: part, isImplied: isImplied)
        let index = added.index
        guard added.isNew else {
            noteSharedHabit(index, draft, of: part)
            return index
        }
        let habit = habits[index]
        if draft.keepsStored, draft.id != nil, habits.isStored(habit.id) {
            noteOtherExport()
        }
        let textError = checkTexts(of: draft)
        if let error = nameError ?? textError {
            habits[index].isRejected = true
            try reject(habit, draft: draft, error)
        }
        return index
    }

    /// Checks the texts of a habit and counts those that the import changes.
    ///
    /// The summary counts every text above its limit.
    ///
    /// - Parameter draft: The habit.
    /// - Returns: The first error, or `nil` if all texts are valid.
    private func checkTexts(of draft: ImportedHabit) -> HabitError? {
        let reason = draft.reason.value
        let lines: [String?] = [draft.title, reason, draft.unit.value]
        summary.replacedTexts += lines.count { line in line?.trimmed.isSingleLine == false }
        // Both texts are checked even if the title is invalid.
        let titleError = error(of: draft.title, .title)
        let reasonError = reason.flatMap { text in error(of: text, .reason) }
        return titleError ?? reasonError
    }

    /// Returns the error of a text, or `nil` if the text is valid.
    private func error(of text: String, _ rule: TextRule) -> HabitError? {
        do throws(HabitError) {
            _ = try check(text.trimmed, rule)
            return nil
        } catch {
            return error
        }
    }

    /// Adds the notice for a history that contains habits of an earlier export.
    private func noteOtherExport() {
        summary.addOnce(
            ImportNotice(
                "The store already has habits of this history. If they come from the JSON export, the history can change their events and add events on other days, because it has no UTC offsets",
                .advice("import only one of the two files")))
    }

    // MARK: Events

    private func add(_ draft: ImportedEvent, of part: Int) throws {
        let importer = importer(of: part)
        var draft = draft
        draft.id = id(of: draft, from: importer)
        if importer.sameDay == .equal, case .none(let reason) = draft.outcome {
            return try skip(draft, reason, of: part)
        }
        do {
            let event = try event(of: draft, part: part)
            try register(event)
        } catch let error as HabitError where error.code != .internal {
            // The error of a long comment is already counted.
            let isCounted = error.code == TextRule.comment.whenTooLong
            if !isCounted { count(draft.comment.value, .comment) }
            try reject(draft, error, of: part)
        }
    }

    /// Returns the ID of an event, or `nil` if the source has no IDs.
    private func id(of draft: ImportedEvent, from importer: any Importer.Type) -> String? {
        let source = importer.source
        if let id = draft.id { return ImportID.unique(id, of: source) }
        guard let localID = draft.localID else { return nil }
        return ImportID.digest([account.id, "event id", localID], of: source)
    }

    /// Returns the event of an entry, with its habit and its time, after a check of its fields.
    private func event(of draft: ImportedEvent, part: Int) throws -> ImportedEvents.Event {
        let habit = try habit(of: draft, part: part)
        let time = try draft.time.resolved(in: zone)
        try time.check(in: zone)
        var event = ImportedEvents.Event(draft: draft, habit: habit, time: time, part: part)
        switch draft.outcome {
        case .done, .skipped: try complete(&event)
        case .none: break
        }
        return event
    }

    /// Checks and completes the fields of an event.
    private func complete(_ event: inout ImportedEvents.Event) throws {
        guard !habits[event.habit].isRejected else { throw rejectedHabit(event.habit) }
        event.draft.comment = try event.draft.comment.map { (text: String) throws(HabitError) in
            try check(text.trimmed, .comment)
        }
        event.draft.position = try position(event.draft.position)
        guard let amount = event.draft.amount.value else { return }
        guard amount >= 0, amount.isFinite else {
            throw HabitError(.fieldInvalid, "the amount is not a number from 0: correct it", field: Field.amount.name)
        }
    }

    /// Adds an event by the rule of its format for several entries of a day.
    private func register(_ event: ImportedEvents.Event) throws {
        switch events.add(event, importer(of: event.part).sameDay) {
        case .added: registerWorkout(event)
        case .skipped(let other, let reason):
            if reason == .merged { registerWorkout(event) }
            try skip(other, reason)
        case .rejected(let error): throw error
        }
        for replaced in events.removeReplacements() {
            try skip(replaced, .duplicate)
        }
    }

    /// Returns the error of an event whose habit is rejected.
    func rejectedHabit(_ index: Int) -> HabitError {
        let title = habits[index].draft?.title.trimmed.excerpt
        let quotedTitle = title.map { title in " '\(title)'" }
        return HabitError(
            .unknownReference,
            "the habit\(quotedTitle ?? "") was rejected in this import: correct it first",
            field: Field.habit.name)
    }

    /// Returns the index of the habit of an event.
    ///
    /// A habit that exists only because of its events is added.
    private func habit(of draft: ImportedEvent, part: Int) throws -> Int {
        switch draft.habit {
        case .key(let key):
            if let index = habits.index(ofKey: key) { return index }
            throw HabitError(
                .unknownReference,
                "the habit '\(key.excerpt)' is not in the input",
                field: Field.habit.name)
        case .implied(let habit): return try add(habit, of: part, isImplied: true)
        case .stored(let name): return try storedHabit(named: name, part: part)
        }
    }

    /// Returns the index of the stored habit with an ID or a title, or of a new habit if the options allow it.
    private func storedHabit(named text: String, part: Int) throws -> Int {
        let title = text.trimmed.composed
        let name = title.singleLine
        if let index = try habits.index(ofStored: name, part: part) { return index }
        guard options.createsHabits else {
            throw HabitError(
                .unknownReference,
                "the habit '\(name.excerpt)' does not exist",
                field: Field.habit.name,
                .give(.createHabits))
        }
        var habit = ImportedHabit(key: "stored:" + name.folded, title: title)
        habit.keepsStored = true
        return try add(habit, of: part, isImplied: true)
    }

    // MARK: Posts

    private func add(_ draft: ImportedPost, of part: Int, writer: RecordWriter?) throws {
        do {
            try enqueue(draft, of: part, isStored: writer != nil)
        } catch let error as HabitError where !error.isOfCompleteInput {
            return try reject(RejectedEntry(draft, error), of: part)
        }
        // Tracks determine positions after all inputs are read.
        guard let writer, options.tracks.isEmpty else { return }
        if waiting.count >= Self.batchSize || hasManyWaitingPhotos { try writePosts(to: writer) }
    }

    /// Whether the photos of the posts that wait to be written have the size of a batch.
    private var hasManyWaitingPhotos: Bool {
        let size = waiting.reduce(0) { size, post in
            size + (post.record.photo.value?.bytes.count ?? 0)
        }
        return size >= InputRows.photoByteLimit
    }

    /// Adds a post to the posts that wait to be written, unless it is skipped.
    ///
    /// - Parameters:
    ///   - draft: The post.
    ///   - part: The index of the input.
    ///   - isStored: Whether the import stores posts. Otherwise only the caption is checked.
    /// - Throws: The error of an invalid value, or the error of the receiver of findings.
    private func enqueue(_ draft: ImportedPost, of part: Int, isStored: Bool) throws {
        guard let at = try draft.time?.resolved(in: zone).at else {
            return try skip(draft, .noTime, of: part)
        }
        let caption = try check(draft.caption.trimmed, .caption)
        guard isStored else { return }
        let position = try position(draft.position)
        let photo = try draft.photo?.bytes()
        let id = id(
            of: draft,
            from: importer(of: part),
            at: at.instant,
            caption: caption,
            position: position,
            photo: photo)
        let isNew = posts.insert(id.hashValue).inserted
        guard isNew else { return try skip(draft, .duplicate, of: part) }
        registerPost(at: at.instant, of: part)
        var record = PostRecord(id: id, user: account.id)
        record.caption = caption.isEmpty ? .null : .value(caption)
        record.postedAt = .value(at)
        if let position { record.position = .value(position) }
        var post = WaitingPost(record: record, part: part, source: draft.source)
        if !options.tracks.isEmpty {
            post.photo = draft.photo
        } else if let photo {
            post.record.photo = .value(try stored(photo, of: .posts))
        }
        waiting.append(post)
    }

    private func skip(_ draft: ImportedPost, _ reason: SkipReason, of part: Int) throws {
        let entry = SkippedEntry(.posts, reason, note: draft.caption, source: draft.source)
        try skip(entry, of: part)
    }

    /// Returns the ID of a post.
    ///
    /// - Parameters:
    ///   - draft: The post.
    ///   - importer: The importer of the post, which determines the beginning of the ID.
    ///   - instant: The instant of the post.
    ///   - caption: The caption in its stored form.
    ///   - position: The position in its stored form, or `nil` for a post without a position.
    ///   - photo: The bytes of the photo, or `nil` if they do not determine the ID.
    /// - Returns: The ID of the source, or an ID that depends only on the other parameters.
    func id(
        of draft: ImportedPost,
        from importer: any Importer.Type,
        at instant: Instant,
        caption: String,
        position: Position?,
        photo: [UInt8]?
    ) -> String {
        let source = importer.source
        if let id = draft.id { return ImportID.unique(id, of: source) }
        if let localID = draft.localID {
            return ImportID.digest([account.id, "post id", localID], of: source)
        }
        if let photo, draft.photo?.identifiesPost == true {
            let photoDigest = ImportID.digest(of: photo)
            return ImportID.digest([account.id, "photo", photoDigest], of: source)
        }
        let microseconds = String(instant.microseconds)
        let coordinates = position.map { "\($0.longitude),\($0.latitude)" } ?? ""
        return ImportID.digest([account.id, "post", microseconds, coordinates, caption], of: source)
    }
}
