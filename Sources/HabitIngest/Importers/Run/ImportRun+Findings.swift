import Base
import Geo
import HabitModel
import StoreEngine

/// The entries that the import does not store.
extension ImportRun {
    /// Counts a skipped entry, and reports it if it has a note.
    ///
    /// A load of the reported row stores nothing, because the row has no ID and no habit.
    func skip(_ entry: SkippedEntry, _ part: Int) throws {
        summary.add(entry.kind, .skipped, reason: entry.reason.rawValue, part: part)
        guard let note = entry.note?.trimmed, !note.isEmpty else { return }
        var raw = RawRecord()
        raw.begin(entry.kind, line: entry.source.line ?? 0, original: [UInt8]().span)
        raw.set(.text(note), for: entry.kind == .posts ? .caption : .comment)
        if entry.kind == .events { raw.set(.text(Self.notDone), for: .outcome) }
        try report(entry.kind, nil, entry.reason.rawValue, entry.source, raw, part)
    }

    /// The outcome in the file of rejected entries for an entry that a load must not store.
    private static let notDone = "no"

    /// Counts an entry that is not an event, and reports it if it has a comment or an amount.
    ///
    /// - Parameters:
    ///   - draft: The entry.
    ///   - reason: The reason.
    ///   - part: The index of the input.
    ///   - habit: The index of the habit, or `nil` to find the habit of the current input.
    /// - Throws: The error of the receiver of findings.
    func skip(_ draft: ImportedEvent, _ reason: SkipReason, _ part: Int, habit: Int? = nil) throws {
        summary.add(.events, .skipped, reason: reason.rawValue, part: part)
        let hasNote = !(draft.comment.value ?? "").trimmed.isEmpty
        guard hasNote || draft.amount.value.map({ $0 != 0 }) == true else { return }
        // Another entry of the day may be stored, which a load of this row must not replace.
        var raw = raw(draft, habit)
        raw.set(.text(Self.notDone), for: .outcome)
        try report(.events, nil, reason.rawValue, draft.source, raw, part)
    }

    /// Counts and reports a rejected event.
    ///
    /// - Parameters:
    ///   - draft: The event.
    ///   - error: The error.
    ///   - part: The index of the input.
    ///   - habit: The index of the habit, or `nil` to find the habit of the current input.
    /// - Throws: The error of the receiver of findings.
    func reject(_ draft: ImportedEvent, _ error: HabitError, _ part: Int, habit: Int? = nil) throws {
        summary.add(.events, .rejected, reason: error.code.slug, part: part)
        var rejectedHabit: String?
        if let index = habit ?? habitIndex(of: draft) {
            habits[index].hasRejectedEvents = true
            // The reference to a habit of the import has no other error.
            if habits[index].isRejected, error.code == .unknownReference { rejectedHabit = habits[index].id }
        }
        try report(
            .events, error, error.code.slug, draft.source, raw(draft, habit), part, subject: subject(of: draft, habit),
            rejectedHabit: rejectedHabit)
    }

    /// Returns the index of the habit of an event of the current input, or `nil` if the import has no such habit.
    private func habitIndex(of draft: ImportedEvent) -> Int? {
        switch draft.habit {
        case .key(let key): habits.index(ofKey: key)
        case .implied(let habit): habits.index(ofKey: habit.key)
        case .stored(let name): habits.index(ofKey: "stored:" + name.trimmed.singleLine.composed.folded)
        }
    }

    /// Returns the title of the habit and the day of an event, for messages.
    private func subject(of draft: ImportedEvent, _ habit: Int?) -> String {
        let title: String? =
            switch draft.habit {
            case .key: (habit ?? habitIndex(of: draft)).flatMap { habits[$0].draft?.title }
            case .implied(let habit): habit.title
            case .stored(let name): name
            }
        let day = (try? draft.time.resolved(in: zone)).map { "\($0.day)" }
        return [title.map { "'\($0.trimmed.excerpt)'" }, day].compactMap(\.self).joined(separator: ", ")
    }

    /// Counts and reports a rejected habit.
    func reject(_ habit: ImportedHabits.Habit, _ draft: ImportedHabit, _ error: HabitError) throws {
        summary.add(.habits, .rejected, reason: error.code.slug, part: habit.part)
        var raw = RawRecord()
        raw.begin(.habits, line: 0, original: [UInt8]().span)
        raw.set(.text(habit.id), for: .id)
        raw.set(.text(account.id), for: .user)
        raw.set(.text(draft.title.trimmed), for: .title)
        if let reason = draft.reason.value { raw.set(.text(reason.trimmed), for: .reason) }
        switch draft.schedule {
        case .weekdays(let mask):
            if let weekdays = Weekdays(mask: mask) { raw.set(.text(weekdays.description), for: .days) }
        case .target(let times, let periodDays):
            raw.set(.integer(Int64(times)), for: .times)
            raw.set(.integer(Int64(periodDays)), for: .periodDays)
        }
        if let start = draft.start { raw.set(.text(start.description), for: .start) }
        if let end = draft.end { raw.set(.text(end.description), for: .end) }
        if let amount = draft.targetAmount.value { raw.set(.number(amount), for: .targetAmount) }
        if let unit = unit(of: draft).value { raw.set(.text(unit), for: .unit) }
        try report(
            .habits, error, error.code.slug, SourceLocation(), raw, habit.part,
            subject: "'\(draft.title.trimmed.excerpt)'", rejectedHabit: habit.id)
    }

