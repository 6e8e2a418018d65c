import HabitModel

/// The other users, and how each stands to the viewer.
public struct UserQuery: Sendable {
    public var viewer: Viewer
    /// Only the user with this id, the viewer too.
    public var id: String?
    public var limit: Int?

    public init(viewer: Viewer) { self.viewer = viewer }

    public func selection(in session: any Session) throws -> Selection {
        var select = SelectBuilder(
            columns: [
                "account.external_id", "account.name",
                "coalesce(following.status, 'none')", "coalesce(follower.status, 'none')",
            ],
            from: "account", order: ["account.external_id"])
        select.limit = limit
        select.joins = Self.joins
        var key: Int64?
        if case .user(let viewer, _) = viewer { key = viewer }
        select.bind(["viewer": .integer(key)])
        if let id {
            select.require("account.external_id = :id", ["id": .text(id.composed)])
            select.columns += ["email", "time_zone", "share_location"].map {
                viewer == .operator ? "account.\($0)" : "CASE WHEN account.id = :viewer THEN account.\($0) END"
            }
            return Selection(select.sql, shape: Self.cardShape)
        }
        if key != nil { select.require("account.id <> :viewer") }
        return Selection(select.sql, shape: Self.shape)
    }

    /// `:viewer` is null for the operator, whom nobody follows.
    static let joins = """
        LEFT JOIN follow AS following
          ON following.follower_id = :viewer AND following.followee_id = account.id
        LEFT JOIN follow AS follower
          ON follower.follower_id = account.id AND follower.followee_id = :viewer
        """

    private static let cardShape = ResultShape(
        columns: shape.columns + [
            Column("email", .text, at: 4), Column("time_zone", .text, at: 5),
            Column("share_location", .boolean, at: 6),
        ],
        identity: ["id"])

    private static let shape = ResultShape(
        columns: ["id", "name", "following", "follower"].enumerated().map { Column($1, .text, at: $0) },
        identity: ["id"])
}

extension UserQuery {
    /// The user with this id; what is private for themselves and the operator.
    public static func one(_ id: String, viewer: Viewer, in session: any Session) throws -> Selection {
        var query = UserQuery(viewer: viewer)
        query.id = id
        return try query.selection(in: session)
    }
}
