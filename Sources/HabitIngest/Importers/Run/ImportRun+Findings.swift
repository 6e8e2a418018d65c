import Base
import HabitModel

/// The entries that the import does not store.
extension ImportRun {
    // MARK: Skipped entries

    /// Counts a skipped entry, and reports it if it has a note.
    ///
    /// A load of the reported row stores nothing, because the row has no ID and no habit.
    func skip(_ entry: SkippedEntry, of part: Int) throws {
        let reason = entry.reason.rawValue
        summary.add(entry.kind, .skipped, reason: reason, part: part)
        guard let note = entry.note?.trimmed, !note.isEmpty else { return }
        var row = RawRecord(entry.kind, at: entry.source)
        if entry.kind == .posts {
            row.set(text: note, for: .caption)
        } else {
            row.set(text: note, for: .comment)
        }
        if entry.kind == .events { row.markNotDone() }
        try reportSkipped(row, reason, at: entry.source, of: part)
    }

    /// Counts an event that is not stored, and reports it if it has a comment or an amount.
    func skip(_ event: ImportedEvents.Event, _ reason: SkipReason) throws {
        try skip(event.draft, reason, of: event.part, habit: event.habit)
    }

    /// Counts an entry that is not an event, and reports it if it has a comment or an amount.
    ///
    /// - Parameters:
    ///   - draft: The entry.
    ///   - reason: The reason.
    ///   - part: The index of the input.
    ///   - habit: The index of the habit, or `nil` to find the habit of the current input.
    /// - Throws: The error of the receiver of findings.
    func skip(
        _ draft: ImportedEvent,
        _ reason: SkipReason,
        of part: Int,
        habit: Int? = nil
    ) throws {
        summary.add(.events, .skipped, reason: reason.rawValue, part: part)
        let comment = draft.comment.value ?? ""
        let amount = draft.amount.value ?? 0
        guard !comment.trimmed.isEmpty || amount != 0 else { return }
        var row = row(of: draft, habit: habit)
        // Another entry of the day may be stored, which a load of this row must not replace.
        row.markNotDone()
        try reportSkipped(row, reason.rawValue, at: draft.source, of: part)
    }

    /// Reports a skipped entry with content.
    private func reportSkipped(
        _ row: RawRecord,
        _ reason: String,
        at source: SourceLocation,
        of part: Int
    ) throws {
        summary.skippedWithContent += 1
        var finding = finding(of: row.kind, at: source, part: part, slug: reason)
        finding.raw = row
        try onFinding(finding)
    }

    // MARK: Rejected entries

    /// Counts and reports a rejected event.
    func reject(_ event: ImportedEvents.Event, _ error: HabitError) throws {
        try reject(event.draft, error, of: event.part, habit: event.habit)
    }

    /// Counts and reports a rejected event.
    ///
    /// - Parameters:
    ///   - draft: The event.
    ///   - error: The error.
    ///   - part: The index of the input.
    ///   - habit: The index of the habit, or `nil` to find the habit of the current input.
    /// - Throws: The error of the receiver of findings.
    func reject(
        _ draft: ImportedEvent,
        _ error: HabitError,
        of part: Int,
        habit: Int? = nil
    ) throws {
        var finding = countRejection(of: .events, error, at: draft.source, part: part)
        if let index = habit ?? habitIndex(of: draft) {
            habits[index].hasRejectedEvents = true
            // The reference to a habit of the import has no other error.
            let isOnlyError = habits[index].isRejected && error.code == .unknownReference
            if isOnlyError { finding.rejectedHabit = habits[index].id }
        }
        finding.raw = row(of: draft, habit: habit)
        finding.subject = subject(of: draft, habit: habit)
        try onFinding(finding)
    }

