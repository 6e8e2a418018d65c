import Base
import HabitModel
import StoreEngine

/// The values for a new or changed pause.
///
/// A change keeps the stored values of absent fields.
public struct PauseDraft: Sendable {
    /// The ID or the title of the paused habit, or null for all habits of the user.
    ///
    /// A stored pause keeps its habit.
    public var habit: FieldInput<String> = .absent
    /// The first paused day, or `nil` for the current date in a new pause.
    public var from: Day?
    /// The last paused day, or null for a pause without an end.
    public var to: FieldInput<Day> = .absent

    /// Creates an empty draft.
    public init() {}
}

/// The result of ending the pauses of a habit, or of all habits.
public struct Resumption: Sendable {
    /// The number of pauses that were ended or deleted.
    public var ended: Int
    /// Whether the current date stays paused: for the habit by a pause of all habits, or for single habits by their
    /// own pauses.
    public var leavesPauses: Bool
}

/// Creates, changes, ends and deletes the pauses of a user's habits.
///
/// Each action also updates the marks of unplanned events.
public struct PauseActions {
    private let user: ActingUser

    /// Creates the actions of `user`.
    public init(_ user: ActingUser) {
        self.user = user
    }

    /// Creates a pause.
    ///
    /// - Parameters:
    ///   - draft: The values of the pause.
    ///   - id: The ID of the pause, or `nil` for a derived ID.
    /// - Returns: The ID of the pause.
    /// - Throws: `not-found` or `not-yours` for the habit, `usage` if several habits have the title, `day-invalid`,
    ///   `id-invalid` or `duplicate-key`.
    public func add(_ draft: PauseDraft, id: String? = nil) throws -> String {
        // This check precedes all lookups, so that its error reveals nothing about the store.
        let id = try id.map { id in try checkClientID(id, of: user.id) }
        let habit = try draft.habit.map { name in try ownHabit(name) }
        let from = draft.from ?? user.today
        let parts = [habit.value ?? "", from.description]
        let newID = try user.newID(id, .pause, of: parts)
        var record = PauseRecord(id: newID, user: user.id, from: from)
        record.habit = habit
        record.to = draft.to
        try user.write(.pause(record))
        return newID
    }

    /// Changes the days of a pause.
    ///
    /// - Parameters:
    ///   - id: The ID of the pause.
    ///   - draft: The values to change.
    /// - Throws: `not-found`, `not-yours`, `day-invalid`, or `field-invalid` for another habit.
    public func edit(_ id: String, _ draft: PauseDraft) throws {
        try user.access.require(.edit, on: .pause, id: id)
        let stored = try stored(id)
        try requireHabit(of: stored, in: draft)
        var record = PauseRecord(id: stored.id, user: user.id, from: draft.from ?? stored.from)
        record.to = draft.to
        try user.write(.pause(record))
    }

    /// Deletes a pause, so that its days count again.
    ///
    /// - Parameter id: The ID of the pause.
    /// - Throws: `not-found` or `not-yours`.
    public func delete(_ id: String) throws {
        try user.access.require(.delete, on: .pause, id: id)
        try delete(try stored(id))
    }

    /// Ends the pauses of a habit, or of all habits, so that the current date counts again.
    ///
    /// A pause that begins on the current date is deleted. Another pause ends on the previous date. The pauses of all
    /// habits do not end with those of one habit.
    ///
    /// - Parameter name: The ID or the title of the habit, or `nil` for the pauses of all habits.
    /// - Returns: The number of pauses that were ended or deleted, and whether others remain.
    /// - Throws: `not-found` if the user has no such habit, or if it is not paused; `not-yours` for another user's
    ///   habit.
    public func resume(habit name: String?) throws -> Resumption {
        let habit = try name.map(ownHabit)
        let current = try currentPauses(of: habit)
        guard !current.isEmpty else {
            throw try notPaused(habit)
        }
        for pause in current {
            try end(pause)
        }
        let others: SQL = habit == nil ? "pause.habit_id IS NOT NULL" : Self.ofAllHabits
        let remaining = try currentPauses(where: others)
        return Resumption(ended: current.count, leavesPauses: !remaining.isEmpty)
    }

