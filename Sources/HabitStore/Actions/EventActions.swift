import Base
import Geo
import HabitModel
import StoreEngine

/// The values for a new or changed event.
///
/// A change keeps the stored values of absent fields.
public struct EventDraft: Sendable {
    /// The calendar day, or `nil` for the day of `at` or else the current date.
    public var day: Day?
    /// The instant.
    ///
    /// A new event without one that is done on the current date has the current instant.
    public var at: FieldInput<OffsetInstant> = .absent
    /// The local time on the day of the event, which replaces ``at``.
    public var timeOfDay: TimeOfDay?
    /// The comment, the amount, the photo and the position.
    public var details = EventDetails()
    /// Whether the event may be on a day on which the habit is not due.
    ///
    /// The event is then unplanned.
    public var allowsUnplanned = false

    /// Creates an empty draft.
    public init() {}

    /// Whether the draft has no value except the day.
    var isEmpty: Bool {
        guard case .absent = at else { return false }
        return timeOfDay == nil && details == EventDetails()
    }
}

/// Records, changes and deletes events.
///
/// A habit has one event for each day.
public struct EventActions {
    let user: ActingUser
    /// The journal of the changes, or `nil` to keep none.
    public let journal: EventJournal?

    /// Creates the actions of a user.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - journal: The journal to which the actions add each changed event, or `nil` to keep none.
    public init(_ user: ActingUser, journal: EventJournal? = nil) {
        self.user = user
        self.journal = journal
    }

    /// Records that a habit was done on a due day, and returns the ID of the event.
    ///
    /// If the day was skipped, the new event replaces the event of that day and keeps its ID.
    ///
    /// - Parameters:
    ///   - name: The ID or the title of the habit.
    ///   - draft: The values of the event. The day is the current date if the draft has neither a day nor an instant.
    ///   - id: The ID of a new event, or `nil` for a derived ID.
    /// - Returns: The ID of the event.
    /// - Throws: `not-found`, `not-yours`, `usage` if several habits have the title, `id-invalid`, `duplicate-key`,
    ///   `event-not-due`, `day-in-future`, `day-mismatch`, `event-exists`, `comment-too-long` or
    ///   `location-not-permitted`.
    public func add(habit name: String, _ draft: EventDraft, id: String? = nil) throws -> String {
        try record(habit: name, draft, .done, id: id)
    }

    /// Records that a due day of a habit is skipped.
    ///
    /// The day then does not count as due. A skipped event stores all values of the draft.
    ///
    /// - Parameters:
    ///   - name: The ID or the title of the habit.
    ///   - draft: The values of the event. The day is the current date if the draft has neither a day nor an instant.
    ///   - id: The ID of the event, or `nil` for a derived ID.
    /// - Returns: The ID of the event.
    /// - Throws: The errors of ``add(habit:_:id:)``.
    public func skip(habit name: String, _ draft: EventDraft, id: String? = nil) throws -> String {
        try record(habit: name, draft, .skipped, id: id)
    }

    /// Records the outcome of a day, or changes the event of the day.
    ///
    /// If the day has an event with this outcome, the event gets the values of the draft. A draft without values
    /// changes nothing. A skipped day can become done.
    ///
    /// - Parameters:
    ///   - name: The ID or the title of the habit.
    ///   - draft: The values of the event. The day is the current date if the draft has neither a day nor an instant.
    ///   - outcome: The outcome of the day.
    /// - Returns: The ID of the event.
    /// - Throws: The errors of ``add(habit:_:id:)``; `event-exists` only if a day that is done would be skipped.
    public func put(habit name: String, _ draft: EventDraft, as outcome: Outcome) throws -> String {
        let habit = try user.names.habitID(name, own: true)
        let key = try user.access.require(.record, on: .habit, id: habit)
        let day = day(of: draft)
        guard try outcomeStored(key, day) == outcome else {
            return try record(habit: habit, draft, outcome, id: nil)
        }
        let event = try id(key, day)
        if !draft.isEmpty {
            var draft = draft
            draft.day = day
            try edit(event, draft)
        }
        return event
    }

    /// Returns the day of the draft, or else the current date.
    ///
    /// - Parameter draft: The values of an event.
    /// - Returns: The day.
    public func day(of draft: EventDraft) -> Day {
        if let day = draft.day {
            return day
        }
        return draft.at.value?.day(in: user.zone) ?? user.today
    }

