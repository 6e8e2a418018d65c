import Geo
import HabitModel
import StoreEngine

/// Photo posts: one's own and those of the users one follows; deleted ones are gone.
public struct PostQuery: Sendable {
    public var viewer: Viewer
    /// Only the post with this id.
    public var id: String?
    public var users: [String] = []
    public var near: Near?
    public var box: BoundingBox?
    /// When they were posted.
    public var during: TimeSpan?
    public var sort = SortOrder.newest
    public var limit: Int?
    public var page: Page?

    public init(viewer: Viewer) { self.viewer = viewer }

    public func selection(in session: any Session) throws -> Selection {
        let visibility = Visibility(viewer: viewer)
        var select = SelectBuilder(
            columns: Self.projection.sql,
            from: "post",
            order: sort.terms(
                of: "post", near: near, newest: [.descending("post.posted_at", .instant, isNullable: true)],
                session.dialect))
        select.joins = "JOIN account ON account.id = post.user_id"
        select.limit = limit
        select.page = page
        let shape = Self.shape.near(near)
        select.narrow("post", near: near, box: box, dialect: session.dialect)
        select.require("post.deleted_at IS NULL")
        if let id { select.require("post.external_id = :id", ["id": .text(id.composed)]) }
        select.require(visibility.posts, visibility.bindings)
        if !users.isEmpty {
            // A plus keeps the planner from starting with the users where a place narrows better.
            let plus = near == nil && box?.isWorld != false ? "" : "+"
            select.require("\(plus)post.user_id", in: try users.map { try Lookup.user($0, in: session) }, as: "user")
        }
        if let during { select.require(during.condition("post.posted_at")) }
        return try select.selection(shape)
    }

    private static let projection = Projection(PostTable.outputs.of(.lists), identity: ["id"])
    static let shape = projection.shape
}

extension PostQuery {
    /// The post with this id, if the viewer may see it.
    public static func one(_ id: String, viewer: Viewer, in session: any Session) throws -> Selection {
        var query = PostQuery(viewer: viewer)
        query.id = id
        return try query.selection(in: session)
    }
}
