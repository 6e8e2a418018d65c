import HabitModel

/// Writes habits and the versions of their schedules.
final class HabitWriter {
    private let findHabit: any Statement
    private let findSchedule: any Statement
    private let habits: TableWriter
    private let schedules: TableWriter
    private let references: References
    /// The keys of habits that may have events on days that were due before and are not now, or the reverse.
    private(set) var rescheduled: Set<Int64> = []

    init(_ session: any Session, _ policy: ConflictPolicy, _ references: References) throws {
        self.references = references
        findHabit = try session.prepare("SELECT id, user_id FROM habit WHERE external_id = :id")
        findSchedule = try session.prepare(
            "SELECT id FROM habit_schedule WHERE habit_id = :habit AND from_day = :from")
        habits = try TableWriter(
            session, table: "habit",
            columns: [
                "external_id", "user_id", "title", "title_folded", "reason", "weekdays", "start_day", "end_day",
            ].map { .init(name: $0) },
            policy: policy)
        schedules = try TableWriter(
            session, table: "habit_schedule",
            columns: ["habit_id", "from_day", "weekdays"].map { .init(name: $0) }, policy: policy)
    }

    func write(_ record: HabitRecord) throws -> WriteOutcome {
        let owner = try references.user(record.user, field: .user)
        if let start = record.start.value, let end = record.end.value, end < start {
            throw HabitError(.dayInvalid, "the habit ends before it starts", field: Field.end.rawValue)
        }
        let (key, outcome) = try habits.write(
            [
                .text(record.id), .integer(owner), .text(record.title), .text(record.title.folded),
                record.reason.column, .integer(Int64(record.schedule.mask)), record.start.column, record.end.column,
            ],
            over: try findHabit.key(id: record.id, ownedBy: owner, "habit"))
        if outcome == .updated { markRescheduled(key) }
        return outcome
    }

    func write(_ record: ScheduleRecord) throws -> WriteOutcome {
        let habit = try references.habit(record.habit)
        let (_, outcome) = try schedules.write(
            [.integer(habit.key), .day(record.from), .integer(Int64(record.schedule.mask))],
            over: try findSchedule.key([.integer(habit.key), .day(record.from)]))
        if outcome != .unchanged { markRescheduled(habit.key) }
        return outcome
    }

    private func markRescheduled(_ key: Int64) {
        references.forgetHabits()
        rescheduled.insert(key)
    }
}
