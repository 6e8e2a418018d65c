import Base
import HabitModel
import HabitStore

/// The rules for events that earlier imports have stored.
extension ImportRun {
    // MARK: Sums

    /// Skips the sums of days whose stored event is the sum of other entries.
    ///
    /// The store has the ID and the start of only the earliest entry of a day. It does not have the other entries of the
    /// sum, so the import changes a stored event only if the input contains its earliest entry. The others are `merged`.
    /// A repeated import therefore changes nothing, whatever the order of the inputs is.
    func keepStoredSums() throws {
        // The other policies never replace a stored event.
        guard options.policy == .update else { return }
        var days = 0
        for index in events.all.indices {
            guard let event = events.all[index], keepsStored(event) else { continue }
            days += 1
            events.remove(at: index)
            try skip(event.entry, .merged, of: event.part)
        }
        guard days > 0 else { return }
        let ofDays = days == 1 ? "event of 1 day has" : "events of \(days) days have"
        summary.notices.append(
            ImportNotice(
                "The stored \(ofDays) other workouts of earlier imports and did not change",
                .advice("import all files of a day with one command to store the sum of its workouts")))
    }

    /// Whether a stored event has entries that are not in the input.
    private func keepsStored(_ event: ImportedEvents.Event) -> Bool {
        let importer = importer(of: event.part)
        guard importer.sameDay == .sum, let stored = storedEvent(of: event) else { return false }
        guard let start = stored.at else { return false }
        let hasEarliestEntry = events.hasSummed(id: stored.id) || events.hasSummed(habit: event.habit, at: start)
        guard hasEarliestEntry else { return true }
        // A smaller sum is a correction only if the input contains all entries.
        guard !importer.isComplete else { return false }
        guard let storedSum = stored.amount, let sum = event.draft.amount.value else { return false }
        return sum < storedSum
    }

    /// Returns the stored event of the habit and the day of an event, or `nil` if it does not exist.
    private func storedEvent(of event: ImportedEvents.Event) -> ImportAccount.Event? {
        account.event(habit: habits[event.habit].id, day: event.time.day)
    }

    // MARK: IDs

    /// Determines the IDs of events whose source has globally unique IDs.
    ///
    /// A stored event of a day keeps its ID, even if a newer export has an earlier entry on the day. If the newer export
    /// has the entry with this ID on another day or in another habit, and that day is free, the stored event moves
    /// there, and the event of its former day gets its own ID.
    ///
    /// - Returns: The indices of the events that move, in the order in which they must be written before the others.
    func assignIDs() -> [Int] {
        var storedIDs: [Int: String] = [:]
        var holders: [String: Int] = [:]
        // The events whose own ID can be the ID of a stored event elsewhere.
        var pending: [Int] = []
        for (index, event) in events.all.enumerated() {
            guard let event, event.draft.id != nil else { continue }
            if let id = storedID(of: event) {
                storedIDs[index] = id
                holders[id] = index
            } else {
                pending.append(index)
            }
        }
        var moves: [Int] = []
        var next = 0
        while next < pending.count {
            let index = pending[next]
            next += 1
            guard let id = events.all[index]?.draft.id else { continue }
            guard let holder = holders.removeValue(forKey: id) else { continue }
            moves.append(index)
            storedIDs[holder] = nil
            pending.append(holder)
        }
        for (index, id) in storedIDs {
            guard var event = events.all[index] else { continue }
            event.draft.id = id
            events.replace(event, at: index)
        }
        return moves
    }

    /// Returns the ID of the stored event of the habit and the day if an earlier import of the same source has set it.
    private func storedID(of event: ImportedEvents.Event) -> String? {
        guard let id = event.draft.id, let stored = storedEvent(of: event) else { return nil }
        guard stored.hasOwnID else { return nil }
        let source = id.prefix { character in character != ":" } + ":"
        return stored.id.hasPrefix(source) ? stored.id : nil
    }

    // MARK: Events of other users

    /// Returns the new habits whose events all belong to another user, which the import does not store.
    func findHabitsOfOthers(_ writer: RecordWriter) throws -> Set<Int> {
        var idsByHabit: [Int: [String]] = [:]
        // The habits with an event whose ID the store derives, which is not the ID of another user's event.
        var habitsWithDerivedIDs: Set<Int> = []
        for case let event? in events.all {
            let habit = habits[event.habit]
            guard habit.isImplied, !habits.isStored(habit.id) else { continue }
            if let id = event.draft.id {
                idsByHabit[event.habit, default: []].append(id)
            } else {
                habitsWithDerivedIDs.insert(event.habit)
            }
        }
        var foreignHabits: Set<Int> = []
        for (habit, ids) in idsByHabit where !habitsWithDerivedIDs.contains(habit) {
            let areOfOther = try ids.allSatisfy { id in
                try writer.isEventOfOther(id, than: account.id)
            }
            if areOfOther { foreignHabits.insert(habit) }
        }
        return foreignHabits
    }

    /// Returns the error of an event that belongs to another user.
    func otherOwner(_ event: ImportedEvents.Event) -> HabitError {
        let id = event.draft.id ?? ""
        return HabitError(.fieldInvalid, "the event '\(id)' belongs to another user", field: Field.user.name)
    }
}
