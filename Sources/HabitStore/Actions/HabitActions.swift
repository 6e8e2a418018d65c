import HabitModel
import StoreEngine

/// What is said of a habit when it is made or changed: what is absent stays as it is.
public struct HabitDraft: Sendable {
    public var title: Given<String> = .absent
    public var schedule: Given<Schedule> = .absent
    public var reason: Given<String> = .absent
    public var start: Given<Day> = .absent
    public var end: Given<Day> = .absent

    public init() {}
}

/// What a user does with their habits.
public struct HabitActions {
    private let user: ActingUser

    public init(_ user: ActingUser) { self.user = user }

    /// Makes a habit that starts today, unless the draft says otherwise, and gives its id.
    ///
    /// Throws `title-empty`, `title-too-long`, `reason-too-long`, `schedule-empty`, `day-invalid`, `id-invalid`, `duplicate-key`.
    public func add(_ draft: HabitDraft, id: String? = nil) throws -> String {
        let title = try TextRule.title.check(draft.title.value ?? "")
        guard let schedule = draft.schedule.value else { throw Schedule.missing }
        let id = try user.newID(id, .habit, of: [title])
        var record = HabitRecord(id: id, user: user.id, title: title, schedule: schedule)
        record.reason = try reason(of: draft)
        record.start = .value(draft.start.value ?? user.today)
        record.end = draft.end
        try user.write(.habit(record))
        return id
    }

    /// Changes a habit. A new schedule holds from today on, and from the beginning where `rewritesPast`.
    ///
    /// Throws as ``add(_:id:)``, `not-found` and `not-yours`.
    public func edit(_ id: String, _ draft: HabitDraft, rewritesPast: Bool = false) throws {
        let key = try user.things.require(.edit, .habit, id)
        let stored = try stored(key)
        var record = HabitRecord(
            id: id.composed, user: user.id, title: try TextRule.title.check(titleGiven(draft, or: stored.title)),
            schedule: stored.history.first)
        record.reason = try reason(of: draft)
        record.start = draft.start
        record.end = draft.end
        if case .null = draft.schedule { throw Schedule.missing }
        guard let schedule = draft.schedule.value else { return try user.write(.habit(record)) }
        let isNew = stored.history.start.map { $0 >= user.today } ?? false
        if rewritesPast || isNew {
            record.schedule = schedule
            try user.delete(from: "habit_schedule", where: "habit_id = :habit", ["habit": .integer(key)])
            try user.write(.habit(record), reschedule: key)
        } else {
            try user.delete(
                from: "habit_schedule", where: "habit_id = :habit AND from_day >= :today",
                ["habit": .integer(key), "today": .day(user.today)])
            let version = ScheduleRecord(habit: id.composed, from: user.today, schedule: schedule)
            try user.write(.habit(record), .schedule(version), reschedule: key)
        }
    }

    /// Deletes a habit with its events, for good, and says how many events there were.
    public func delete(_ id: String) throws -> Int {
        let key = try user.things.require(.delete, .habit, id)
        let events = try user.delete(from: "event", where: "habit_id = :habit", ["habit": .integer(key)])
        try user.delete(from: "habit", where: "id = :habit", ["habit": .integer(key)])
        try PhotoWriter.removeUnused(in: user.session)
        return events
    }

    private func stored(_ key: Int64) throws -> (title: String, history: ScheduleHistory) {
        let title = try user.session.first(
            SQL("SELECT title FROM habit WHERE id = :habit", ["habit": .integer(key)])
        ) { $0.text(0) ?? "" }
        guard let title, let (history, _) = try HabitHistoryReader(user.session).history(of: key) else {
            throw HabitError(.internal, "the habit has no schedule")
        }
        return (title, history)
    }

    /// A title that is given as nothing is an empty one.
    private func titleGiven(_ draft: HabitDraft, or stored: String) -> String {
        if case .absent = draft.title { stored } else { draft.title.value ?? "" }
    }

    private func reason(of draft: HabitDraft) throws -> Given<String> {
        try draft.reason.map { try TextRule.reason.check($0) }
    }
}