    private func record(
        habit name: String,
        _ draft: EventDraft,
        _ outcome: Outcome,
        id given: String?
    ) throws -> String {
        // This check precedes all lookups, so that its error reveals nothing about the store.
        let given = try given.map { id in
            try checkClientID(id, of: user.id)
        }
        let habit = try user.names.habitID(name, own: true)
        let key = try user.access.require(.record, on: .habit, id: habit)
        let day = day(of: draft)
        var record = EventRecord(habit: habit)
        record.day = day
        record.outcome = .value(outcome)
        record.at = instant(of: draft, on: day, outcome)
        try requireDue(day, of: draft, outcome, habit: habit, key: key)
        try fill(&record, from: draft)
        if let stored = try outcomeStored(key, day) {
            guard stored == .skipped, outcome == .done else {
                let event = try self.id(key, day)
                throw HabitError(
                    .eventExists,
                    "the habit '\(habit)' already has the event '\(event)' on \(day)",
                    field: "day",
                    parameters: [.day(day), .event(event)],
                    .take(outcome == .done ? .editEvent : .deleteEvent))
            }
            record.replaceAll()
        } else if let given {
            record.id = try user.newID(given, .event, of: [])
        }
        let before = try kept(EventSnapshot.of(habit: key, on: day, of: user))
        try user.write(.event(record))
        let event = try id(key, day)
        try journal?.add(event, before, of: user)
        return event
    }

    /// Returns the instant of the draft, or the current instant if the habit was done on the current date.
    private func instant(of draft: EventDraft, on day: Day, _ outcome: Outcome) -> FieldInput<OffsetInstant> {
        let chosen = chosenInstant(of: draft, on: day)
        if chosen.value != nil {
            return chosen
        }
        guard outcome == .done, user.now.day(in: user.zone) == day else {
            return .absent
        }
        return .value(user.now)
    }

    /// Returns the instant of the draft for an event on a day.
    private func chosenInstant(of draft: EventDraft, on day: Day) -> FieldInput<OffsetInstant> {
        guard let time = draft.timeOfDay else { return draft.at }
        let zone = user.clock.timeZone ?? user.zone
        return .value(time.instant(on: day, in: zone))
    }

    /// Compares the amount of an event with the target amount of its habit.
    ///
    /// - Parameter id: The ID of an event of the user.
    /// - Returns: The amounts if the event is below the target, so that its day does not count as done; otherwise `nil`.
    /// - Throws: An error of the engine.
    public func shortfall(of id: String) throws -> AmountProgress? {
        let sql: SQL = """
            SELECT event.amount, habit.target_amount, habit.unit
            FROM event
            \(EventTable.habitJoin)
            WHERE event.user_id = \(.integer(user.key), as: "user")
              AND event.external_id = \(.text(id.composed), as: "event")
              AND event.outcome = 'done'
              AND habit.target_amount IS NOT NULL
            """
        let progress = try user.session.first(sql) { row in
            AmountProgress(
                amount: row.isNull(0) ? nil : row.number(0),
                target: row.number(1),
                unit: row.text(2))
        }
        guard let progress, !progress.isReached else { return nil }
        return progress
    }

    /// Changes an event.
    ///
    /// The event keeps its day unless the draft has another day.
    ///
    /// A habit has at most one event for each day, also after the change.
    ///
    /// - Parameters:
    ///   - id: The ID of the event.
    ///   - draft: The values to change.
    /// - Throws: The errors of ``add(habit:_:id:)``.
    public func edit(_ id: String, _ draft: EventDraft) throws {
        try edit(id, EventChange(draft))
    }

    /// Changes an event whose fixed fields have the stored values or are omitted.
    ///
    /// - Parameters:
    ///   - id: The ID of the event.
    ///   - change: The values to change.
    /// - Throws: `field-invalid` if the habit or the outcome differs from the stored one, and the errors of
    ///   ``add(habit:_:id:)``.
    func edit(_ id: String, _ change: EventChange) throws {
        let stored = try user.access.require(
            .edit,
            on: .event,
            id: id,
            reading: StoredEvent.columns,
            StoredEvent.init)
        try stored.requireFixedFields(of: change)
        let draft = change.draft
        var record = EventRecord(habit: stored.habitID)
        record.id = id.composed
        let day = draft.day ?? stored.day
        record.day = day
        record.at = chosenInstant(of: draft, on: day)
        if day != stored.day {
            try requireDue(day, of: draft, stored.outcome ?? .done, habit: stored.habitID, key: stored.habit)
            // The stored instant belongs to the previous day.
            if record.at.value == nil, stored.hasInstant {
                record.at = .null
            }
        }
        try fill(&record, from: draft)
        let before = try kept(EventSnapshot.of(id, of: user))
        try user.write(.event(record))
        try journal?.add(id, before, of: user)
    }

