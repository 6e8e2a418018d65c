import HabitModel
import StoreEngine

/// The table `pause`: the pauses of one habit, or of all habits of a user.
enum PauseTable {
    /// The keys of a pause that are not fields of its record.
    struct Keys {
        var user: Int64
        /// The key of the habit, or null for all habits of the user.
        var habit: FieldInput<Int64>
    }

    static let columns: [StoredColumn<PauseRecord, Keys>] = [
        StoredColumn("external_id") { record, _ in
            .text(record.id)
        },
        StoredColumn("user_id") { _, keys in
            .integer(keys.user)
        },
        StoredColumn("habit_id") { _, keys in
            keys.habit.column { key in .integer(key) }
        },
        StoredColumn("from_day") { record, _ in
            .day(record.from)
        },
        StoredColumn("to_day") { record, _ in
            record.to.column
        },
    ]

    static let outputs: [OutputColumn] = [
        OutputColumn("id", .expression("pause.external_id"), in: outputsOfAll),
        OutputColumn(
            "user",
            .expression("account.external_id"),
            in: outputsOfAll,
            as: "owner"),
        OutputColumn("habit", .expression("habit.external_id"), in: outputsOfAll),
        OutputColumn(
            "from",
            .day("pause.from_day"),
            in: outputsOfAll,
            as: "from_day"),
        OutputColumn(
            "to",
            .day("pause.to_day"),
            in: outputsOfAll,
            as: "to_day"),
    ]

    private static let outputsOfAll: OutputColumn.Outputs = [.files, .views, .lists]

    /// The joins of the owner and of the habit, which a pause of all habits does not have.
    static let joins: SQL = """
        JOIN account ON account.id = pause.user_id
        LEFT JOIN habit ON habit.id = pause.habit_id AND habit.user_id = pause.user_id
        """
}
