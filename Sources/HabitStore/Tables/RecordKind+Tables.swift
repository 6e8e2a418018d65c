import HabitModel

extension RecordKind {
    /// The table that contains the records of this kind.
    var table: String {
        switch self {
        case .settings: "setting"
        case .users: "account"
        case .habits: "habit"
        case .schedules: "habit_schedule"
        case .pauses: "pause"
        case .follows: "follow"
        case .blocks: "block"
        case .events: "event"
        case .items: "item"
        case .claims: "claim"
        case .messages: "message"
        case .reads: "read_marker"
        case .posts: "post"
        }
    }

    /// The names of the columns of the table without the key `id`, in the order of the digests of `habitat copy`.
    var storedColumns: [String] {
        switch self {
        case .settings: SettingTable.columns
        case .users: UserTable.columns.map(\.name)
        case .habits: HabitTable.columns.map(\.name)
        case .schedules: ScheduleTable.columns.map(\.name)
        case .pauses: PauseTable.columns.map(\.name)
        case .follows: FollowTable.columns.map(\.name)
        case .blocks: BlockTable.columns.map(\.name)
        case .events: EventTable.columns.map(\.name)
        case .items: ItemTable.columns.map(\.name)
        case .claims: ClaimTable.columns.map(\.name)
        case .messages: MessageTable.columns.map(\.name)
        case .reads: ReadTable.columns.map(\.name)
        case .posts: PostTable.columns.map(\.name)
        }
    }

    /// The columns of lists of this kind, except the columns that a query adds, such as a distance.
    package var listColumns: Set<String> {
        let columns = ExportSource(self).columns.of(.lists)
        return Set(columns.flatMap(\.names))
    }

    /// The columns of a public collection of this kind.
    ///
    /// Only signed-in users can see other columns.
    public var publicColumns: Set<String> {
        let columns = ExportSource(self).columns.of(.publicLists)
        return Set(columns.flatMap(\.names))
    }
}
