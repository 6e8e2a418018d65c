import Base
import HabitModel
import StoreEngine

/// Writes pauses.
final class PauseWriter {
    private let table: TableWriter
    private let references: References
    /// The keys of habits whose pauses have changed.
    private(set) var habits: Set<Int64> = []
    /// The keys of users whose pauses of all habits have changed.
    private(set) var users: Set<Int64> = []

    init(_ context: WriteContext) {
        references = context.references
        table = TableWriter(
            .pauses,
            columns: PauseTable.columns.definitions(),
            naturalKey: ["external_id"],
            context)
    }

    func prefetch(_ records: [PauseRecord]) throws {
        try references.prefetch(users: records.map(\.user))
        try references.prefetch(habits: records.compactMap(\.habit.value))
        try table.prefetch(ids: records.map(\.id))
    }

    func write(_ record: PauseRecord) throws -> WriteOutcome {
        let owner = try references.user(record.user, field: .user)
        let habit = try record.habit.map { id in try habitKey(id, of: owner) }
        var stored: PausedHabits?
        let keys = PauseTable.Keys(user: owner, habit: habit)
        let outcome = try table.write(
            PauseTable.columns.values(of: record, keys),
            naturalKey: [.text(record.id)]
        ) { row in
            try row?.checkOwner(owner, of: "pause", id: record.id)
            try checkDays(record, row)
            stored = row.map { row in
                PausedHabits(user: owner, habit: row.optionalInteger(Self.habitIndex))
            }
        }
        guard outcome != .unchanged else { return outcome }
        if let stored {
            markChanged(stored)
        }
        // A record without the field keeps the stored habit.
        if case .absent = habit, stored != nil { return outcome }
        markChanged(PausedHabits(user: owner, habit: habit.value))
        return outcome
    }

    /// The habits that a pause concerns: one habit, or all habits of a user.
    struct PausedHabits {
        var user: Int64
        /// The key of the habit, or `nil` for all habits.
        var habit: Int64?
    }

    /// Adds habits whose pauses have changed, and discards the cached schedules of habits.
    func markChanged(_ paused: PausedHabits) {
        references.forgetHabits()
        if let habit = paused.habit {
            habits.insert(habit)
        } else {
            users.insert(paused.user)
        }
    }

    /// Returns the key of the paused habit.
    ///
    /// - Throws: `unknown-reference`; `field-invalid` if the habit belongs to another user.
    private func habitKey(_ id: String, of owner: Int64) throws -> Int64 {
        let habit = try references.habit(id)
        guard habit.ownerKey == owner else {
            throw HabitError(
                .fieldInvalid,
                "the habit '\(id)' belongs to another user",
                field: Field.user.name)
        }
        return habit.key
    }

    /// Checks that the last day is not before the first one.
    ///
    /// The last day may be in the record or in the stored row.
    private func checkDays(_ record: PauseRecord, _ stored: (any Row)?) throws {
        var to = record.to.value
        if case .absent = record.to {
            to = stored?.day(Self.lastDayIndex)
        }
        guard let to, to < record.from else { return }
        throw HabitError(
            .dayInvalid,
            "the pause ends on \(to), before it begins on \(record.from)",
            field: Field.to.name,
            parameters: [.day(to)],
            .advice("choose a last day from \(record.from) on"))
    }

    private static let habitIndex = PauseTable.columns.rowIndex(of: "habit_id")
    private static let lastDayIndex = PauseTable.columns.rowIndex(of: "to_day")
}

extension Row {
    /// Returns the integer in a column, or `nil` if the column is null.
    fileprivate func optionalInteger(_ index: Int) -> Int64? {
        isNull(index) ? nil : integer(index)
    }
}
