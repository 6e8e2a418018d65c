import Base
import HabitModel
import StoreEngine

/// The table `setting`.
enum SettingTable {
    static let columns = ["name", "value"]

    static let outputs: [OutputColumn] = [
        OutputColumn("name", .expression("setting.name"), in: .files),
        OutputColumn("value", .expression("setting.value"), in: .files),
    ]
}

/// The table `account`: the users.
enum UserTable {
    static let columns: [StoredColumn<UserRecord, Void>] = [
        StoredColumn("external_id") { record, _ in
            .text(record.id)
        },
        StoredColumn("name") { record, _ in
            record.name.column
        },
        StoredColumn("email") { record, _ in
            record.email.column
        },
        StoredColumn("time_zone", initial: .text("UTC")) { record, _ in
            record.timeZone.orAbsent.column
        },
        StoredColumn("share_location", initial: .integer(1)) { record, _ in
            record.sharesLocation.orAbsent.column { shares in .boolean(shares) }
        },
        StoredColumn("private_places") { record, _ in
            record.privatePlaces.column { places in .text(places.text) }
        },
    ]

    static let outputs: [OutputColumn] =
        [
            OutputColumn("id", .expression("account.external_id"), in: .all),
            OutputColumn("name", .expression("account.name"), in: .all),
            OutputColumn("following", .expression("coalesce(following.status, 'none')"), in: .shown),
            OutputColumn("follower", .expression("coalesce(follower.status, 'none')"), in: .shown),
        ] + privateFileOutputs

    /// A column that only the owner of the account and the operator can see.
    private struct PrivateColumn {
        var name: String
        var sql: SQL
        var value: Column.Value
    }

    private static let privateColumns = [
        PrivateColumn(name: "email", sql: "account.email", value: .text),
        PrivateColumn(name: "time_zone", sql: "account.time_zone", value: .text),
        PrivateColumn(name: "share_location", sql: "account.share_location", value: .boolean),
        PrivateColumn(name: "private_places", sql: "account.private_places", value: .text),
    ]

    private static var privateFileOutputs: [OutputColumn] {
        privateColumns.map { column in
            OutputColumn(column.name, .expression(column.sql, column.value), in: .files)
        }
    }

    /// Returns the private columns, which are null in accounts of other users unless the viewer is the operator.
    static func privateOutputs(_ visibility: Visibility) -> [OutputColumn] {
        privateColumns.map { column in
            let visible = visibility.ownAccount(column.sql)
            return OutputColumn(column.name, .expression(visible, column.value), in: .lists)
        }
    }
}

/// The table `follow`.
enum FollowTable {
    struct Keys {
        var follower: Int64
        var followee: Int64
    }

    static let columns: [StoredColumn<FollowRecord, Keys>] = [
        StoredColumn("follower_id") { _, keys in
            .integer(keys.follower)
        },
        StoredColumn("followee_id") { _, keys in
            .integer(keys.followee)
        },
        StoredColumn("status", initial: .text(FollowStatus.accepted.rawValue)) { record, _ in
            record.status.orAbsent.column { value in .text(value.rawValue) }
        },
        StoredColumn("share", initial: .text(Share.all.rawValue)) { record, _ in
            record.share.orAbsent.column { value in .text(value.rawValue) }
        },
        StoredColumn("requested_at") { record, _ in
            record.requestedAt.instantColumn
        },
        StoredColumn("requested_offset") { record, _ in
            record.requestedAt.offsetColumn
        },
    ]

    static let outputs: [OutputColumn] = [
        OutputColumn("follower", .expression("follower.external_id"), in: .all),
        OutputColumn("followee", .expression("followee.external_id"), in: .all),
        OutputColumn("status", .expression("follow.status"), in: .all),
        OutputColumn("share", .expression("follow.share"), in: .all),
        OutputColumn("requested_at", .instant("follow.requested_at", offset: "follow.requested_offset"), in: .all),
    ]

    static let joins: SQL = """
        JOIN account AS follower ON follower.id = follow.follower_id
        JOIN account AS followee ON followee.id = follow.followee_id
        """
}

/// The table `block`: pairs of users who are hidden from each other.
enum BlockTable {
    struct Keys: Hashable {
        var blocker: Int64
        var blocked: Int64

        /// The block of the blocker by the blocked user.
        var reversed: Keys { Keys(blocker: blocked, blocked: blocker) }
    }

    static let columns: [StoredColumn<BlockRecord, Keys>] = [
        StoredColumn("blocker_id") { _, keys in
            .integer(keys.blocker)
        },
        StoredColumn("blocked_id") { _, keys in
            .integer(keys.blocked)
        },
        StoredColumn("blocked_at") { record, _ in
            record.blockedAt.instantColumn
        },
        StoredColumn("blocked_offset") { record, _ in
            record.blockedAt.offsetColumn
        },
    ]

    static let outputs: [OutputColumn] = [
        OutputColumn("blocker", .expression("blocker.external_id"), in: [.files, .lists]),
        OutputColumn("blocked", .expression("blocked.external_id"), in: [.files, .lists]),
        OutputColumn(
            "blocked_at",
            .instant("block.blocked_at", offset: "block.blocked_offset"),
            in: [.files, .lists]),
    ]

    static let joins: SQL = """
        JOIN account AS blocker ON blocker.id = block.blocker_id
        JOIN account AS blocked ON blocked.id = block.blocked_id
        """
}
