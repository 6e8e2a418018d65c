import HabitModel
import StoreEngine

/// The source of the rows of a kind in files: the columns, the joined tables and the order.
struct ExportSource {
    /// The columns of the kind, of which a file contains those of ``OutputColumn/Outputs/files``.
    let columns: [OutputColumn]
    /// The joins that the columns need.
    let joins: SQL
    /// The columns of the natural order: the ID, or the IDs of which a record consists.
    let order: [String]
    /// The columns of which one contains the key of the user that a row belongs to.
    ///
    /// A setting has no user.
    let owners: [String]

    init(_ kind: RecordKind) {
        switch kind {
        case .settings:
            self.init(columns: SettingTable.outputs, order: ["setting.name"], owners: [])
        case .users:
            self.init(columns: UserTable.outputs, order: ["account.external_id"], owners: ["account.id"])
        case .habits:
            self.init(
                columns: HabitTable.outputs(Visibility(viewer: .operator)),
                joins: Self.owner(of: kind),
                order: ["habit.external_id"],
                owners: ["habit.user_id"])
        case .schedules:
            self.init(
                columns: ScheduleTable.outputs,
                joins: ScheduleTable.join,
                order: ["habit.external_id", "habit_schedule.from_day"],
                owners: ["habit.user_id"])
        case .pauses:
            self.init(
                columns: PauseTable.outputs,
                joins: PauseTable.joins,
                order: ["pause.external_id"],
                owners: ["pause.user_id"])
        case .follows:
            self.init(
                columns: FollowTable.outputs,
                joins: FollowTable.joins,
                order: ["follower.external_id", "followee.external_id"],
                owners: ["follow.follower_id", "follow.followee_id"])
        case .blocks:
            self.init(
                columns: BlockTable.outputs,
                joins: BlockTable.joins,
                order: ["blocker.external_id", "blocked.external_id"],
                owners: ["block.blocker_id"])
        case .events:
            self.init(
                columns: EventTable.outputs(Visibility(viewer: .operator)),
                joins: "\(EventTable.habitJoin)\n\(Self.owner(of: kind))",
                order: ["event.external_id"],
                owners: ["event.user_id"])
        case .items:
            self.init(
                columns: ItemTable.outputs(Visibility(viewer: .operator), state: "item.state"),
                joins: Self.owner(of: kind),
                order: ["item.external_id"],
                owners: ["item.user_id"])
        case .claims:
            self.init(
                columns: ClaimTable.outputs,
                joins: ClaimTable.joins,
                order: ["item.external_id", "claimant.external_id"],
                owners: ["claim.user_id", "item.user_id"])
        case .messages:
            self.init(
                columns: MessageTable.outputs,
                joins: MessageTable.joins,
                order: ["message.external_id"],
                owners: ["message.sender_id", "message.recipient_id", "item.user_id"])
        case .reads:
            self.init(
                columns: ReadTable.outputs,
                joins: ReadTable.joins,
                order: ["item.external_id", "reader.external_id"],
                owners: ["read_marker.user_id"])
        case .posts:
            self.init(
                columns: PostTable.outputs(Visibility(viewer: .operator)),
                joins: Self.owner(of: kind),
                order: ["post.external_id"],
                owners: ["post.user_id"])
        }
    }

    private init(
        columns: [OutputColumn],
        joins: SQL = "",
        order: [String],
        owners: [String]
    ) {
        self.columns = columns
        self.joins = joins
        self.order = order
        self.owners = owners
    }

    /// The join of the account of the user who owns a row.
    private static func owner(of kind: RecordKind) -> SQL {
        "JOIN account ON account.id = \(raw: kind.table).user_id"
    }

    /// Returns the condition that a row belongs to a user.
    ///
    /// - Parameter user: The key of the user's account.
    /// - Returns: The condition, which is false for a kind whose rows have no user.
    func condition(user: Int64) -> SQL {
        let key: SQL = "\(.integer(user), as: "user")"
        guard let owner = owners.first else { return "FALSE" }
        guard owners.count > 1 else { return "\(raw: owner) = \(key)" }
        return "\(key) IN (\(raw: owners.joined(separator: ", ")))"
    }
}