    /// Ends a pause that contains the current date.
    private func end(_ pause: StoredPause) throws {
        guard pause.from < user.today else {
            return try delete(pause)
        }
        var record = PauseRecord(id: pause.id, user: user.id, from: pause.from)
        record.to = .value(user.today.advanced(by: -1))
        try user.write(.pause(record))
    }

    private func delete(_ pause: StoredPause) throws {
        try user.delete(.pauses, where: "id = \(.integer(pause.key), as: "pause")")
        try user.session.writeRecords { writer in
            try writer.markChanged(PauseWriter.PausedHabits(user: user.key, habit: pause.habitKey))
        }
    }

    /// Returns the ID of a habit of the user.
    private func ownHabit(_ name: String) throws -> String {
        let habit = try user.names.habitID(name, own: true)
        try user.access.require(.edit, on: .habit, id: habit)
        return habit
    }

    /// Checks that a change keeps the habit of a pause.
    ///
    /// - Throws: `field-invalid` if the draft has another habit.
    private func requireHabit(of pause: StoredPause, in draft: PauseDraft) throws {
        switch draft.habit {
        case .absent: return
        case .null where pause.habit == nil: return
        case .value(let name) where name == pause.habit: return
        case .null, .value: break
        }
        throw HabitError(
            .fieldInvalid,
            "the habit of a pause cannot change",
            field: Field.habit.name,
            .advice("delete the pause and create a pause of the habit"))
    }

    // MARK: Stored pauses

    /// The stored values of a pause.
    private struct StoredPause {
        var key: Int64
        var id: String
        /// The key of the habit, or `nil` for all habits.
        var habitKey: Int64?
        /// The ID of the habit, or `nil` for all habits.
        var habit: String?
        var from: Day
    }

    /// Returns a pause of the user.
    private func stored(_ id: String) throws -> StoredPause {
        let found = try pauses(where: "pause.external_id = \(.text(id.composed), as: "pause")")
        guard let pause = found.first else {
            throw Access.notFound(.pause, id)
        }
        return pause
    }

    /// Returns the pauses of a habit, or of all habits, that contain the current date.
    private func currentPauses(of habit: String?) throws -> [StoredPause] {
        guard let habit else {
            return try currentPauses(where: Self.ofAllHabits)
        }
        return try currentPauses(where: "habit.external_id = \(.text(habit.composed), as: "habit")")
    }

    /// The condition of the pauses of all habits.
    private static let ofAllHabits: SQL = "pause.habit_id IS NULL"

    /// Returns the pauses with a condition that contain the current date.
    private func currentPauses(where condition: SQL) throws -> [StoredPause] {
        let today: SQL = "\(.day(user.today), as: "today")"
        return try pauses(
            where: """
                \(condition) AND pause.from_day <= \(today)
                AND (pause.to_day IS NULL OR pause.to_day >= \(today))
                """)
    }

    private func pauses(where condition: SQL) throws -> [StoredPause] {
        let sql: SQL = """
            SELECT pause.id, pause.external_id, pause.habit_id, habit.external_id, pause.from_day
            FROM pause
            \(PauseTable.joins)
            WHERE pause.user_id = \(.integer(user.key), as: "user") AND \(condition)
            ORDER BY pause.id
            """
        var pauses: [StoredPause] = []
        try user.session.query(sql) { row in
            guard let from = row.day(4) else { return true }
            let pause = StoredPause(
                key: row.integer(0),
                id: row.text(1) ?? "",
                habitKey: row.isNull(2) ? nil : row.integer(2),
                habit: row.text(3),
                from: from)
            pauses.append(pause)
            return true
        }
        return pauses
    }

    /// Returns the error of a habit, or of a user, without a pause on the current date.
    private func notPaused(_ habit: String?) throws -> HabitError {
        guard let habit else {
            return HabitError(
                .notFound,
                "no pause of all habits contains \(user.today)",
                field: Field.user.name,
                .list(.pauses))
        }
        guard try currentPauses(of: nil).isEmpty else {
            return HabitError(
                .notFound,
                "the habit '\(habit)' has no pause of its own: all habits are paused",
                field: Field.habit.name,
                .take(.resumeAllHabits))
        }
        return HabitError(
            .notFound,
            "the habit '\(habit)' is not paused on \(user.today)",
            field: Field.habit.name,
            .list(.pauses))
    }
}
