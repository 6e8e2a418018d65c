import Base
import HabitModel
import StoreEngine

/// The table `event`: the events that users record for their habits.
enum EventTable {
    /// The keys and derived values of an event that are not fields of its record.
    struct Keys {
        var id: String?
        var user: Int64
        var habit: Int64
        var day: Day
        var isUnplanned: Bool
        var photo: Value?
        /// Whether the position is hidden from others, or `nil` if the record does not specify a position.
        var isPrivate: Value?
    }

    static let columns: [StoredColumn<EventRecord, Keys>] = [
        StoredColumn("external_id") { _, keys in
            keys.id.map { id in .text(id) }
        },
        StoredColumn("user_id") { _, keys in
            .integer(keys.user)
        },
        StoredColumn("habit_id") { _, keys in
            .integer(keys.habit)
        },
        StoredColumn("day") { _, keys in
            .day(keys.day)
        },
        StoredColumn("occurred_at") { record, _ in
            record.at.instantColumn
        },
        StoredColumn("utc_offset") { record, _ in
            record.at.offsetColumn
        },
        StoredColumn("comment") { record, _ in
            record.details.comment.column
        },
        StoredColumn("comment_folded") { record, _ in
            record.details.comment.column { comment in .text(comment.folded) }
        },
        StoredColumn("outcome", initial: .text(Outcome.done.rawValue)) { record, _ in
            record.outcome.orAbsent.column { value in .text(value.rawValue) }
        },
        StoredColumn("unplanned", initial: .integer(0)) { _, keys in
            .boolean(keys.isUnplanned)
        },
        StoredColumn("photo_id") { _, keys in
            keys.photo
        },
        StoredColumn("amount") { record, _ in
            record.details.amount.column { amount in .number(amount) }
        },
        StoredColumn("geometry") { record, _ in
            record.details.position.column { position in .point(position) }
        },
        StoredColumn(PrivacyMarks.column, initial: .integer(0)) { _, keys in
            keys.isPrivate
        },
    ]

    /// The join of the habit of an event.
    static let habitJoin: SQL = "JOIN habit ON habit.id = event.habit_id AND habit.user_id = event.user_id"

    /// Returns the join of the habit of an event in a query that may begin with either table.
    static func habitJoin(_ dialect: any Dialect) -> SQL {
        let ofUser = SQL(dialect.andUser("habit.user_id", is: "event.user_id"))
        return "JOIN habit ON habit.id = event.habit_id\(ofUser)"
    }

    /// Returns the columns of outputs.
    ///
    /// - Parameter visibility: The visibility rules of the viewer, which files do not depend on.
    /// - Returns: The columns.
    static func outputs(_ visibility: Visibility) -> [OutputColumn] {
        [
            OutputColumn("id", .expression("event.external_id"), in: .all),
            OutputColumn(
                "user",
                .reference(AccountText.id, key: "event.user_id"),
                in: .all,
                as: "owner"),
            OutputColumn(
                "habit",
                .reference(TextColumn(name: "external_id", table: "habit"), key: "event.habit_id"),
                in: .all),
            OutputColumn(
                "title",
                .reference(TextColumn(name: "title", table: "habit"), key: "event.habit_id"),
                in: .shown,
                folded: .reference(TextColumn(name: "title_folded", table: "habit"), key: "event.habit_id")),
            OutputColumn("day", .day("event.day"), in: .all),
            OutputColumn("at", .instant("event.occurred_at", offset: "event.utc_offset"), in: .all),
            OutputColumn(
                "comment",
                .expression("event.comment"),
                in: .all,
                folded: .expression("event.comment_folded")),
            OutputColumn("outcome", .expression("event.outcome"), in: .all, measure: .outcome),
            OutputColumn("has_photo", .isPresent("event.photo_id"), in: .shown),
            OutputColumn("unplanned", .boolean("event.unplanned"), in: .shown),
            OutputColumn(
                "longitude",
                .position("event.geometry"),
                shown: .position(visibility.position(in: "event").expression),
                in: .all),
            OutputColumn("amount", .expression("event.amount", .number(decimals: nil)), in: .all, measure: .amount),
        ] + OutputColumn.exportedPhoto(of: "event")
    }

    /// The target amount of the habit of an event, and the unit of both amounts.
    static let targetOutputs = [
        OutputColumn(
            "target_amount", .expression("habit.target_amount", .number(decimals: nil)), in: .lists, measure: .amount),
        OutputColumn("unit", .expression("habit.unit"), in: .lists, measure: .unit),
    ]
}

/// Columns of the table `account` that records of other tables include.
enum AccountText {
    static let id = TextColumn(name: "external_id", table: "account")
}

extension OutputColumn {
    /// The name of the owner of a record, or null for an owner without a name.
    ///
    /// The query joins the owner's `account`. Lists have the column only on request.
    static let userName = OutputColumn("user_name", .expression("account.name"), in: .lists)

    /// The columns for the photo of a record in files.
    ///
    /// An export replaces the key of the photo by the values of the fields.
    static func exportedPhoto(of table: String) -> [OutputColumn] {
        [
            OutputColumn("photo", .expression("\(raw: table).photo_id"), in: .files),
            OutputColumn("keep_exif", .boolean("\(raw: table).photo_id"), in: .files),
        ]
    }
}
