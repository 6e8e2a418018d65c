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

    /// Creates an empty draft.
    public init() {}
}

/// Creates, changes and deletes the habits of a user.
public struct HabitActions {
    private let user: ActingUser

    /// Creates the actions of `user`.
    public init(_ user: ActingUser) { self.user = user }

    /// Creates a habit, which starts on the current date unless the draft has a start day.
    ///
    /// - Parameters:
    ///   - draft: The values of the habit, which must include a title and weekdays.
    ///   - id: The ID of the habit, or `nil` for a derived ID.
    /// - Returns: The ID of the habit.
    /// - Throws: `title-empty`, `title-too-long`, `reason-too-long`, `schedule-empty`, `day-invalid`, `id-invalid` or
    ///   `duplicate-key`.
    public func add(_ draft: HabitDraft, id: String? = nil) throws -> String {
        let title = try TextRule.title.check(draft.title.value ?? "", user.settings)
        guard let schedule = draft.schedule.value else { throw Schedule.missing }
        let id = try user.newID(id, .habit, of: [title])
        var record = HabitRecord(id: id, user: user.id, title: title, schedule: schedule)
        record.reason = try reason(of: draft)
        record.start = .value(draft.start.value ?? user.today)
        record.end = draft.end
        record.targetAmount = draft.targetAmount
        record.unit = try draft.unit.map { try TextRule.unit.check($0) }
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
        let key = try user.access.require(.edit, .habit, id)
        let stored = try stored(key)
        var record = HabitRecord(
            id: id.composed,
            user: user.id,
            title: try TextRule.title.check(titleGiven(draft, or: stored.title), user.settings),
            schedule: stored.history.first)
        record.reason = try reason(of: draft)
        record.start = draft.start
        record.end = draft.end
        record.targetAmount = draft.targetAmount
        record.unit = try draft.unit.map { try TextRule.unit.check($0) }
        if case .null = draft.schedule {
            throw Schedule.missing
        }
        guard let schedule = draft.schedule.value else {
            return try user.write(.habit(record))
        }
        let changes: SQL = """
            user_id = \(.integer(user.key), as: "user") AND habit_id = \(.integer(key), as: "habit")
            """
        let isNew = stored.history.start.map { $0 >= user.today } ?? false
        if rewritesPast || isNew {
            record.schedule = schedule
            try user.delete(.schedules, where: changes)
            try user.write(.habit(record), reschedule: key)
        } else {
            try user.delete(.schedules, where: "\(changes) AND from_day >= \(.day(user.today), as: "today")")
            let version = ScheduleRecord(habit: id.composed, from: user.today, schedule: schedule)
            try user.write(.habit(record), .schedule(version), reschedule: key)
        }
    }

    /// Deletes a habit and its events permanently.
    ///
    /// - Parameter id: The ID of the habit.
    /// - Returns: The number of deleted events.
    /// - Throws: `not-found` or `not-yours`.
    public func delete(_ id: String) throws -> Int {
        let key = try user.access.require(.delete, .habit, id)
        let events = try user.delete(.events, where: "habit_id = \(.integer(key), as: "habit")")
        try user.delete(.habits, where: "id = \(.integer(key), as: "habit")")
        try PhotoWriter.removeUnused(in: user.session)
        return events
    }

    private func stored(_ key: Int64) throws -> (title: String, history: ScheduleHistory) {
        let title = try user.session.first(
            "SELECT title FROM habit WHERE id = \(.integer(key), as: "habit")"
        ) { $0.text(0) ?? "" }
        guard let title,
            let history = try HabitHistoryReader(user.session).history(of: key)?.schedule
        else {
            throw HabitError(.internal, "the habit has no schedule")
        }
        return (title, history)
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

    private func reason(of draft: HabitDraft) throws -> FieldInput<String> {
        try draft.reason.map { try TextRule.reason.check($0, user.settings) }
    }
}
