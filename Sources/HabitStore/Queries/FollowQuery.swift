import Base
import HabitModel
import StoreEngine

/// A query for follows with any status that have the viewer as follower or followed user.
public struct FollowQuery: Sendable {
    /// The viewer of the query.
    ///
    /// The operator sees all follows.
    public var viewer: Viewer
    /// The status of the follows to find, or `nil` for every status.
    public var status: FollowStatus?
    /// The maximum number of rows, or `nil` for all rows.
    public var limit: Int?
    /// The time span in which the follows were requested, or `nil`.
    ///
    /// Follows without a time match every time span.
    public var during: TimeSpan?
    /// A condition on the properties of the rows, or `nil`.
    public var condition: FeatureFilter?
    /// The page to read, or `nil` for the complete result.
    public var page: Page?
    private var pair: (follower: String, followee: String)?

    /// Creates a query for all follows that `viewer` can see, sorted by the IDs of the users.
    public init(viewer: Viewer) { self.viewer = viewer }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to this order.
    public func selection(in session: any Session) throws -> Selection {
        let visibility = Visibility(viewer: viewer)
        var select = SelectBuilder(
            columns: Self.projection.sql,
            from: "follow", order: ["follower.external_id", "followee.external_id"])
        select.joins = FollowTable.joins
        if viewer == .operator, pair == nil {
            // The followers are read in order, so that a page sorts only the follows of its followers.
            let ordered = session.dialect.orderedJoin
            select.from = "account AS follower"
            select.joins = """
                \(ordered) follow ON follow.follower_id = follower.id
                \(ordered) account AS followee ON followee.id = follow.followee_id
                """
        }
        select.limit = limit
        select.page = page
        try select.require(
            daysOf: during, at: "follow.requested_at", offset: "follow.requested_offset", zone: "follower.time_zone",
            in: session)
        select.require(visibility.follows, visibility.bindings)
        if let during { select.require(during.condition("follow.requested_at", orUnknown: true)) }
        if let pair {
            select.require(
                "follower.external_id = :follower AND followee.external_id = :followee",
                ["follower": .text(pair.follower.composed), "followee": .text(pair.followee.composed)])
        }
        try select.require(condition, over: FollowTable.outputs.of(.lists), session.dialect)
        if let status { select.require("follow.status = :status", ["status": .text(status.rawValue)]) }
        return try select.selection(Self.projection.shape)
    }

    private static let projection = Projection(FollowTable.outputs.of(.lists), identity: ["follower", "followee"])
}

extension FollowQuery {
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
        query.pair = pair
        return try query.selection(in: session)
    }

    /// Returns a query for the relation of one user to another.
    ///
    /// The status is `none` if there is no follow.
    ///
    /// The query does not depend on a viewer.
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
