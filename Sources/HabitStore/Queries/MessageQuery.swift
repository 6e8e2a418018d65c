import HabitModel
import StoreEngine

/// Messages about items, in the order in which they were sent.
public struct MessageQuery: Sendable {
    public var viewer: Viewer
    /// Only the message with this id.
    public var id: String?
    /// Only messages about this item, and only those from or to this user.
    public var item: String?
    public var user: String?
    /// Only the latest ones, this many; in order all the same.
    public var limit: Int?
    /// The time in which they were sent. Rows without a time match too.
    public var during: TimeSpan?
    /// Part of them, the latest first.
    public var page: Page?

    public init(viewer: Viewer) { self.viewer = viewer }

    /// Throws `not-found` for an item or a user that there is not.
    public func selection(in session: any Session) throws -> Selection {
        let visibility = Visibility(viewer: viewer)
        var select = SelectBuilder(
            columns: Self.projection.sql,
            from: "message",
            order: [
                .descending("message.sent_at", .instant, isNullable: true), .descending("message.external_id"),
            ])
        select.joins = MessageTable.joins
        select.limit = limit
        select.page = page
        select.require(visibility.messages, visibility.bindings)
        if let during { select.require(during.condition("message.sent_at", orUnknown: true)) }
        if let id { select.require("message.external_id = :id", ["id": .text(id.composed)]) }
        if let item {
            let key = try Things(viewer: viewer, in: session).require(.view, .item, item)
            select.require("message.item_id = :item", ["item": .integer(key)])
        }
        if let user {
            select.require(
                ":user IN (message.sender_id, message.recipient_id)",
                ["user": .integer(try Lookup.user(user, in: session))])
        }
        if page != nil { return try select.selection(Self.projection.shape) }
        // The latest are chosen, and then told from the first on.
        var sql = select.sql
        sql.text = "SELECT *\nFROM (\n\(sql.text)\n) AS latest\nORDER BY sent_at NULLS FIRST, id"
        return Selection(sql, shape: Self.projection.shape)
    }

    private static let projection = Projection(MessageTable.outputs.of(.lists), identity: ["id"])
}

extension MessageQuery {
    /// The message with this id, if the viewer may see it.
    public static func one(_ id: String, viewer: Viewer, in session: any Session) throws -> Selection {
        var query = MessageQuery(viewer: viewer)
        query.id = id
        return try query.selection(in: session)
    }
}