    /// Counts and reports a rejected entry.
    func reject(_ entry: RejectedEntry, _ importer: any Importer.Type, _ part: Int) throws {
        if let post = entry.post, entry.error.code != TextRule.caption.whenTooLong { count(post.caption, .caption) }
        if case .text(let comment)? = entry.values[.comment] { count(comment, .comment) }
        summary.add(entry.kind, .rejected, reason: entry.error.code.slug, part: part)
        let values = entry.post.map { raw($0, importer) } ?? raw(entry)
        let title = entry.habit.flatMap { habits.index(ofKey: $0) }.flatMap { habits[$0].draft?.title }
        try report(
            entry.kind, entry.error, entry.error.code.slug, entry.source, values, part, original: entry.original,
            subject: title.map { "'\($0.trimmed.excerpt)'" })
    }

    /// Counts and reports a post that the store rejects.
    func reject(_ record: PostRecord, _ error: HabitError, _ source: SourceLocation, _ part: Int) throws {
        summary.add(.posts, .rejected, reason: error.code.slug, part: part)
        let raw = raw(
            post: record.id, record.postedAt.value, record.caption.value ?? "", record.position.value, source)
        try report(.posts, error, error.code.slug, source, raw, part)
    }

    private func report(
        _ kind: RecordKind, _ error: HabitError?, _ slug: String, _ source: SourceLocation, _ raw: RawRecord?,
        _ part: Int, original: String = "", subject: String? = nil, rejectedHabit: String? = nil
    ) throws {
        if error == nil { summary.skippedWithContent += 1 }
        try onFinding(
            ImportFinding(
                file: source.file ?? summary.name(of: part), line: source.line, entry: source.entry, subject: subject,
                kind: kind, rejectedHabit: rejectedHabit, field: error?.field, code: error?.code, slug: slug,
                error: error, raw: raw,
                original: original))
    }

    /// Returns the values of a post as the row of an input file.
    private func raw(_ draft: ImportedPost, _ importer: any Importer.Type) -> RawRecord {
        let at = draft.time.flatMap { try? $0.resolved(in: zone) }?.at
        var draft = draft
        if draft.id == nil, draft.localID == nil, at == nil {
            // Without an instant, only the location in the source distinguishes posts.
            draft.localID = "rejected \(draft.source.file ?? "") \(draft.source.line ?? 0) \(draft.source.entry ?? 0)"
        }
        let caption = draft.caption.trimmed
        let instant = at ?? OffsetInstant(Instant(microseconds: 0), offset: nil)
        return raw(
            post: id(of: draft, importer, instant, caption, draft.position, nil), at, caption, draft.position,
            draft.source)
    }

    private func raw(
        post id: String, _ at: OffsetInstant?, _ caption: String, _ position: Position?, _ source: SourceLocation
    ) -> RawRecord {
        var raw = RawRecord()
        raw.begin(.posts, line: source.line ?? 0, original: [UInt8]().span)
        raw.set(.text(id), for: .id)
        raw.set(.text(account.id), for: .user)
        if let at { raw.set(.text(at.description), for: .postedAt) }
        if !caption.isEmpty { raw.set(.text(caption), for: .caption) }
        if let position {
            raw.set(.number(position.longitude), for: .longitude)
            raw.set(.number(position.latitude), for: .latitude)
        }
        return raw
    }

    /// Returns the values of a rejected event as the row of an input file, or `nil` if no value could be read.
    private func raw(_ entry: RejectedEntry) -> RawRecord? {
        let habit = entry.habit.flatMap { habits.index(ofKey: $0) }
        guard entry.kind == .events, !entry.values.isEmpty || habit != nil else { return nil }
        var raw = RawRecord()
        raw.begin(.events, line: entry.source.line ?? 0, original: [UInt8]().span)
        raw.set(.text(account.id), for: .user)
        for (field, value) in entry.values { raw.set(value, for: field) }
        if let habit { raw.set(.text(habits[habit].id), for: .habit) }
        if case .text(let name)? = entry.values[.habit], let id = habits.storedID(of: name) {
            raw.set(.text(id), for: .habit)
        }
        if let time = entry.time.flatMap({ try? $0.resolved(in: zone) }) {
            raw.set(.text(time.day.description), for: .day)
            if let at = stored(time) { raw.set(.text(at.description), for: .at) }
        }
        return raw
    }

    /// Returns the values of an event as the row of an input file.
    private func raw(_ draft: ImportedEvent, _ habit: Int?) -> RawRecord {
        var raw = RawRecord()
        raw.begin(.events, line: draft.source.line ?? 0, original: [UInt8]().span)
        if let id = draft.id { raw.set(.text(id), for: .id) }
        raw.set(.text(account.id), for: .user)
        if let index = habit ?? habitIndex(of: draft) {
            raw.set(.text(habits[index].id), for: .habit)
        } else {
            switch draft.habit {
            case .key(let key): raw.set(.text(key), for: .habit)
            case .implied(let habit): raw.set(.text(habit.title), for: .habit)
            case .stored(let name): raw.set(.text(habits.storedID(of: name) ?? name), for: .habit)
            }
        }
        if let time = try? draft.time.resolved(in: zone) {
            raw.set(.text(time.day.description), for: .day)
            if let at = stored(time) { raw.set(.text(at.description), for: .at) }
        }
        switch draft.outcome {
        case .done: raw.set(.text("done"), for: .outcome)
        case .skipped: raw.set(.text("skipped"), for: .outcome)
        case .none: raw.set(.text(Self.notDone), for: .outcome)
        }
        if let amount = draft.amount.value { raw.set(.number(amount), for: .amount) }
        if let comment = draft.comment.value { raw.set(.text(comment), for: .comment) }
        if let position = draft.position {
            raw.set(.number(position.longitude), for: .longitude)
            raw.set(.number(position.latitude), for: .latitude)
        }
        return raw
    }
}

extension ImportSummary {
    /// Returns the name of an input.
    func name(of part: Int) -> String { parts[part].name }
}
