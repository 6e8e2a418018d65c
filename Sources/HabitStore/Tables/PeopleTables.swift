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
        StoredColumn("external_id") { record, _ in .text(record.id) },
        StoredColumn("name") { record, _ in record.name.column },
        StoredColumn("email") { record, _ in record.email.column },
        StoredColumn("time_zone", initial: .text("UTC")) { record, _ in record.timeZone.orAbsent.column },
        StoredColumn("share_location", initial: .integer(1)) { record, _ in
            record.sharesLocation.orAbsent.column { .boolean($0) }
        },
    ]

    static let outputs: [OutputColumn] =
        [
            OutputColumn("id", .expression("account.external_id"), in: .all),
            OutputColumn("name", .expression("account.name"), in: .all),
            OutputColumn("following", .expression("coalesce(following.status, 'none')"), in: .shown),
            OutputColumn("follower", .expression("coalesce(follower.status, 'none')"), in: .shown),
        ] + privateColumns.map { OutputColumn($0.name, .expression($0.sql, $0.value), in: .files) }

    /// The columns that only the owner of the account and the operator can see.
    private static let privateColumns: [(name: String, sql: SQL, value: Column.Value)] = [
        ("email", "account.email", .text), ("time_zone", "account.time_zone", .text),
        ("share_location", "account.share_location", .boolean),
    ]

    /// Returns the private columns, which are null in accounts of other users unless the viewer is the operator.
    static func privateOutputs(_ visibility: Visibility) -> [OutputColumn] {
        privateColumns.map { OutputColumn($0.name, .expression(visibility.ownAccount($0.sql), $0.value), in: .lists) }
    }
}

/// The table `follow`.
enum FollowTable {
    struct Keys {
        var follower: Int64
        var followee: Int64
    }

    static let columns: [StoredColumn<FollowRecord, Keys>] = [
        StoredColumn("follower_id") { .integer($1.follower) },
        StoredColumn("followee_id") { .integer($1.followee) },
        StoredColumn("status", initial: .text(FollowStatus.accepted.rawValue)) { record, _ in
            record.status.orAbsent.column { .text($0.rawValue) }
        },
        StoredColumn("share", initial: .text(Share.all.rawValue)) { record, _ in
            record.share.orAbsent.column { .text($0.rawValue) }
        },
        StoredColumn("requested_at") { record, _ in record.requestedAt.instantColumn },
        StoredColumn("requested_offset") { record, _ in record.requestedAt.offsetColumn },
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
