import HabitModel

/// The source of the rows of a kind in files: the columns, the joined tables and the order.
struct ExportSource {
    var columns: [OutputColumn]
    var joins = ""
    /// The natural order, by ID.
    var order: String
    /// A condition that a row belongs to the user `:user`.
    var isUsers: String

    init(_ kind: RecordKind) {
        switch kind {
        case .settings:
            columns = SettingTable.outputs
            (order, isUsers) = ("setting.name", "setting.name IS NULL")
        case .users:
            columns = UserTable.outputs
            (order, isUsers) = ("account.external_id", "account.id = :user")
        case .habits:
            columns = HabitTable.outputs(Visibility(viewer: .operator))
            joins = "JOIN account ON account.id = habit.user_id"
            (order, isUsers) = ("habit.external_id", "habit.user_id = :user")
        case .schedules:
            columns = ScheduleTable.outputs
            joins = ScheduleTable.join
            (order, isUsers) = ("habit.external_id, habit_schedule.from_day", "habit.user_id = :user")
        case .follows:
            columns = FollowTable.outputs
            joins = FollowTable.joins
            order = "follower.external_id, followee.external_id"
            isUsers = ":user IN (follow.follower_id, follow.followee_id)"
        case .events:
            columns = EventTable.outputs
            joins = EventTable.habitJoin + "\nJOIN account ON account.id = event.user_id"
            (order, isUsers) = ("event.external_id", "event.user_id = :user")
        case .items:
            columns = ItemTable.outputs(Visibility(viewer: .operator), state: "item.state")
            joins = "JOIN account ON account.id = item.user_id"
            (order, isUsers) = ("item.external_id", "item.user_id = :user")
        case .claims:
            columns = ClaimTable.outputs
            joins = ClaimTable.joins
            (order, isUsers) = ("item.external_id, claimant.external_id", ":user IN (claim.user_id, item.user_id)")
        case .messages:
            columns = MessageTable.outputs
            joins = MessageTable.joins
            order = "message.external_id"
            isUsers = ":user IN (message.sender_id, message.recipient_id, item.user_id)"
        case .posts:
            columns = PostTable.outputs
            joins = "JOIN account ON account.id = post.user_id"
            (order, isUsers) = ("post.external_id", "post.user_id = :user")
        }
    }
}
