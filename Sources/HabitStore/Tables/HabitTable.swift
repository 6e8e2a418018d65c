import Base
import HabitModel
import StoreEngine

/// The table `habit`.
enum HabitTable {
    static let columns: [StoredColumn<HabitRecord, Int64>] = [
        StoredColumn("external_id") { record, _ in
            .text(record.id)
        },
        StoredColumn("user_id") { _, owner in
            .integer(owner)
        },
        StoredColumn("title") { record, _ in
            .text(record.title)
        },
        StoredColumn("title_folded") { record, _ in
            .text(record.title.folded)
        },
        StoredColumn("reason") { record, _ in
            record.reason.column
        },
        StoredColumn("weekdays") { record, _ in
            record.schedule.weekdaysColumn
        },
        StoredColumn("times") { record, _ in
            record.schedule.timesColumn
        },
        StoredColumn("period_days") { record, _ in
            record.schedule.periodColumn
        },
        StoredColumn("target_amount") { record, _ in
            record.targetAmount.column { amount in .number(amount) }
        },
        StoredColumn("unit") { record, _ in
            record.unit.column
        },
        StoredColumn("tint") { record, _ in
            record.tint.column
        },
        StoredColumn("symbol") { record, _ in
            record.symbol.column
        },
        StoredColumn("rank") { record, _ in
            record.rank.column
        },
        StoredColumn("remind_time") { record, _ in
            record.remindAt.column { time in .text(time.description) }
        },
        StoredColumn("start_day") { record, _ in
            record.start.column
        },
        StoredColumn("end_day") { record, _ in
            record.end.column
        },
    ]

    /// Returns the columns of a habit and of its statistics.
    ///
    /// The statistics columns require a join that has the alias `standing`.
    static func outputs(_ visibility: Visibility) -> [OutputColumn] {
        [
            OutputColumn("id", .expression("habit.external_id"), in: .all),
            OutputColumn(
                "user",
                .expression("account.external_id"),
                in: .all,
                as: "owner"),
            OutputColumn(
                "title",
                .expression("habit.title"),
                in: .all,
                folded: .expression("habit.title_folded")),
            OutputColumn(
                "reason",
                .expression("habit.reason"),
                shown: .expression(visibility.ownHabit("habit.reason")),
                in: [.files, .views, .lists]),
            OutputColumn(
                "days",
                .expression(Schedule.names(ofMask: "habit.weekdays")),
                shown: .expression("standing.days"),
                in: .all, measure: .schedule),
            OutputColumn(
                "start",
                .day("habit.start_day"),
                in: [.files, .views, .lists],
                as: "start_day"),
            OutputColumn(
                "end",
                .day("habit.end_day"),
                in: [.files, .views, .lists],
                as: "end_day"),
            OutputColumn("status", .expression("standing.status"), in: [.views, .lists], measure: .status),
            OutputColumn(
                "color",
                .expression("standing.color"),
                in: [.views, .lists], measure: .color),
            OutputColumn(
                "completion_rate",
                .expression("standing.completion_rate", .number(decimals: 6)),
                in: [.views, .lists], measure: .share),
            OutputColumn(
                "streak_current",
                .expression("standing.streak_current", .integer),
                in: [.views, .lists]),
            OutputColumn(
                "streak_longest",
                .expression("standing.streak_longest", .integer),
                in: [.views, .lists]),
            OutputColumn(
                "score",
                .expression("standing.score", .number(decimals: 6)),
                in: [.views, .lists], measure: .share),
            OutputColumn(
                "times",
                .expression("habit.times", .integer),
                shown: .expression("standing.times", .integer),
                in: .all),
            OutputColumn(
                "period_days",
                .expression("habit.period_days", .integer),
                shown: .expression("standing.period_days", .integer),
                in: .all),
            OutputColumn(
                "target_amount",
                .expression("habit.target_amount", .number(decimals: nil)),
                shown: .expression(visibility.ownHabit("habit.target_amount"), .number(decimals: nil)),
                in: [.files, .views, .lists], measure: .amount),
            OutputColumn(
                "unit",
                .expression("habit.unit"),
                shown: .expression(visibility.ownHabit("habit.unit")),
                in: [.files, .views, .lists], measure: .unit),
            OutputColumn("tint", .expression("habit.tint", .integer), in: .all),
            OutputColumn("symbol", .expression("habit.symbol"), in: .all),
            OutputColumn(
                "rank",
                .expression("habit.rank", .integer),
                shown: .expression(visibility.ownHabit("habit.rank"), .integer),
                in: [.files, .views, .lists]),
            OutputColumn(
                "remind_at",
                .expression("habit.remind_time"),
                shown: .expression(visibility.ownHabit("habit.remind_time")),
                in: [.files, .views, .lists]),
        ]
    }
}

