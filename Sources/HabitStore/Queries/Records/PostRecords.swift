import HabitModel
import StoreEngine

/// Photo posts: the viewer's own posts and the posts of followed users, without deleted posts.
///
/// The operator sees all posts that are not deleted.
public struct PostRecords: ListedRecords {
    /// Whether the rows go to a client without a token, which sees no positions in private places.
    public var isPublic = false

    /// Returns the posts that the viewer of a query can see and that have the options.
    public func rows(of query: RecordQuery<Self>, in session: any Session) throws -> RecordRows {
        let visibility = Visibility(viewer: query.viewer, isPublic: isPublic)
        var rows = RecordRows(
            table: "post",
            joins: "JOIN account ON account.id = post.user_id",
            outputs: PostTable.outputs(visibility).of(.lists),
            textTable: [
                "id", TableColumn("posted_at", label: "day"), .ifUsed(ResultShape.distance), "caption", "has_photo",
                .ifUsed(ColumnLabel.place), "user",
            ],
            conditions: ["post.deleted_at IS NULL", visibility.posts],
            order: [.descending("post.posted_at", .instant, isNullable: true)],
            time: RecordTime(instant: "post.posted_at", offset: "post.posted_offset", zone: "account.time_zone"),
            position: visibility.position(in: "post"))
        if query.viewer != .operator {
            rows.owned = { users, session in .posts(visibility, of: users, in: session) }
        }
        return rows
    }
}

/// A query for photo posts.
public typealias PostQuery = RecordQuery<PostRecords>

extension PostQuery {
    /// Creates a query for all posts that `viewer` can see.
    public init(viewer: Viewer) {
        self.init(PostRecords(), viewer: viewer)
    }

    /// Returns a query for one post.
    ///
    /// The result is empty if the viewer cannot see a post with the ID `id`.
    ///
    /// - Parameters:
    ///   - id: The ID of the post.
    ///   - viewer: The viewer of the query.
    ///   - isPublic: Whether the row goes to a client without a token.
    ///   - session: The session that runs the query.
    /// - Returns: The query, with at most one row.
    /// - Throws: An error of the engine.
    public static func one(
        _ id: String,
        viewer: Viewer,
        isPublic: Bool = false,
        in session: any Session
    ) throws -> Selection {
        var query = PostQuery(viewer: viewer)
        query.isPublic = isPublic
        query.id = id
        return try query.selection(in: session)
    }

    /// The shape of the rows.
    static let shape = Projection(
        PostTable.outputs(Visibility(viewer: .operator)).of(.lists), identity: ["id"]
    ).shape
}
