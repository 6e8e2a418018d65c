import Base
import Geo
import HabitModel
import StoreEngine

/// A query for photo posts: the viewer's own posts and the posts of followed users, without deleted posts.
public struct PostQuery: Sendable {
    /// The viewer of the query.
    ///
    /// The operator sees all posts that are not deleted.
    public var viewer: Viewer
    /// The ID of the post to find, or `nil` for all posts.
    public var id: String?
    /// The IDs of the users who own the posts.
    ///
    /// An empty array selects all users.
    public var users: [String] = []
    /// A circle that contains the posts, or `nil`.
    public var near: Near?
    /// A bounding box that contains the posts, or `nil`.
    public var box: BoundingBox?
    /// An area that contains the posts in it or on its border, or `nil`.
    public var area: Area?
    /// A bounding box that contains the posts that have a position, or `nil`.
    public var boxOrUnlocated: BoundingBox?
    /// The time span in which the posts were posted, or `nil`.
    ///
    /// Posts without a time match every time span, as OGC API - Features requires for `datetime`.
    public var during: TimeSpan?
    /// The order of the rows.
    public var sort = SortOrder.newest
    /// The maximum number of rows, or `nil` for all rows.
    public var limit: Int?
    /// A condition on the properties of the rows, or `nil`.
    public var condition: FeatureFilter?
    /// The page to read, or `nil` for the complete result.
    public var page: Page?

    /// Creates a query for all posts that `viewer` can see.
    public init(viewer: Viewer) { self.viewer = viewer }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Throws: `not-found` if a user does not exist; `parameter-invalid` if the cursor of the page does not belong to
    ///   this order.
    public func selection(in session: any Session) throws -> Selection {
        let visibility = Visibility(viewer: viewer)
        let spatial = SpatialFilter(near: near, box: box ?? condition?.requiredBox, area: area)
        var select = SelectBuilder(
            columns: Self.projection.sql,
            from: "post",
            order: sort.terms(
                of: "post", near: near, newest: [.descending("post.posted_at", .instant, isNullable: true)],
                session.dialect))
        select.joins = "JOIN account ON account.id = post.user_id"
        select.limit = limit
        select.page = page
        try select.require(
            daysOf: during, at: "post.posted_at", offset: "post.posted_offset", zone: "account.time_zone", in: session)
        let shape = Self.shape.near(near)
        select.filterSpatially("post", spatial, session.dialect)
        select.require("post", insideOrUnlocated: boxOrUnlocated, dialect: session.dialect)
        select.require("post.deleted_at IS NULL")
        if let id { select.require("post.external_id = :id", ["id": .text(id.composed)]) }
        select.require(visibility.posts, visibility.bindings)
        if !users.isEmpty {
            // With a spatial filter, the plus keeps the planner from the index on users: the spatial index selects
            // fewer rows.
            let plus = spatial.window == nil ? "" : "+"
            select.require("\(plus)post.user_id", in: try users.map { try Lookup.user($0, in: session) }, as: "user")
        }
        if let during { select.require(during.condition("post.posted_at", orUnknown: true)) }
        try select.require(condition, over: PostTable.outputs.of(.lists), session.dialect)
        return try select.selection(shape)
    }

    private static let projection = Projection(PostTable.outputs.of(.lists), identity: ["id"])
    static let shape = projection.shape
}

extension PostQuery {
    /// Returns a query for one post.
    ///
    /// The result is empty if the viewer cannot see a post with the ID `id`.
    public static func one(_ id: String, viewer: Viewer, in session: any Session) throws -> Selection {
        var query = PostQuery(viewer: viewer)
        query.id = id
        return try query.selection(in: session)
    }
}
