import HabitModel

/// Who follows whom, has asked to, or was rejected: what the viewer is part of.
public struct FollowQuery: Sendable {
    public var viewer: Viewer
    public var status: FollowStatus?
    /// Only the follow between these two.
    public var pair: (follower: String, followee: String)?
    public var limit: Int?

    public init(viewer: Viewer) { self.viewer = viewer }

    public func selection(in session: any Session) throws -> Selection {
        let visibility = Visibility(viewer: viewer)
        var select = SelectBuilder(
            columns: [
                "follower.external_id", "followee.external_id", "follow.status", "follow.share",
                "follow.requested_at", "follow.requested_offset",
            ],
            from: "follow", order: "follower.external_id, followee.external_id")
        select.joins = """
            JOIN account AS follower ON follower.id = follow.follower_id
            JOIN account AS followee ON followee.id = follow.followee_id
            """
        select.limit = limit
        select.require(visibility.follows, visibility.bindings)
        if let status { select.require("follow.status = :status", ["status": .text(status.rawValue)]) }
        if let pair {
            select.require(
                "follower.external_id = :follower AND followee.external_id = :followee",
                ["follower": .text(pair.follower.composed), "followee": .text(pair.followee.composed)])
        }
        return Selection(select.sql, shape: Self.shape)
    }

    private static let shape = ResultShape(
        columns: [
            Column("follower", .text, at: 0), Column("followee", .text, at: 1), Column("status", .text, at: 2),
            Column("share", .text, at: 3), Column("requested_at", .instant(offset: 5), at: 4),
        ],
        identity: ["follower", "followee"])
}

extension FollowQuery {
    /// What one is to the other.
    public static func one(
        _ follower: String, _ followee: String, viewer: Viewer, in session: any Session
    ) throws -> Selection {
        var query = FollowQuery(viewer: viewer)
        query.pair = (follower, followee)
        return try query.selection(in: session)
    }
}
