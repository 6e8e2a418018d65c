import HabitModel

/// The table `habit`.
enum HabitTable {
    static let columns: [StoredColumn<HabitRecord, Int64>] = [
        StoredColumn("external_id") { record, _ in .text(record.id) },
        StoredColumn("user_id") { .integer($1) },
        StoredColumn("title") { record, _ in .text(record.title) },
        StoredColumn("title_folded") { record, _ in .text(record.title.folded) },
        StoredColumn("reason") { record, _ in record.reason.column },
        StoredColumn("weekdays") { record, _ in .integer(Int64(record.schedule.mask)) },
        StoredColumn("start_day") { record, _ in record.start.column },
        StoredColumn("end_day") { record, _ in record.end.column },
    ]

    /// Returns the columns of a habit and of its statistics.
    ///
    /// The statistics columns require a join that has the alias `standing`.
    static func outputs(_ visibility: Visibility) -> [OutputColumn] {
        [
            OutputColumn("id", .expression("habit.external_id"), in: .all),
            OutputColumn("user", .expression("account.external_id"), in: .all, as: "owner", isSecondary: true),
            OutputColumn("title", .expression("habit.title"), in: .all),
            OutputColumn(
                "reason", .expression("habit.reason"), shown: .expression(visibility.ownHabit("habit.reason")),
                in: [.files, .views, .lists], isSecondary: true),
            OutputColumn(
                "days", .expression(Schedule.names(ofMask: "habit.weekdays")), shown: .expression("standing.days"),
                in: .all),
            OutputColumn(
                "start", .day("habit.start_day"), in: [.files, .views, .lists], as: "start_day", isSecondary: true),
            OutputColumn("end", .day("habit.end_day"), in: [.files, .views, .lists], as: "end_day", isSecondary: true),
            OutputColumn("status", .expression("standing.status"), in: .shown),
            OutputColumn("color", .expression("standing.color"), in: .shown, isSecondary: true),
            OutputColumn(
                "completion_rate", .expression("standing.completion_rate", .number(decimals: 6)), in: [.views, .lists]),
            OutputColumn(
                "streak_current", .expression("standing.streak_current", .integer), in: [.views, .lists],
                isSecondary: true),
            OutputColumn(
                "streak_longest", .expression("standing.streak_longest", .integer), in: [.views, .lists],
                isSecondary: true),
            OutputColumn(
                "score", .expression("standing.score", .number(decimals: 6)), in: [.views, .lists], isSecondary: true),
        ]
    }
}

/// The table `habit_schedule`: changes of the weekdays of habits.
enum ScheduleTable {
    static let columns: [StoredColumn<ScheduleRecord, Int64>] = [
        StoredColumn("habit_id") { .integer($1) },
        StoredColumn("from_day") { record, _ in .day(record.from) },
        StoredColumn("weekdays") { record, _ in .integer(Int64(record.schedule.mask)) },
    ]

    static let outputs: [OutputColumn] = [
        OutputColumn("habit", .expression("habit.external_id"), in: .files),
        OutputColumn("from", .day("habit_schedule.from_day"), in: .files, as: "from_day"),
        OutputColumn("days", .expression(Schedule.names(ofMask: "habit_schedule.weekdays")), in: .files),
    ]
}

extension Schedule {
    /// Returns an expression for the names of the weekdays in a mask, such as `mon wed fri`.
    fileprivate static func names(ofMask mask: String) -> String {
        let names = (0..<7).compactMap { bit in
            Schedule(mask: 1 << bit).map { "CASE WHEN \(mask) & \(1 << bit) <> 0 THEN '\($0) ' ELSE '' END" }
        }
        return "rtrim(\(names.joined(separator: " || ")))"
    }
}
