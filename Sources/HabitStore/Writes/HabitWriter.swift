import HabitModel

/// Writes habits and the versions of their schedules.
final class HabitWriter {
    private let findHabit: any Statement
    private let findDays: any Statement
    private let findSchedule: any Statement
    private let habits: TableWriter
    private let schedules: TableWriter
    private let references: References
    /// The keys of habits that may have events on days that were due before and are not now, or the reverse.
    private(set) var rescheduled: Set<Int64> = []

    init(_ session: any Session, _ policy: ConflictPolicy, _ references: References) throws {
        self.references = references
        findHabit = try session.prepare("SELECT id, user_id FROM habit WHERE external_id = :id")
        findDays = try session.prepare("SELECT start_day, end_day FROM habit WHERE id = :id")
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
        let existing = try findHabit.key(id: record.id, ownedBy: owner, "habit")
        try checkDays(record, existing)
        let (key, outcome) = try habits.write(
            [
                .text(record.id), .integer(owner), .text(record.title), .text(record.title.folded),
                record.reason.column, .integer(Int64(record.schedule.mask)), record.start.column, record.end.column,
            ],
            over: existing)
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

    /// The end is not before the start, be either given now or stored before.
    private func checkDays(_ record: HabitRecord, _ existing: Int64?) throws {
        var start = record.start.value
        var end = record.end.value
        if let existing {
            try findDays.bind([.integer(existing)])
            try findDays.forEach { row in
                if case .absent = record.start { start = row.text(0).flatMap { Day($0) } }
                if case .absent = record.end { end = row.text(1).flatMap { Day($0) } }
                return false
            }
        }
        guard let start, let end, end < start else { return }
        throw HabitError(
            .dayInvalid, "the habit ends on \(end), before it starts on \(start)", field: Field.end.rawValue)
    }

    func markRescheduled(_ key: Int64) {
        references.forgetHabits()
        rescheduled.insert(key)
    }
}