    /// Deletes an event, and its photo if no other record uses it.
    ///
    /// - Parameter id: The ID of the event.
    /// - Throws: `not-found` or `not-yours`.
    public func delete(_ id: String) throws {
        let key = try user.access.require(.delete, on: .event, id: id)
        let before = try kept(EventSnapshot.of(id, of: user))
        try user.delete(.events, where: "id = \(.integer(key), as: "event")")
        try PhotoWriter.removeUnused(in: user.session)
        try journal?.add(id, before, of: user)
    }

    // MARK: Common steps

    /// Returns an event before its change, and keeps its photo, or `nil` without a journal.
    private func kept(_ event: @autoclosure () throws -> EventSnapshot?) throws -> EventSnapshot? {
        guard let journal else { return nil }
        let before = try event()
        try journal.keepPhoto(of: before, in: user.session)
        return before
    }

    private func fill(_ record: inout EventRecord, from draft: EventDraft) throws {
        try user.requirePermission(toStore: draft.details.position)
        record.details = try draft.details.checked(user.settings)
    }

    /// Checks that an event may have a day.
    ///
    /// A habit can be done on a paused day. Its event is then unplanned.
    ///
    /// - Parameters:
    ///   - day: The day of the event.
    ///   - draft: The draft of the event, which may have an instant.
    ///   - outcome: The outcome of the event.
    ///   - habit: The ID of the habit.
    ///   - key: The key of the habit.
    /// - Throws: `day-in-future` or `event-not-due`.
    private func requireDue(
        _ day: Day,
        of draft: EventDraft,
        _ outcome: Outcome,
        habit: String,
        key: Int64
    ) throws {
        try requireNotInFuture(day, of: draft)
        let reader = HabitHistoryReader(user.session)
        guard let history = try reader.history(of: key)?.schedule else { return }
        let isDone = outcome == .done
        if history.includes(day) || draft.allowsUnplanned || isDone && history.isScheduled(on: day) {
            return
        }
        let reason = NotDueReason(day, history)
        let conjunction = reason.remedies.isEmpty ? ":" : ", because"
        let zone = zoneOfDerivedDay(draft)
        let zoneText = zone.map { zone in " (time zone \(zone))" } ?? ""
        var error = HabitError(
            .eventNotDue,
            "the habit '\(habit)' is not due on \(day)\(zoneText)\(conjunction) \(reason.text)",
            field: "day",
            parameters: [.day(day)])
        if let zone {
            error.parameters.append(.timeZone(zone))
        }
        error.remedies = reason.remedies
        throw error
    }

    /// The ID of the time zone of the current date.
    private var zoneOfToday: String {
        let zone = user.clock.timeZone ?? user.zone
        return zone.id
    }

    /// Returns the time zone or UTC offset of a date that the user did not choose, or `nil` for a chosen day.
    private func zoneOfDerivedDay(_ draft: EventDraft) -> String? {
        guard draft.day == nil else { return nil }
        guard let offset = draft.at.value?.offset else {
            return zoneOfToday
        }
        return "\(offset)"
    }

    /// Checks that a day has begun for the user.
    ///
    /// - Throws: `day-in-future`.
    private func requireNotInFuture(_ day: Day, of draft: EventDraft) throws {
        let today = user.today
        let lastDay = max(today, dayOfTraveller(draft.at.value) ?? today)
        guard day > lastDay else { return }
        throw HabitError(
            .dayInFuture,
            "\(day) is in the future: today is \(today) in the time zone \(zoneOfToday)",
            field: "day",
            parameters: [.day(day), .today(today), .timeZone(zoneOfToday)])
    }

