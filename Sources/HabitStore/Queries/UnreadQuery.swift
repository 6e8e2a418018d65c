import Base
import HabitModel
import StoreEngine

/// A query for the numbers of unread messages of a user.
///
/// A message is unread if another user has sent it to the user after the instant of the user's read marker. The
/// messages about an item are one thread. A message without a time is unread only in a thread without a marker.
public struct UnreadQuery: Sendable {
    /// The number of unread messages about an item.
    public struct Thread: Sendable, Equatable {
        /// The ID of the item.
        public var item: String
        /// The number of unread messages, from 1.
        public var unread: Int
    }

    private let viewer: Viewer

    /// Creates a query for the unread messages of `viewer`, who is a user.
    public init(viewer: Viewer) { self.viewer = viewer }

    /// Returns the threads with unread messages in the order of the IDs of the items.
    ///
    /// - Parameter session: The session that runs the query.
    /// - Returns: The threads, or an empty array for the operator.
    /// - Throws: An error of the engine.
    public func threads(in session: any Session) throws -> [Thread] {
        guard let key = viewer.key else { return [] }
        let sql: SQL = """
            SELECT item.external_id, thread.unread
            FROM (
            \(counts(of: "\(.integer(key), as: "viewer")"))
            ) AS thread
            JOIN item ON item.id = thread.item_id
            ORDER BY item.external_id
            """
        var threads: [Thread] = []
        try session.query(sql) { row in
            threads.append(Thread(item: row.text(0) ?? "", unread: Int(row.integer(1))))
            return true
        }
        return threads
    }

    /// Returns a SELECT of the key of each item with unread messages, and of their number: `item_id` and `unread`.
    ///
    /// - Parameter user: An expression for the key of the viewer.
    /// - Returns: The SELECT.
    func counts(of user: SQL) -> SQL {
        """
        SELECT message.item_id, count(*) AS unread
        FROM message
        WHERE message.recipient_id = \(user) AND NOT EXISTS (
            SELECT 1
            FROM read_marker
            WHERE read_marker.item_id = message.item_id AND read_marker.user_id = \(user)
              AND coalesce(message.sent_at, read_marker.read_at) <= read_marker.read_at
          )
          AND \(Visibility(viewer: viewer).messages ?? "TRUE")
        GROUP BY message.item_id
        """
    }
}
