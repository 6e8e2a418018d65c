import Base
import HabitModel
import StoreEngine

/// The values for a new or changed habit.
///
/// A change keeps the stored values of absent fields.
public struct HabitDraft: Sendable {
    /// The title.
    public var title: FieldInput<String> = .absent
    /// The weekdays on which the habit is due, or its target.
    public var schedule: FieldInput<Schedule> = .absent
    /// The reason for the habit.
    ///
    /// Only the owner can see it.
    public var reason: FieldInput<String> = .absent
    /// The first day of the habit.
    public var start: FieldInput<Day> = .absent
    /// The last day of the habit.
    public var end: FieldInput<Day> = .absent
    /// The amount that an event needs so that its day is done.
    public var targetAmount: FieldInput<Double> = .absent
    /// The unit of the amounts, at most 20 characters.
    public var unit: FieldInput<String> = .absent
    /// The number of the tint.
    public var tint: FieldInput<Int> = .absent
    /// The symbol, which is one character.
    public var symbol: FieldInput<String> = .absent
    /// The place of the habit among the owner's habits.
    ///
    /// Only the owner can see it.
    public var rank: FieldInput<Int> = .absent
    /// The local time of a reminder on each due day.
    ///
    /// Only the owner can see it.
    public var remindAt: FieldInput<TimeOfDay> = .absent

    /// Creates an empty draft.
    public init() {}
}

/// Creates, changes and deletes the habits of a user.
public struct HabitActions {
    private let user: ActingUser

    /// Creates the actions of `user`.
    public init(_ user: ActingUser) {
        self.user = user
    }

    /// Creates a habit, which starts on the current date unless the draft has a start day.
    ///
    /// - Parameters:
    ///   - draft: The values of the habit, which must include a title and weekdays.
    ///   - id: The ID of the habit, or `nil` for a derived ID.
    /// - Returns: The ID of the habit.
    /// - Throws: `title-empty`, `title-too-long`, `reason-too-long`, `schedule-empty`, `field-invalid`, `text-invalid`,
    ///   `day-invalid`, `id-invalid` or `duplicate-key`.
    public func add(_ draft: HabitDraft, id: String? = nil) throws -> String {
        let givenTitle = draft.title.value ?? ""
        let title = try TextRule.title.check(givenTitle, user.settings)
        guard let schedule = draft.schedule.value else {
            throw Schedule.missing
        }
        let id = try user.newID(id, .habit, of: [title])
        var record = HabitRecord(
            id: id,
            user: user.id,
            title: title,
            schedule: schedule)
        record.start = .value(draft.start.value ?? user.today)
        record.end = draft.end
        try fill(&record, from: draft)
        try user.write(.habit(record))
        return id
    }

    /// Changes a habit.
    ///
    /// New weekdays apply from the current date on.
    ///
    /// - Parameters:
    ///   - id: The ID of the habit.
    ///   - draft: The values to change.
    ///   - rewritesPast: Whether new weekdays apply from the start of the habit.
    /// - Throws: `not-found`, `not-yours`, or the errors of ``add(_:id:)``.
    public func edit(_ id: String, _ draft: HabitDraft, rewritesPast: Bool = false) throws {
        let key = try user.access.require(.edit, on: .habit, id: id)
        let stored = try stored(key)
        let givenTitle = titleGiven(draft, or: stored.title)
        let title = try TextRule.title.check(givenTitle, user.settings)
        var record = HabitRecord(
            id: id.composed,
            user: user.id,
            title: title,
            schedule: stored.history.first)
        record.start = draft.start
        record.end = draft.end
        try fill(&record, from: draft)
        if case .null = draft.schedule {
            throw Schedule.missing
        }
        guard let schedule = draft.schedule.value else {
            return try user.write(.habit(record))
        }
        let changes: SQL = """
            user_id = \(.integer(user.key), as: "user") AND habit_id = \(.integer(key), as: "habit")
            """
        if rewritesPast || hasNotBegun(stored.history) {
            record.schedule = schedule
            try user.delete(.schedules, where: changes)
            try user.write(.habit(record), reschedule: key)
            return
        }
        let today: SQL = "\(.day(user.today), as: "today")"
        let later = try user.delete(.schedules, where: "\(changes) AND from_day > \(today)")
        if later == 0, stored.history.schedule(on: user.today) == schedule {
            return try user.write(.habit(record))
        }
        let version = ScheduleRecord(
            habit: id.composed,
            from: user.today,
            schedule: schedule)
        try user.write(.habit(record), .schedule(version), reschedule: key)
    }

    /// Whether a habit starts on the current date or later.
    private func hasNotBegun(_ history: ScheduleHistory) -> Bool {
        guard let start = history.start else { return false }
        return start >= user.today
    }

    /// Deletes a habit, its pauses and its events permanently.
    ///
    /// - Parameter id: The ID of the habit.
    /// - Returns: The number of deleted events.
    /// - Throws: `not-found` or `not-yours`.
    public func delete(_ id: String) throws -> Int {
        let key = try user.access.require(.delete, on: .habit, id: id)
        let habit: SQL = "\(.integer(key), as: "habit")"
        let events = try user.delete(.events, where: "habit_id = \(habit)")
        try user.delete(.schedules, where: "habit_id = \(habit)")
        try user.delete(.pauses, where: "habit_id = \(habit)")
        try user.delete(.habits, where: "id = \(habit)")
        try PhotoWriter.removeUnused(in: user.session)
        return events
    }

    /// The stored values of a habit that a change of the habit depends on.
    private struct StoredHabit {
        var title: String
        var history: ScheduleHistory
    }

    private func stored(_ key: Int64) throws -> StoredHabit {
        let sql: SQL = "SELECT title FROM habit WHERE id = \(.integer(key), as: "habit")"
        let title = try user.session.first(sql) { row in row.text(0) ?? "" }
        let reader = HabitHistoryReader(user.session)
        guard let title,
            let history = try reader.history(of: key)?.schedule
        else {
            throw HabitError(.internal, "the habit has no schedule")
        }
        return StoredHabit(title: title, history: history)
    }

    /// Returns the title of the draft, or `stored` if it is absent.
    ///
    /// A null title is an empty text.
    private func titleGiven(_ draft: HabitDraft, or stored: String) -> String {
        if case .absent = draft.title {
            stored
        } else {
            draft.title.value ?? ""
        }
    }

    private func fill(_ record: inout HabitRecord, from draft: HabitDraft) throws {
        record.reason = try draft.reason.map { reason in
            try TextRule.reason.check(reason, user.settings)
        }
        record.targetAmount = draft.targetAmount
        record.unit = try draft.unit.map { unit in
            try TextRule.unit.check(unit)
        }
        record.tint = try draft.tint.map { tint in
            try Field.tint.check(tint, in: .habits)
        }
        record.symbol = try draft.symbol.map { symbol in
            try HabitSymbol.check(symbol)
        }
        record.rank = try draft.rank.map { rank in
            try Field.rank.check(rank, in: .habits)
        }
        record.remindAt = draft.remindAt
    }
}
