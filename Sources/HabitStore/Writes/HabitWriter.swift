import Base
import HabitModel
import StoreEngine

/// Writes habits and the versions of their schedules.
final class HabitWriter {
    private let habits: TableWriter
    private let schedules: TableWriter
    private let references: References
    /// The keys of habits that may have events on days whose due status has changed.
    private(set) var rescheduled: Set<Int64> = []

    init(_ context: WriteContext) {
        references = context.references
        habits = TableWriter(
            .habits,
            columns: HabitTable.columns.definitions(),
            naturalKey: ["external_id"],
            context)
        schedules = TableWriter(
            .schedules,
            columns: ScheduleTable.columns.definitions(),
            naturalKey: ["user_id", "habit_id", "from_day"],
            context)
    }

    func prefetch(_ records: [HabitRecord]) throws {
        try references.prefetch(users: records.map(\.user))
        try habits.prefetch(ids: records.map(\.id))
    }

    func prefetch(_ records: [ScheduleRecord]) throws {
        try references.prefetch(habits: records.map(\.habit))
    }

    func write(_ record: HabitRecord) throws -> WriteOutcome {
        let owner = try references.user(record.user, field: .user)
        var key: Int64?
        let outcome = try habits.write(
            HabitTable.columns.values(of: record, owner),
            naturalKey: [.text(record.id)]
        ) { row in
            try row?.checkOwner(owner, of: "habit", id: record.id)
            try checkDays(record, row)
            key = row?.integer(0)
        }
        if outcome == .updated, let key {
            markRescheduled(key)
        }
        return outcome
    }

    func write(_ record: ScheduleRecord) throws -> WriteOutcome {
        let habit = try references.habit(record.habit)
        let keys = ScheduleTable.Keys(user: habit.ownerKey, habit: habit.key)
        let outcome = try schedules.write(
            ScheduleTable.columns.values(of: record, keys),
            naturalKey: [
                .integer(habit.ownerKey),
                .integer(habit.key),
                .day(record.from),
            ])
        if outcome != .unchanged {
            markRescheduled(habit.key)
        }
        return outcome
    }

    /// Checks that the end is not before the start.
    ///
    /// Either of them may be in the record or in the stored row.
    private func checkDays(_ record: HabitRecord, _ stored: (any Row)?) throws {
        var start = record.start.value
        var end = record.end.value
        if case .absent = record.start {
            start = stored?.day(Self.rowIndex(of: "start_day"))
        }
        if case .absent = record.end {
            end = stored?.day(Self.rowIndex(of: "end_day"))
        }
        guard let start, let end, end < start else { return }
        throw HabitError(
            .dayInvalid,
            "the habit ends on \(end), before it starts on \(start)",
            field: Field.end.name)
    }

    /// The index of a column in the rows of ``TableWriter``, which begin with the key.
    private static func rowIndex(of column: String) -> Int {
        let index = HabitTable.columns.firstIndex { stored in
            stored.name == column
        }
        return 1 + (index ?? 0)
    }

    /// Adds a habit to ``rescheduled``, and discards the cached schedules of habits.
    func markRescheduled(_ key: Int64) {
        references.forgetHabits()
        rescheduled.insert(key)
    }
}
