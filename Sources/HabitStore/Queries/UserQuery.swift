import HabitModel
import StoreEngine

/// The other users, and how each stands to the viewer.
public struct UserQuery: Sendable {
    public var viewer: Viewer
    /// Only the user with this id, the viewer too.
    public var id: String?
    public var limit: Int?

    public init(viewer: Viewer) { self.viewer = viewer }

    public func selection(in session: any Session) throws -> Selection {
        let columns =
            UserTable.outputs.of(.lists) + (id != nil ? UserTable.privateOutputs(Visibility(viewer: viewer)) : [])
        let projection = Projection(columns, identity: ["id"])
        var select = SelectBuilder(columns: projection.sql, from: "account", order: ["account.external_id"])
        select.limit = limit
        select.joins = Self.joins
        var key: Int64?
        if case .user(let viewer, _) = viewer { key = viewer }
        select.bind(["viewer": .integer(key)])
        if let id {
            select.require("account.external_id = :id", ["id": .text(id.composed)])
        } else if key != nil {
            select.require("account.id <> :viewer")
        }
        return Selection(select.sql, shape: projection.shape)
    }

    /// `:viewer` is null for the operator, whom nobody follows.
    static let joins = """
        LEFT JOIN follow AS following
          ON following.follower_id = :viewer AND following.followee_id = account.id
        LEFT JOIN follow AS follower
          ON follower.follower_id = account.id AND follower.followee_id = :viewer
        """
}

extension UserQuery {
    /// The user with this id; what is private for themselves and the operator.
    public static func one(_ id: String, viewer: Viewer, in session: any Session) throws -> Selection {
        var query = UserQuery(viewer: viewer)
        query.id = id
        return try query.selection(in: session)
    }
}