/// The table `habit_schedule`: changes of the weekdays or targets of habits.
enum ScheduleTable {
    /// The keys of a schedule that are not fields of its record.
    struct Keys {
        var user: Int64
        var habit: Int64
    }

    static let columns: [StoredColumn<ScheduleRecord, Keys>] = [
        StoredColumn("user_id") { _, keys in
            .integer(keys.user)
        },
        StoredColumn("habit_id") { _, keys in
            .integer(keys.habit)
        },
        StoredColumn("from_day") { record, _ in
            .day(record.from)
        },
        StoredColumn("weekdays") { record, _ in
            record.schedule.weekdaysColumn
        },
        StoredColumn("times") { record, _ in
            record.schedule.timesColumn
        },
        StoredColumn("period_days") { record, _ in
            record.schedule.periodColumn
        },
    ]

    static let outputs: [OutputColumn] = [
        OutputColumn("habit", .expression("habit.external_id"), in: .files),
        OutputColumn(
            "from",
            .day("habit_schedule.from_day"),
            in: .files,
            as: "from_day"),
        OutputColumn("days", .expression(Schedule.names(ofMask: "habit_schedule.weekdays")), in: .files),
        OutputColumn("times", .expression("habit_schedule.times", .integer), in: .files),
        OutputColumn("period_days", .expression("habit_schedule.period_days", .integer), in: .files),
    ]

    /// The join of the habit of a schedule.
    static let join: SQL = "JOIN habit ON habit.id = habit_schedule.habit_id AND habit.user_id = habit_schedule.user_id"
}

extension Schedule {
    /// Creates the schedule that a row contains, or returns `nil` if the row contains neither weekdays nor a target.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - index: The index of `weekdays`, which `times` and `period_days` follow.
    init?(in row: any Row, at index: Int) {
        if !row.isNull(index) {
            let mask = Int(row.integer(index))
            guard let weekdays = Weekdays(mask: mask) else { return nil }
            self = .weekdays(weekdays)
        } else {
            let times = Int(row.integer(index + 1))
            let days = Int(row.integer(index + 2))
            guard let target = try? Target(times: times, periodDays: days) else { return nil }
            self = .target(target)
        }
    }

    /// The value of the column `weekdays`.
    fileprivate var weekdaysColumn: Value {
        let mask = weekdays.map { weekdays in Int64(weekdays.mask) }
        return .integer(mask)
    }

    /// The value of the column `times`.
    fileprivate var timesColumn: Value {
        let times = target.map { target in Int64(target.times) }
        return .integer(times)
    }

    /// The value of the column `period_days`.
    fileprivate var periodColumn: Value {
        let days = target.map { target in Int64(target.periodDays) }
        return .integer(days)
    }

    /// Returns an expression for the names of the weekdays in a mask, such as `mon wed fri`.
    fileprivate static func names(ofMask mask: String) -> SQL {
        let names = (0..<7).compactMap { bit -> String? in
            let bitMask = 1 << bit
            guard let weekday = Weekdays(mask: bitMask) else { return nil }
            return "CASE WHEN \(mask) & \(bitMask) <> 0 THEN '\(weekday) ' ELSE '' END"
        }
        return "rtrim(\(raw: names.joined(separator: " || ")))"
    }
}