    /// Counts and reports a rejected habit.
    func reject(_ habit: ImportedHabits.Habit, draft: ImportedHabit, _ error: HabitError) throws {
        var finding = countRejection(of: .habits, error, at: SourceLocation(), part: habit.part)
        finding.raw = row(of: habit, draft)
        finding.subject = "'\(draft.title.trimmed.excerpt)'"
        finding.rejectedHabit = habit.id
        try onFinding(finding)
    }

    /// Counts and reports a rejected entry.
    func reject(_ entry: RejectedEntry, of part: Int) throws {
        countLongTexts(of: entry)
        var finding = countRejection(of: entry.kind, entry.error, at: entry.source, part: part)
        if let post = entry.post {
            finding.raw = row(of: post, from: importer(of: part))
        } else {
            finding.raw = row(of: entry)
        }
        finding.original = entry.original
        if let index = habitIndex(of: entry), let title = habits[index].draft?.title {
            finding.subject = "'\(title.trimmed.excerpt)'"
        }
        try onFinding(finding)
    }

    /// Counts the texts of a rejected entry that exceed their limits.
    private func countLongTexts(of entry: RejectedEntry) {
        // The error of a long caption is already counted.
        let isCounted = entry.error.code == TextRule.caption.whenTooLong
        if let post = entry.post, !isCounted { count(post.caption, .caption) }
        if case .text(let comment)? = entry.values[.comment] { count(comment, .comment) }
    }

    /// Counts and reports a post that the store rejects.
    func reject(_ post: WaitingPost, _ error: HabitError) throws {
        var finding = countRejection(of: .posts, error, at: post.source, part: post.part)
        finding.raw = row(of: post.record, at: post.source)
        try onFinding(finding)
    }

    /// Counts a rejected entry and returns its finding without the values of the entry.
    private func countRejection(
        of kind: RecordKind,
        _ error: HabitError,
        at source: SourceLocation,
        part: Int
    ) -> ImportFinding {
        let slug = error.code.slug
        summary.add(kind, .rejected, reason: slug, part: part)
        var finding = finding(of: kind, at: source, part: part, slug: slug)
        finding.field = error.field
        finding.code = error.code
        finding.error = error
        return finding
    }

    // MARK: Reports

    private func finding(
        of kind: RecordKind,
        at source: SourceLocation,
        part: Int,
        slug: String
    ) -> ImportFinding {
        ImportFinding(
            file: source.file ?? summary.name(of: part),
            line: source.line,
            entry: source.entry,
            kind: kind,
            slug: slug)
    }

    /// Returns the title of the habit and the day of an event, for messages.
    private func subject(of draft: ImportedEvent, habit: Int?) -> String {
        var parts: [String] = []
        if let title = habitTitle(of: draft, habit: habit) {
            parts.append("'\(title.trimmed.excerpt)'")
        }
        if let time = try? draft.time.resolved(in: zone) {
            parts.append("\(time.day)")
        }
        return parts.joined(separator: ", ")
    }

    private func habitTitle(of draft: ImportedEvent, habit: Int?) -> String? {
        switch draft.habit {
        case .key:
            guard let index = habit ?? habitIndex(of: draft) else { return nil }
            return habits[index].draft?.title
        case .implied(let habit): return habit.title
        case .stored(let name): return name
        }
    }

    /// Returns the index of the habit of an event of the current input, or `nil` if the import has no such habit.
    func habitIndex(of draft: ImportedEvent) -> Int? {
        switch draft.habit {
        case .key(let key): return habits.index(ofKey: key)
        case .implied(let habit): return habits.index(ofKey: habit.key)
        case .stored(let name):
            let folded = name.trimmed.singleLine.composed.folded
            return habits.index(ofKey: "stored:" + folded)
        }
    }

    /// Returns the index of the habit of a rejected entry, or `nil` if the entry has no known habit.
    func habitIndex(of entry: RejectedEntry) -> Int? {
        guard let key = entry.habit else { return nil }
        return habits.index(ofKey: key)
    }
}

extension ImportSummary {
    /// Returns the name of an input.
    func name(of part: Int) -> String { parts[part].name }
}
