import Base
import Geo
import HabitModel
import HabitStore

/// The records that the import writes after all inputs are read, and the posts that it writes before.
extension ImportRun {
    /// Writes the records that wait for the end of the inputs.
    func finish(_ writer: RecordWriter) throws {
        try locate()
        try writePosts(to: writer)
        try keepStoredSums()
        habitsOfOthers = try findHabitsOfOthers(writer)
        try writeHabits(to: writer)
        try writeEvents(to: writer)
    }

    // MARK: Positions

    /// Sets the positions of records without one from the tracks of the options.
    private func locate() throws {
        guard !options.tracks.isEmpty else { return }
        let instants = instantsWithoutPosition
        var options = options
        options.timeZone = zone
        let positions = try TrackPositions(of: instants, from: options)
        setPositions(from: positions)
        let found = instants.count { instant in positions[instant] != nil }
        summary.notices.append(
            ImportNotice(
                "The tracks contain the positions of \(found) of \(instants.count) entries without a position."))
        summary.notices += positions.notices
    }

    /// The instants of the events and posts that have an instant and no position.
    private var instantsWithoutPosition: [Instant] {
        var instants: [Instant] = []
        for case let event? in events.all where event.draft.position == nil {
            if let at = event.time.at { instants.append(at.instant) }
        }
        for post in waiting where post.record.position.value == nil {
            if let at = post.record.postedAt.value { instants.append(at.instant) }
        }
        return instants
    }

    /// Sets the positions of the events and posts without a position.
    private func setPositions(from positions: TrackPositions) {
        events.update { event in
            guard event.draft.position == nil, let at = event.time.at else { return }
            event.draft.position = positions[at.instant]
        }
        for index in waiting.indices {
            let record = waiting[index].record
            guard record.position.value == nil, let at = record.postedAt.value else { continue }
            guard let position = positions[at.instant] else { continue }
            waiting[index].record.position = .value(position)
        }
    }

    // MARK: Posts

    /// Writes the posts that wait to be written.
    func writePosts(to writer: RecordWriter) throws {
        defer { waiting.removeAll(keepingCapacity: true) }
        for batch in waiting.batches(of: Self.batchSize) {
            try writer.withPrefetch(batch.map { .post($0.record) }) {
                for post in batch { try write(post, to: writer) }
            }
        }
    }

    private func write(_ post: WaitingPost, to writer: RecordWriter) throws {
        var record = post.record
        do {
            if let photo = post.photo {
                let bytes = try photo.bytes()
                record.photo = .value(try stored(bytes, of: .posts))
            }
        } catch let error as HabitError where !error.isOfCompleteInput {
            return try reject(post, error)
        }
        try write(.post(record), as: .posts, of: post.part, to: writer) { error in
            try reject(post, error)
        }
    }

    // MARK: Habits

    private func writeHabits(to writer: RecordWriter) throws {
        for case let event? in events.all {
            habits[event.habit].add(event.time.day)
        }
        for index in habits.all.indices {
            guard let draft = draftToWrite(ofHabitAt: index) else { continue }
            let habit = habits[index]
            do {
                let record = try record(of: habit, draft)
                try write(.habit(record), as: .habits, of: habit.part, to: writer) { throw $0 }
            } catch let error as HabitError where error.code != .internal {
                habits[index].isRejected = true
                try reject(habit, draft: draft, error)
            }
        }
    }

    /// Returns the draft of a habit, or `nil` if the habit is not written.
    ///
    /// The result of such a habit is counted.
    private func draftToWrite(ofHabitAt index: Int) -> ImportedHabit? {
        let habit = habits[index]
        if habit.isRejected { return nil }
        guard let draft = habit.draft else {
            summary.add(.habits, .unchanged, part: habit.part)
            return nil
        }
        if habit.days == nil, draft.isArchived {
            let reason = SkipReason.archivedEmpty.rawValue
            summary.add(.habits, .skipped, reason: reason, part: habit.part)
            return nil
        }
        let isUnused = habit.days == nil && !habit.hasRejectedEvents
        if habit.isImplied, isUnused || habitsOfOthers.contains(index) { return nil }
        if draft.keepsStored, habits.isStored(habit.id) {
            summary.add(.habits, .unchanged, part: habit.part)
            return nil
        }
        return draft
    }

    // MARK: Events

    private func writeEvents(to writer: RecordWriter) throws {
        let moves = assignIDs()
        for index in moves {
            guard let event = events.all[index] else { continue }
            try write([event], remaining: 0, to: writer)
        }
        let moved = Set(moves)
        let count = events.all.count
        for start in stride(from: 0, to: count, by: Self.batchSize) {
            let end = min(start + Self.batchSize, count)
            let batch = (start..<end).compactMap { index in
                moved.contains(index) ? nil : events.all[index]
            }
            try write(batch, remaining: count - end, to: writer)
        }
    }

    /// Writes events and rejects those whose records are invalid.
    ///
    /// - Parameters:
    ///   - batch: The events.
    ///   - remaining: The number of events after the batch.
    ///   - writer: The writer.
    /// - Throws: The error of a complete input, or the error of the receiver of findings.
    private func write(
        _ batch: [ImportedEvents.Event],
        remaining: Int,
        to writer: RecordWriter
    ) throws {
        var accepted: [(event: ImportedEvents.Event, record: EventRecord)] = []
        for event in batch {
            do {
                if habits[event.habit].isRejected { throw rejectedHabit(event.habit) }
                if habitsOfOthers.contains(event.habit) { throw otherOwner(event) }
                accepted.append((event, try record(of: event)))
            } catch let error as HabitError where !error.isOfCompleteInput {
                try reject(event, error)
            }
        }
        try writer.withPrefetch(accepted.map { .event($0.record) }, estimatedRemaining: remaining) {
            for (event, record) in accepted {
                try write(.event(record), as: .events, of: event.part, to: writer) { error in
                    try reject(event, error)
                }
            }
        }
    }

    // MARK: Records

    /// Writes a record and counts the result.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - kind: The kind of the record.
    ///   - part: The index of the input.
    ///   - writer: The writer.
    ///   - onError: A closure that receives the error of a record that breaks a rule.
    /// - Throws: An error of the engine, or the error of `onError`.
    private func write(
        _ record: Record,
        as kind: RecordKind,
        of part: Int,
        to writer: RecordWriter,
        onError: (HabitError) throws -> Void
    ) throws {
        do {
            let outcome = try writer.write(record)
            summary.add(kind, ImportSummary.Result(outcome), part: part)
            preview(record, kind)
        } catch let error as HabitError where error.code != .internal {
            try onError(error)
        }
    }
}

extension ImportSummary.Result {
    /// Creates the result of an entry whose record is written.
    fileprivate init(_ outcome: WriteOutcome) {
        switch outcome {
        case .inserted: self = .inserted
        case .updated: self = .updated
        case .unchanged: self = .unchanged
        }
    }
}

extension ImportedEvents {
    /// Calls `body` with each event, which it may change except for its habit and day.
    fileprivate mutating func update(_ body: (inout Event) throws -> Void) rethrows {
        for index in all.indices {
            guard var event = all[index] else { continue }
            try body(&event)
            replace(event, at: index)
        }
    }
}

extension Array {
    /// The consecutive slices with at most `size` elements.
    fileprivate func batches(of size: Int) -> some Sequence<ArraySlice<Element>> {
        stride(from: 0, to: count, by: size).lazy.map { start in
            self[start..<Swift.min(start + size, count)]
        }
    }
}
