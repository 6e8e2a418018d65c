import Geo
import HabitModel
import StoreEngine

/// The values with which an event is recorded or changed. A change leaves absent values as they are.
public struct EventDraft: Sendable {
    public var day: Day?
    public var at: OffsetInstant?
    public var details = EventDetails()

    public init() {}
}

/// What users record of their habits: one event for each habit and day.
public struct EventActions {
    private let user: ActingUser

    public init(_ user: ActingUser) { self.user = user }

    /// Records that the habit (by id or title) was done on a due day, today unless the draft says otherwise; gives the id.
    ///
    /// Takes the place of a skipped day, whose event keeps its ID; otherwise `id` is the ID of the new event, if given. Throws
    /// `id-invalid`, `duplicate-key`, `event-not-due`, `day-in-future`, `event-exists`, `comment-too-long`,
    /// `location-not-permitted`, `not-found`, `not-yours`.
    public func add(habit name: String, _ draft: EventDraft, id: String? = nil) throws -> String {
        try record(habit: name, draft, .done, id: id)
    }

    /// Takes a due day out of the count; gives the event's id. Throws as ``add(habit:_:id:)``.
    public func skip(
        habit name: String, day: Day?, comment: Given<String> = .absent, id: String? = nil
    ) throws -> String {
        var draft = EventDraft()
        draft.day = day
        draft.details.comment = comment
        return try record(habit: name, draft, .skipped, id: id)
    }

    private func record(
        habit name: String, _ draft: EventDraft, _ outcome: Outcome, id given: String?
    ) throws -> String {
        // Before any look-up, so that the error tells nothing about the store.
        let given = try given.map { try checkClientID($0, of: user.id) }
        let habit = try user.things.habitID(named: name)
        let key = try user.things.require(.record, .habit, habit)
        let day = draft.day ?? draft.at?.day(in: user.zone) ?? user.today
        var record = EventRecord(habit: habit)
        record.day = day
        record.outcome = .value(outcome)
        record.at = instant(of: draft, on: day, outcome)
        try requireDue(habit, key, day)
        try fill(&record, from: draft)
        if let stored = try outcomeStored(key, day) {
            guard stored == .skipped, outcome == .done else {
                throw HabitError(
                    .eventExists, "the habit '\(habit)' has an event on \(day) already", field: "day",
                    .take(outcome == .done ? .editEvent : .deleteEvent))
            }
            record.replaceAll()
        } else if let given {
            record.id = try user.newID(given, .event, of: [])
        }
        try user.write(.event(record))
        return try id(key, day)
    }

    /// The one given; for what was done today, now.
    private func instant(of draft: EventDraft, on day: Day, _ outcome: Outcome) -> Given<OffsetInstant> {
        if let at = draft.at { return .value(at) }
        return outcome == .done && user.now.day(in: user.zone) == day ? .value(user.now) : .absent
    }

    /// Changes an event; it keeps its day unless another is given, and there is still one for each day.
    ///
    /// Throws as ``add(habit:_:id:)``.
    public func edit(_ id: String, _ draft: EventDraft) throws {
        let key = try user.things.require(.edit, .event, id)
        let sql = SQL(
            """
            SELECT habit.id, habit.external_id, event.day, event.occurred_at
            FROM event
            JOIN habit ON habit.id = event.habit_id
            WHERE event.id = :event
            """, ["event": .integer(key)])
        let stored = try user.session.first(sql) {
            (habit: $0.integer(0), id: $0.text(1) ?? "", day: $0.text(2).flatMap { Day($0) }, hasInstant: !$0.isNull(3))
        }
        guard let stored, let storedDay = stored.day else { throw HabitError(.internal, "the event has no day") }
        var record = EventRecord(habit: stored.id)
        record.id = id.composed
        record.day = draft.day ?? storedDay
        record.at = draft.at.map { .value($0) } ?? .absent
        if let day = draft.day, day != storedDay {
            try requireDue(stored.id, stored.habit, day)
            // The instant belongs to the day that was left.
            if draft.at == nil, stored.hasInstant { record.at = .null }
        }
        try fill(&record, from: draft)
        try user.write(.event(record))
    }

    public func delete(_ id: String) throws {
        let key = try user.things.require(.delete, .event, id)
        try user.delete(from: "event", where: "id = :event", ["event": .integer(key)])
        try PhotoWriter.removeUnused(in: user.session)
    }

    // MARK: What holds for all of them

    private func fill(_ record: inout EventRecord, from draft: EventDraft) throws {
        try user.requirePermission(toStore: draft.details.position)
        record.details = try draft.details.checked()
    }

    private func requireDue(_ habit: String, _ key: Int64, _ day: Day) throws {
        guard day <= user.today else {
            throw HabitError(
                .dayInFuture, "\(day) is in the future: today is \(user.today)", field: "day")
        }
        guard let (history, _) = try HabitHistoryReader(user.session).history(of: key) else { return }
        guard history.includes(day) else {
            let reason: String
            if let start = history.start, day < start {
                reason = "it starts on \(start)"
            } else if let end = history.end, day > end {
                reason = "it ended on \(end)"
            } else {
                reason = "it is scheduled on \(history.schedule(on: day))"
            }
            throw HabitError(
                .eventNotDue, "the habit '\(habit)' is not due on \(day): \(reason)", field: "day")
        }
    }

    private func outcomeStored(_ habit: Int64, _ day: Day) throws -> Outcome? {
        let sql = SQL(
            "SELECT outcome FROM event WHERE habit_id = :habit AND day = :day",
            ["habit": .integer(habit), "day": .day(day)])
        return try user.session.first(sql) { $0.text(0).flatMap(Outcome.init(rawValue:)) } ?? nil
    }

    private func id(_ habit: Int64, _ day: Day) throws -> String {
        let sql = SQL(
            "SELECT external_id FROM event WHERE habit_id = :habit AND day = :day",
            ["habit": .integer(habit), "day": .day(day)])
        return try user.session.first(sql) { $0.text(0) ?? "" } ?? ""
    }
}

extension EventRecord {
    /// Clears everything that is not given, so that nothing of the stored event remains.
    fileprivate mutating func replaceAll() {
        at = at.orNull
        details.clearOmitted()
        details.photo = details.photo.orNull
    }
}