    /// Returns the date of an instant at its own UTC offset, for a user who is east of the account's time zone.
    ///
    /// - Parameter at: The instant of an event, or `nil`.
    /// - Returns: The date, or `nil` if the instant has no offset or is more than a day ahead of the clock.
    private func dayOfTraveller(_ at: OffsetInstant?) -> Day? {
        let tomorrow = user.clock.now.microseconds + Instant.microsecondsPerDay
        guard let at, at.offset != nil, at.instant.microseconds <= tomorrow else {
            return nil
        }
        return at.day(in: .utc)
    }

    private func outcomeStored(_ habit: Int64, _ day: Day) throws -> Outcome? {
        let sql: SQL = """
            SELECT outcome
            FROM event
            WHERE habit_id = \(.integer(habit), as: "habit") AND day = \(.day(day), as: "day")
            """
        let outcome = try user.session.first(sql) { row -> Outcome? in
            guard let name = row.text(0) else { return nil }
            return Outcome(rawValue: name)
        }
        return outcome ?? nil
    }

    private func id(_ habit: Int64, _ day: Day) throws -> String {
        let sql: SQL = """
            SELECT external_id
            FROM event
            WHERE habit_id = \(.integer(habit), as: "habit") AND day = \(.day(day), as: "day")
            """
        let id = try user.session.first(sql) { row in row.text(0) ?? "" }
        return id ?? ""
    }
}

/// The reason why a habit is not due on a day, and what the user can do.
private struct NotDueReason {
    var text: String
    var remedies: [Remedy] = []

    init(_ day: Day, _ history: ScheduleHistory) {
        if history.missingDates.contains(day) {
            text = "the date does not exist in the time zone of the user"
            remedies = [.advice("choose another day")]
        } else if let start = history.start, day < start {
            text = "it starts on \(start)"
            remedies = [.advice("choose a day from \(start) on"), .take(.editHabit)]
        } else if let end = history.end, day > end {
            text = "it ended on \(end)"
            remedies = [.advice("choose a day up to \(end)"), .take(.editHabit)]
        } else if history.pauses.contains(day) {
            text = "it is paused"
            remedies = [.advice("choose another day"), .take(.resumeHabits)]
        } else {
            text = "it is scheduled on \(history.schedule(on: day))"
        }
    }
}
/// The stored values of an event that a change of the event depends on.
private struct StoredEvent {
    /// The key of the habit.
    var habit: Int64
    /// The ID of the habit.
    var habitID: String
    /// The calendar day.
    var day: Day
    /// Whether the event has an instant.
    var hasInstant: Bool
    /// The outcome.
    var outcome: Outcome?

    /// The columns of `event` that ``init(_:at:)`` reads.
    static let columns: [SQL] = [
        "event.habit_id",
        """
        (
            SELECT habit.external_id FROM habit WHERE habit.id = event.habit_id AND habit.user_id = event.user_id
          )
        """,
        "event.day",
        "event.occurred_at",
        "event.outcome",
    ]

    /// Reads the values from a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - index: The index of the first of the ``columns``.
    /// - Throws: `internal` if the event has no habit or no day.
    init(_ row: any Row, at index: Int) throws {
        guard let habitID = row.text(index + 1),
            let day = row.day(index + 2)
        else {
            throw HabitError(.internal, "the event has no day")
        }
        habit = row.integer(index)
        self.habitID = habitID
        self.day = day
        hasInstant = !row.isNull(index + 3)
        outcome = row.text(index + 4).flatMap(Outcome.init(rawValue:))
    }

    /// Checks that a change keeps the fields that cannot change after the event was created.
    ///
    /// - Throws: `field-invalid` if the change has another habit or another outcome.
    func requireFixedFields(of change: EventChange) throws {
        if let habit = change.habit, habit != habitID {
            throw fixed(.habit, from: habitID, to: habit, "delete the event and create an event of the other habit")
        }
        guard let new = change.outcome, let outcome, new != outcome else { return }
        throw fixed(
            .outcome, from: outcome.rawValue, to: new.rawValue, "delete the event and create another event")
    }

    private func fixed(_ field: Field, from stored: String, to new: String, _ remedy: String) -> HabitError {
        HabitError(
            .fieldInvalid,
            "'\(field.name)' cannot change from '\(stored)' to '\(new)'",
            field: field.name,
            .advice(remedy))
    }
}

extension EventRecord {
    /// Clears all absent values, so that no value of the stored event remains.
    fileprivate mutating func replaceAll() {
        at = at.orNull
        details.clearOmitted()
        details.photo = details.photo.orNull
    }
}
