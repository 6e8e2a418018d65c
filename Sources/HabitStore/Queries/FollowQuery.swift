import HabitModel
import StoreEngine

/// Who follows whom, has asked to, or was rejected: what the viewer is part of.
public struct FollowQuery: Sendable {
    public var viewer: Viewer
    public var status: FollowStatus?
    public var limit: Int?
    /// The time in which they were requested. Rows without a time match too.
    public var during: TimeSpan?
    public var page: Page?
    private var pair: (follower: String, followee: String)?

    public init(viewer: Viewer) { self.viewer = viewer }

    public func selection(in session: any Session) throws -> Selection {
        let visibility = Visibility(viewer: viewer)
        var select = SelectBuilder(
            columns: Self.projection.sql,
            from: "follow", order: ["follower.external_id", "followee.external_id"])
        select.joins = FollowTable.joins
        select.limit = limit
        select.page = page
        select.require(visibility.follows, visibility.bindings)
        if let during { select.require(during.condition("follow.requested_at", orUnknown: true)) }
        if let pair {
            select.require(
                "follower.external_id = :follower AND followee.external_id = :followee",
                ["follower": .text(pair.follower.composed), "followee": .text(pair.followee.composed)])
        }
        if let status { select.require("follow.status = :status", ["status": .text(status.rawValue)]) }
        return try select.selection(Self.projection.shape)
    }

    private static let projection = Projection(FollowTable.outputs.of(.lists), identity: ["follower", "followee"])
}

extension FollowQuery {
    /// That of one on another, if there is one and the viewer is part of it.
    public static func one(
        of pair: (follower: String, followee: String), viewer: Viewer, in session: any Session
    ) throws -> Selection {
        var query = FollowQuery(viewer: viewer)
        query.pair = pair
        return try query.selection(in: session)
    }

    /// The relation of one user to another. The status is `none` if there is no follow.
    public static func one(_ follower: String, _ followee: String) -> Selection {
        let columns = FollowTable.outputs.of(.lists).map { column in
            column.name == Field.status.name
                ? OutputColumn(column.name, .expression("coalesce(follow.status, 'none')"), in: .lists) : column
        }
        let projection = Projection(columns, identity: ["follower", "followee"])
        let text = """
            SELECT \(projection.sql.joined(separator: ", "))
            FROM account AS follower
            CROSS JOIN account AS followee
            LEFT JOIN follow ON follow.follower_id = follower.id AND follow.followee_id = followee.id
            WHERE follower.external_id = :follower AND followee.external_id = :followee
            ORDER BY follower.id
            """
        return Selection(
            SQL(text, ["follower": .text(follower.composed), "followee": .text(followee.composed)]),
            shape: projection.shape)
    }
}
