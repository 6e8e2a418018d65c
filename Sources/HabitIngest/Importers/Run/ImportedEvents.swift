import HabitModel

/// The events of an import, one for each habit and day.
struct ImportedEvents {
    /// An event with its habit, its day and its instant.
    struct Event {
        var draft: ImportedEvent
        var habit: Int
        var time: ImportTime.Resolved
        var part: Int
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

    /// The events in the order in which their days first occur.
    private(set) var all = SegmentedArray<Event?>()
    /// The index of the event of each day, or -1 if an entry that is not an event applies.
    private var slots: [Key: Int] = [:]

    /// Adds an entry by the rule of its format.
    mutating func add(_ event: Event, _ rule: SameDayRule) -> Result {
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
            case .sum, .equal: break
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
        case .last:
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

    /// The events that later entries have removed, since the last call of ``takeReplacements()``.
    private var replacements: [Event] = []

    /// Removes and returns the events that entries without an event have removed.
    mutating func takeReplacements() -> [Event] {
        defer { replacements = [] }
        return replacements
    }

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
        var (kept, merged) = isEarlier ? (event, other) : (other, event)
        if let first = kept.draft.amount.value, let second = merged.draft.amount.value {
            kept.draft.amount = .value(((first + second) * 10).rounded() / 10)
        } else if let second = merged.draft.amount.value {
            kept.draft.amount = .value(second)
        }
        all[slot] = kept
        merged.draft.amount = merged.draft.amount.value.map { .value($0) } ?? .absent
        return merged
    }
}

extension ImportedEvents.Event {
    fileprivate func isEqual(to other: ImportedEvents.Event) -> Bool {
        time == other.time && draft.outcome == other.draft.outcome && draft.amount == other.draft.amount
            && draft.comment == other.draft.comment && draft.position == other.draft.position
            && draft.id == other.draft.id
    }
}
