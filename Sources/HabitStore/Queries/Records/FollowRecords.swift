import HabitModel
import StoreEngine

/// Follows with any status that have the viewer as follower or followed user, sorted by the IDs of the users.
///
/// The operator sees all follows.
public struct FollowRecords: ListedRecords {
    /// The status of the follows to find, or `nil` for every status.
    public var status: FollowStatus?
    /// The ID of the follower, or `nil` for all users.
    public var follower: String?
    /// The ID of the followed user, or `nil` for all users.
    public var followee: String?

    /// Returns the follows that the viewer of a query can see and that have the options.
    public func rows(of query: RecordQuery<Self>, in session: any Session) throws -> RecordRows {
        var rows = RecordRows(
            table: "follow",
            joins: FollowTable.joins,
            outputs: FollowTable.outputs.of(.lists),
            identity: ["follower", "followee"],
            conditions: [
                Visibility(viewer: query.viewer).follows,
                follower.map { id in "follower.external_id = \(.text(id.composed), as: "follower")" },
                followee.map { id in "followee.external_id = \(.text(id.composed), as: "followee")" },
                status.map { status in "follow.status = \(.text(status.rawValue), as: "status")" },
            ],
            order: [OrderTerm("follower.external_id"), OrderTerm("followee.external_id")],
            time: RecordTime(
                instant: "follow.requested_at", offset: "follow.requested_offset", zone: "follower.time_zone"))
        if query.viewer != .operator, follower == nil, followee == nil {
            let isFollower: SQL = "follow.follower_id = \(Visibility(viewer: query.viewer).key)"
            rows.textTable = [TableColumn("other", label: "user"), "direction", "status", "share"]
            rows.textOutputs = [
                SelectColumn(
                    "other", "CASE WHEN \(isFollower) THEN followee.external_id ELSE follower.external_id END"),
                SelectColumn("direction", "CASE WHEN \(isFollower) THEN 'you follow' ELSE 'follows you' END"),
            ]
        }
        if query.viewer == .operator, follower == nil, followee == nil {
            // The followers are read in order, so that a page sorts only the follows of its followers.
            let join = session.dialect.traits.orderedJoin
            rows.source = "account AS follower"
            rows.joins = """
                \(raw: join) follow ON follow.follower_id = follower.id
                \(raw: join) account AS followee ON followee.id = follow.followee_id
                """
        }
        return rows
    }
}

/// A query for follows.
public typealias FollowQuery = RecordQuery<FollowRecords>

extension FollowQuery {
    /// Creates a query for all follows that `viewer` can see.
    public init(viewer: Viewer) {
        self.init(FollowRecords(), viewer: viewer)
    }

    /// Returns a query for one follow.
    ///
    /// The result is empty if it does not exist or does not include the viewer.
    ///
    /// - Parameters:
    ///   - pair: The IDs of the follower and of the followed user.
    ///   - viewer: The viewer of the query.
    ///   - session: The session that runs the query.
    /// - Returns: The query, with at most one row.
    /// - Throws: No error, because the query has no page.
    public static func one(
        of pair: (follower: String, followee: String), viewer: Viewer, in session: any Session
    ) throws -> Selection {
        var query = FollowQuery(viewer: viewer)
        query.follower = pair.follower
        query.followee = pair.followee
        return try query.selection(in: session)
    }

    /// Returns a query for the relation of one user to another.
    ///
    /// The status is `none` if there is no follow.
    ///
    /// The query does not depend on a viewer.
    public static func one(_ follower: String, _ followee: String) -> Selection {
        let outputs = FollowTable.outputs.of(.lists).map { column in
            guard column.name == Field.status.name else { return column }
            return OutputColumn(column.name, .expression("coalesce(follow.status, 'none')"), in: .lists)
        }
        let projection = Projection(outputs, identity: ["follower", "followee"])
        let sql: SQL = """
            SELECT \(projection.columns.list)
            FROM account AS follower
            CROSS JOIN account AS followee
            LEFT JOIN follow ON follow.follower_id = follower.id AND follow.followee_id = followee.id
            WHERE follower.external_id = \(.text(follower.composed), as: "follower")
              AND followee.external_id = \(.text(followee.composed), as: "followee")
            ORDER BY follower.id
            """
        return Selection(sql, shape: projection.shape)
    }
}
