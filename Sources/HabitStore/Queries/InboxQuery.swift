import Base
import HabitModel
import StoreEngine

/// A query for the pending entries of a user, newest first.
///
/// The entries are follow requests, claims on the user's items, and messages to which the user has not replied.
public struct InboxQuery: Sendable {
    /// The viewer of the query, who must be a user.
    public var viewer: Viewer
    /// The maximum number of rows, or `nil` for all rows.
    public var limit: Int?
    /// Whether the entries include claims on items and messages about items.
    public var hasItems = true

    /// Creates a query for all pending entries of `viewer`.
    public init(viewer: Viewer) { self.viewer = viewer }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Throws: `not-signed-in` if the viewer is the operator.
    public func selection(in session: any Session) throws -> Selection {
        var sql: SQL = """
            SELECT kind, id, person, item, at, at_offset, text, item_name, entry, unread
            FROM (
            \(try waiting)
            ) AS waiting
            ORDER BY at DESC NULLS LAST, kind, id
            """
        if let limit {
            sql += "\nLIMIT \(.integer(Int64(limit)), as: "limit")"
        }
        return Selection(sql, shape: Self.shape)
    }

    /// Returns the number of entries of each kind that has entries: `message`, `claim` and `request`.
    ///
    /// - Parameter session: The session that runs the query.
    /// - Returns: The kinds with their numbers of entries.
    /// - Throws: `not-signed-in` if the viewer is the operator.
    public func counts(in session: any Session) throws -> [(kind: String, count: Int)] {
        let sql: SQL = """
            SELECT kind, count(*)
            FROM (
            \(try waiting)
            ) AS waiting
            GROUP BY kind
            """
        var counts: [String: Int] = [:]
        try session.query(sql) { row in
            counts[row.text(0) ?? ""] = Int(row.integer(1))
            return true
        }
        return ["message", "claim", "request"].compactMap { kind in
            counts[kind].map { count in (kind: kind, count: count) }
        }
    }

    /// A SELECT of the entries in any order.
    private var waiting: SQL {
        get throws {
            guard let key = viewer.key else {
                throw HabitError(.notSignedIn, "the inbox requires a signed-in user", .signIn)
            }
            let user: SQL = "\(.integer(key), as: "viewer")"
            let isVisible = Visibility(viewer: viewer).users ?? "TRUE"
            let requests: SQL = """
                SELECT 'request' AS kind, account.external_id AS id, account.external_id AS person, NULL AS item,
                  follow.requested_at AS at, follow.requested_offset AS at_offset, NULL AS text,
                  NULL AS item_name, 'wants to follow you' AS entry, CAST(NULL AS BIGINT) AS unread
                FROM follow
                JOIN account ON account.id = follow.follower_id
                WHERE follow.followee_id = \(user) AND follow.status = 'pending' AND \(isVisible)
                """
            guard hasItems else { return requests }
            return """
                \(requests)
                UNION ALL
                SELECT 'claim', item.external_id, account.external_id, item.external_id, claim.claimed_at,
                  claim.claimed_offset, item.name, item.name, 'has claimed it', CAST(NULL AS BIGINT)
                FROM item
                JOIN claim ON claim.item_id = item.id AND claim.state = 'claimed'
                JOIN account ON account.id = claim.user_id
                WHERE item.user_id = \(user) AND \(isVisible)
                UNION ALL
                SELECT 'message', message.external_id, account.external_id, item.external_id, message.sent_at,
                  message.sent_offset, message.text, item.name, message.text,
                  coalesce(thread.unread, 0)
                FROM message
                JOIN item ON item.id = message.item_id
                JOIN account ON account.id = message.sender_id
                LEFT JOIN (
                \(UnreadQuery(viewer: viewer).counts(of: user))
                ) AS thread ON thread.item_id = message.item_id
                WHERE message.recipient_id = \(user) AND \(isVisible) AND NOT EXISTS (
                  SELECT 1
                  FROM message AS later
                  WHERE later.item_id = message.item_id AND later.sender_id = \(user)
                    AND later.recipient_id = message.sender_id
                    AND (coalesce(later.sent_at, 0), later.id) > (coalesce(message.sent_at, 0), message.id)
                )
                """
        }
    }

    private static let shape: ResultShape = {
        var shape = records
        shape.textColumns = [
            Column("day", .instant(offset: 5), at: 4, measure: .date),
            Column("item_name", .text, at: 7),
            Column("entry", .text, at: 8),
        ]
        shape.table = [
            "day", "user", TableColumn("item_name", label: "item"), TableColumn("entry", label: "text"),
            .ifUsed("unread"),
        ]
        return shape
    }()

    private static let records = ResultShape(
        columns: [
            Column("kind", .text, at: 0),
            Column("id", .text, at: 1),
            Column("user", .text, at: 2),
            Column("item", .text, at: 3),
            Column("at", .instant(offset: 5), at: 4),
            Column("text", .text, at: 6),
            Column("unread", .integer, at: 9),
        ],
        identity: ["kind", "id"])
}
