import HabitModel

/// Where the fields of a kind are stored. A table, one case a kind.
struct ExportSource {
    struct Cell {
        var field: Field
        var sql: String
        var value: Column.Value
        /// Where `sql` is an instant: the column with its offset.
        var offset: String?

        init(_ field: Field, _ sql: String, _ value: Column.Value = .text, offset: String? = nil) {
            self.field = field
            self.sql = sql
            self.value = value
            self.offset = offset
        }
    }

    var cells: [Cell]
    var table: String
    var joins = ""
    var order: String
    /// Whether a row is `:user`'s: a condition.
    var isUsers: String

    init(_ kind: RecordKind) {
        table = kind.table
        switch kind {
        case .settings:
            cells = [Cell(.name, "setting.name"), Cell(.value, "setting.value")]
            (order, isUsers) = ("setting.name", "setting.name IS NULL")
        case .users:
            cells = [
                Cell(.id, "account.external_id"), Cell(.name, "account.name"), Cell(.email, "account.email"),
                Cell(.timeZone, "account.time_zone"), Cell(.shareLocation, "account.share_location", .boolean),
            ]
            (order, isUsers) = ("account.external_id", "account.id = :user")
        case .habits:
            cells = [
                Cell(.id, "habit.external_id"), Cell(.user, "account.external_id"), Cell(.title, "habit.title"),
                Cell(.days, Self.days("habit.weekdays")), Cell(.reason, "habit.reason"),
                Cell(.start, "habit.start_day", .day), Cell(.end, "habit.end_day", .day),
            ]
            joins = "JOIN account ON account.id = habit.user_id"
            (order, isUsers) = ("habit.external_id", "habit.user_id = :user")
        case .schedules:
            cells = [
                Cell(.habit, "habit.external_id"), Cell(.from, "habit_schedule.from_day", .day),
                Cell(.days, Self.days("habit_schedule.weekdays")),
            ]
            joins = "JOIN habit ON habit.id = habit_schedule.habit_id"
            (order, isUsers) = ("habit.external_id, habit_schedule.from_day", "habit.user_id = :user")
        case .follows:
            cells = [
                Cell(.follower, "follower.external_id"), Cell(.followee, "followee.external_id"),
                Cell(.status, "follow.status"), Cell(.share, "follow.share"),
                Cell(.requestedAt, "follow.requested_at", offset: "follow.requested_offset"),
            ]
            joins = """
                JOIN account AS follower ON follower.id = follow.follower_id
                JOIN account AS followee ON followee.id = follow.followee_id
                """
            order = "follower.external_id, followee.external_id"
            isUsers = ":user IN (follow.follower_id, follow.followee_id)"
        case .events:
            cells =
                [
                    Cell(.id, "event.external_id"), Cell(.user, "account.external_id"),
                    Cell(.habit, "habit.external_id"), Cell(.day, "event.day", .day),
                    Cell(.at, "event.occurred_at", offset: "event.utc_offset"), Cell(.comment, "event.comment"),
                    Cell(.outcome, "event.outcome"),
                ] + Self.photo + Self.position("event")
            joins = "JOIN habit ON habit.id = event.habit_id\n" + Self.ownerAndPhoto("event")
            (order, isUsers) = ("event.external_id", "event.user_id = :user")
        case .items:
            cells =
                [
                    Cell(.id, "item.external_id"), Cell(.user, "account.external_id"), Cell(.name, "item.name"),
                    Cell(.description, "item.description"),
                ] + Self.photo + [
                    Cell(.state, "item.state"), Cell(.postedAt, "item.posted_at", offset: "item.posted_offset"),
                    Cell(.expires, "item.expires_day", .day),
                ] + Self.position("item")
            joins = Self.ownerAndPhoto("item")
            (order, isUsers) = ("item.external_id", "item.user_id = :user")
        case .claims:
            cells = [
                Cell(.item, "item.external_id"), Cell(.user, "account.external_id"),
                Cell(.claimedAt, "claim.claimed_at", offset: "claim.claimed_offset"), Cell(.state, "claim.state"),
            ]
            joins = "JOIN item ON item.id = claim.item_id\nJOIN account ON account.id = claim.user_id"
            (order, isUsers) = ("item.external_id, account.external_id", ":user IN (claim.user_id, item.user_id)")
        case .messages:
            cells = [
                Cell(.id, "message.external_id"), Cell(.item, "item.external_id"),
                Cell(.sender, "sender.external_id"), Cell(.recipient, "recipient.external_id"),
                Cell(.sentAt, "message.sent_at", offset: "message.sent_offset"), Cell(.text, "message.text"),
            ]
            joins = """
                JOIN item ON item.id = message.item_id
                JOIN account AS sender ON sender.id = message.sender_id
                JOIN account AS recipient ON recipient.id = message.recipient_id
                """
            order = "message.external_id"
            isUsers = ":user IN (message.sender_id, message.recipient_id, item.user_id)"
        case .posts:
            cells =
                [
                    Cell(.id, "post.external_id"), Cell(.user, "account.external_id"), Cell(.caption, "post.caption"),
                ] + Self.photo + [
                    Cell(.postedAt, "post.posted_at", offset: "post.posted_offset"),
                    Cell(.deletedAt, "post.deleted_at", offset: "post.deleted_offset"),
                ] + Self.position("post")
            joins = Self.ownerAndPhoto("post")
            (order, isUsers) = ("post.external_id", "post.user_id = :user")
        }
    }

    private static let photo = [
        Cell(.photo, "exported_photo.path"), Cell(.keepEXIF, "exported_photo.keep_exif", .boolean),
    ]

    private static func position(_ table: String) -> [Cell] {
        [
            Cell(.longitude, "\(table).geometry", .longitude), Cell(.latitude, "\(table).geometry", .latitude),
        ]
    }

    private static func ownerAndPhoto(_ table: String) -> String {
        """
        JOIN account ON account.id = \(table).user_id
        LEFT JOIN exported_photo ON exported_photo.photo_id = \(table).photo_id
        """
    }

    /// The names of the weekdays in a mask: `mon wed fri`.
    private static func days(_ mask: String) -> String {
        let names = (0..<7).compactMap { bit in
            Schedule(mask: 1 << bit).map { "CASE WHEN \(mask) & \(1 << bit) <> 0 THEN '\($0) ' ELSE '' END" }
        }
        return "rtrim(\(names.joined(separator: " || ")))"
    }
}
