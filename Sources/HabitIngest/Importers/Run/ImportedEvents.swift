import Base
import HabitModel

/// The events of an import, one for each habit and day.
struct ImportedEvents {
    /// An event with its habit, its day and its instant.
    struct Event {
        var draft: ImportedEvent
        var habit: Int
        var time: ImportTime.Resolved
        var part: Int
        /// The amount of the entry itself if the draft has the sum of several entries, otherwise `nil`.
        var ownAmount: FieldInput<Double>?

        /// The entry as the input has it, without the amounts of other entries.
        var entry: ImportedEvent {
            var entry = draft
            entry.amount = ownAmount ?? draft.amount
            return entry
        }
    }

    /// The result of adding an event.
    enum Result {
        case added
        /// The entry is not an event, or another event of the day applies.
        case skipped(Event, SkipReason)
        /// The event differs from another event of the day.
        case rejected(HabitError)
    }

    private struct Key: Hashable {
        var habit: Int
        var day: Day
    }

    /// The identity of an entry whose amount is part of a sum.
    private enum Identity: Hashable {
        case id(String)
        /// The values of an entry without a globally unique ID.
        case values(habit: Int, day: Day, at: Instant?, amount: Double?, comment: String?)
    }

    private struct Start: Hashable {
        var habit: Int
        var at: Instant
    }

    /// The events in the order in which their days first occur.
    private(set) var all = SegmentedArray<Event?>()
    /// The index of the event of each day, or -1 if an entry that is not an event applies.
    private var slots: [Key: Int] = [:]
    /// The entries whose amounts are parts of sums.
    private var summed: [Identity: Event] = [:]
    private var starts: Set<Start> = []

    /// Adds an entry by the rule of its format.
    mutating func add(_ event: Event, _ rule: SameDayRule) -> Result {
        if rule == .sum, let result = repetition(of: event) { return result }
        let key = Key(habit: event.habit, day: event.time.day)
        let slot = slots[key]
        if case .none(let reason) = event.draft.outcome {
            switch rule {
            case .first:
                guard slot == nil else { return .skipped(event, .duplicate) }
                slots[key] = -1
            case .last:
                if let slot, slot >= 0, let replaced = all[slot] {
                    all[slot] = nil
                    slots[key] = -1
                    replacements.append(replaced)
                }
            case .any, .sum, .equal: break
            }
            return .skipped(event, reason)
        }
        guard let slot, slot >= 0, let other = all[slot] else {
            if rule == .first, slot != nil { return .skipped(event, .duplicate) }
            slots[key] = all.count
            all.append(event)
            return .added
        }
        switch rule {
        case .first: return .skipped(event, .duplicate)
        case .last, .any:
            all[slot] = event
            return .skipped(other, .duplicate)
        case .sum:
            return .skipped(merge(event, into: slot, other), .merged)
        case .equal:
            guard event.isEqual(to: other) else {
                return .rejected(
                    HabitError(
                        .duplicateKey,
                        "the habit has another entry on \(event.time.day) with different values: keep one of the two",
                        field: Field.day.name))
            }
            return .skipped(event, .duplicate)
        }
    }

    /// Whether an entry with a globally unique ID is part of a sum.
    func hasSummed(id: String) -> Bool { summed[.id(id)] != nil }

    /// Whether an entry of a habit that begins at an instant is part of a sum, on any day.
    func hasSummed(habit: Int, at: Instant) -> Bool { starts.contains(Start(habit: habit, at: at)) }

    /// Registers an entry whose amount is part of a sum.
    ///
    /// - Returns: The result if the import already contains the entry, otherwise `nil`.
    private mutating func repetition(of event: Event) -> Result? {
        let draft = event.draft
        let identity: Identity =
            draft.id.map(Identity.id)
            ?? .values(
                habit: event.habit, day: event.time.day, at: event.time.at?.instant, amount: draft.amount.value,
                comment: draft.comment.value)
        guard let other = summed[identity] else {
            summed[identity] = event
            if let at = event.time.at?.instant { starts.insert(Start(habit: event.habit, at: at)) }
            return nil
        }
        guard draft.id == nil || event.isRepetition(of: other) else {
            return .rejected(
                HabitError(
                    .duplicateKey,
                    "another entry of the import has the same id and other values: import only the newer one",
                    field: Field.id.name))
        }
        return .skipped(event, .duplicate)
    }

    /// The events that later entries have removed, since the last call of ``removeReplacements()``.
    private var replacements: [Event] = []

    /// Removes and returns the events that entries without an event have removed.
    mutating func removeReplacements() -> [Event] {
        defer { replacements = [] }
        return replacements
    }

    /// Removes an event.
    mutating func remove(at index: Int) { all[index] = nil }

    /// Replaces an event.
    ///
    /// The new event has the same habit and day.
    mutating func replace(_ event: Event, at index: Int) { all[index] = event }

    /// Merges two events of a day and returns the later one.
    private mutating func merge(_ event: Event, into slot: Int, _ other: Event) -> Event {
        let isEarlier =
            switch (event.time.at?.instant, other.time.at?.instant) {
            case (let first?, let second?): first < second
            default: false
            }
        var kept = isEarlier ? event : other
        var merged = isEarlier ? other : event
        kept.ownAmount = kept.ownAmount ?? kept.draft.amount
        if let first = kept.draft.amount.value, let second = merged.draft.amount.value {
            kept.draft.amount = .value(((first + second) * 10).rounded() / 10)
        } else if let second = merged.draft.amount.value {
            kept.draft.amount = .value(second)
        }
        all[slot] = kept
        merged.draft = merged.entry
        merged.ownAmount = nil
        return merged
    }
}

extension ImportedEvents.Event {
    /// Whether the entry has the values of another entry.
    ///
    /// The position can differ, because the file with the route can be missing in one of the inputs.
    fileprivate func isRepetition(of other: ImportedEvents.Event) -> Bool {
        habit == other.habit && time == other.time && draft.amount == other.draft.amount
            && draft.comment == other.draft.comment
    }

    fileprivate func isEqual(to other: ImportedEvents.Event) -> Bool {
        time == other.time && draft.outcome == other.draft.outcome && draft.amount == other.draft.amount
            && draft.comment == other.draft.comment && draft.position == other.draft.position
            && draft.id == other.draft.id
    }
}
