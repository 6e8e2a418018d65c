import Base
import Geo
import HabitModel

/// The values of entries as the rows of an input file, which the file of rejected entries contains.
extension ImportRun {
    /// Returns the values of an event as the row of an input file.
    func row(of draft: ImportedEvent, habit: Int?) -> RawRecord {
        var row = RawRecord(.events, at: draft.source)
        row.set(text: draft.id, for: .id)
        row.set(text: account.id, for: .user)
        row.set(text: habitReference(of: draft, habit: habit), for: .habit)
        setTime(draft.time, in: &row)
        switch draft.outcome {
        case .done: row.set(text: "done", for: .outcome)
        case .skipped: row.set(text: "skipped", for: .outcome)
        case .none: row.markNotDone()
        }
        row.set(number: draft.amount.value, for: .amount)
        row.set(text: draft.comment.value, for: .comment)
        row.set(draft.position)
        return row
    }

    /// Returns the ID of the habit of an event, or its name in the source if the import has no such habit.
    private func habitReference(of draft: ImportedEvent, habit: Int?) -> String {
        if let index = habit ?? habitIndex(of: draft) {
            return habits[index].id
        }
        switch draft.habit {
        case .key(let key): return key
        case .implied(let habit): return habit.title
        case .stored(let name): return habits.storedID(of: name) ?? name
        }
    }

    /// Returns the values of a rejected event as the row of an input file, or `nil` if no value could be read.
    func row(of entry: RejectedEntry) -> RawRecord? {
        guard entry.kind == .events else { return nil }
        let habit = habitIndex(of: entry)
        let hasValues = !entry.values.isEmpty || habit != nil
        guard hasValues else { return nil }
        var row = RawRecord(.events, at: entry.source)
        row.set(text: account.id, for: .user)
        for (field, value) in entry.values {
            row.set(value, for: field)
        }
        if let habit {
            row.set(text: habits[habit].id, for: .habit)
        }
        if case .text(let name)? = entry.values[.habit] {
            row.set(text: habits.storedID(of: name), for: .habit)
        }
        if let time = entry.time { setTime(time, in: &row) }
        return row
    }

    /// Sets the day and the instant of an event, if the time is valid.
    private func setTime(_ time: ImportTime, in row: inout RawRecord) {
        guard let resolved = try? time.resolved(in: zone) else { return }
        row.set(text: resolved.day.description, for: .day)
        row.set(text: stored(resolved)?.description, for: .at)
    }

    /// Returns the values of a habit as the row of an input file.
    func row(of habit: ImportedHabits.Habit, _ draft: ImportedHabit) -> RawRecord {
        var row = RawRecord(.habits, at: SourceLocation())
        row.set(text: habit.id, for: .id)
        row.set(text: account.id, for: .user)
        row.set(text: draft.title.trimmed, for: .title)
        row.set(text: draft.reason.value?.trimmed, for: .reason)
        switch draft.schedule {
        case .weekdays(let mask):
            row.set(text: Weekdays(mask: mask)?.description, for: .days)
        case .target(let times, let periodDays):
            row.set(.integer(Int64(times)), for: .times)
            row.set(.integer(Int64(periodDays)), for: .periodDays)
        }
        row.set(text: draft.start?.description, for: .start)
        row.set(text: draft.end?.description, for: .end)
        row.set(number: draft.targetAmount.value, for: .targetAmount)
        row.set(text: unit(of: draft).value, for: .unit)
        return row
    }

    /// Returns the values of a post that could not be read completely, as the row of an input file.
    func row(of draft: ImportedPost, from importer: any Importer.Type) -> RawRecord {
        let at = try? draft.time?.resolved(in: zone).at
        var draft = draft
        if draft.id == nil, draft.localID == nil, at == nil {
            // Without an instant, only the location in the source distinguishes posts.
            let source = draft.source
            draft.localID = "rejected \(source.file ?? "") \(source.line ?? 0) \(source.entry ?? 0)"
        }
        let caption = draft.caption.trimmed
        let instant = at?.instant ?? Instant(microseconds: 0)
        let id = id(
            of: draft,
            from: importer,
            at: instant,
            caption: caption,
            position: draft.position,
            photo: nil)
        var record = PostRecord(id: id, user: account.id)
        record.caption = .value(caption)
        if let at { record.postedAt = .value(at) }
        if let position = draft.position {
            record.position = .value(position)
        }
        return row(of: record, at: draft.source)
    }

    /// Returns the values of a post as the row of an input file.
    func row(of post: PostRecord, at source: SourceLocation) -> RawRecord {
        var row = RawRecord(.posts, at: source)
        row.set(text: post.id, for: .id)
        row.set(text: post.user, for: .user)
        row.set(text: post.postedAt.value?.description, for: .postedAt)
        if let caption = post.caption.value, !caption.isEmpty {
            row.set(text: caption, for: .caption)
        }
        row.set(post.position.value)
        return row
    }
}

extension RawRecord {
    /// Creates the row of an entry, without values.
    init(_ kind: RecordKind, at source: SourceLocation) {
        self.init()
        begin(kind, line: source.line ?? 0, original: [UInt8]().span)
    }

    /// Sets a field to a text, unless the text is `nil`.
    mutating func set(text: String?, for field: Field) {
        if let text { set(.text(text), for: field) }
    }

    /// Sets a field to a number, unless the number is `nil`.
    mutating func set(number: Double?, for field: Field) {
        if let number { set(.number(number), for: field) }
    }

    /// Sets the longitude and the latitude, unless the position is `nil`.
    mutating func set(_ position: Position?) {
        set(number: position?.longitude, for: .longitude)
        set(number: position?.latitude, for: .latitude)
    }

    /// Sets the outcome so that a load does not store the event.
    mutating func markNotDone() { set(text: "no", for: .outcome) }
}
