import Base
import HabitModel
import StoreEngine

/// A query for messages about items, in the order of the time at which they were sent.
public struct MessageQuery: Sendable {
    /// The viewer of the query.
    ///
    /// A user sees the messages from and to the user. The operator sees all messages.
    public var viewer: Viewer
    /// The ID of the message to find, or `nil` for all messages.
    public var id: String?
    /// The ID of the item of the messages, or `nil` for all items.
    public var item: String?
    /// The ID of the sender or recipient of the messages, or `nil` for all users.
    public var user: String?
    /// The maximum number of messages, or `nil` for all.
    ///
    /// The query selects the latest and keeps their order.
    public var limit: Int?
    /// The time span in which the messages were sent, or `nil`.
    ///
    /// Messages without a time match every time span.
    public var during: TimeSpan?
    /// A condition on the properties of the rows, or `nil`.
    public var condition: FeatureFilter?
    /// The page to read, or `nil` for the complete result.
    public var page: Page?
    /// Whether the rows of a page are sorted latest first.
    ///
    /// Messages without a time count as the oldest.
    public var isNewestFirst = false

    /// Creates a query for all messages that `viewer` can see.
    public init(viewer: Viewer) { self.viewer = viewer }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Throws: `not-found` if the item or the user does not exist; `parameter-invalid` if the cursor of the page does
    ///   not belong to this order.
    public func selection(in session: any Session) throws -> Selection {
        let visibility = Visibility(viewer: viewer)
        var select = SelectBuilder(
            columns: Self.projection.sql,
            from: "message", order: page == nil || isNewestFirst ? Self.newestFirst : Self.oldestFirst)
        select.joins = MessageTable.joins
        select.limit = limit
        select.page = page
        try select.require(
            daysOf: during, at: "message.sent_at", offset: "message.sent_offset", zone: "sender.time_zone", in: session)
        select.require(visibility.messages, visibility.bindings)
        if let during { select.require(during.condition("message.sent_at", orUnknown: true)) }
        try select.require(condition, over: MessageTable.outputs.of(.lists), session.dialect)
        if let id { select.require("message.external_id = :id", ["id": .text(id.composed)]) }
        if let item {
            let key = try AccessChecker(viewer: viewer, in: session).require(.view, .item, item)
            select.require("message.item_id = :item", ["item": .integer(key)])
        }
        if let user {
            select.require(
                ":user IN (message.sender_id, message.recipient_id)",
                ["user": .integer(try Lookup.user(user, in: session))])
        }
        if page != nil { return try select.selection(Self.projection.shape) }
        // The inner query selects the latest messages. The outer query sorts them by ascending time.
        var sql = select.sql
        sql.text = "SELECT *\nFROM (\n\(sql.text)\n) AS latest\nORDER BY sent_at NULLS FIRST, id"
        return Selection(sql, shape: Self.projection.shape)
    }

    private static let newestFirst: [OrderTerm] = [
        .descending("message.sent_at", .instant, isNullable: true), .descending("message.external_id"),
    ]

    /// The number stands for an instant before the year 1.
    private static let oldestFirst = [
        OrderTerm("coalesce(message.sent_at, -1000000000000000000)", .instant), OrderTerm("message.external_id"),
    ]

    private static let projection = Projection(MessageTable.outputs.of(.lists), identity: ["id"])
}

extension MessageQuery {
    /// Returns a query for one message.
    ///
    /// The result is empty if the viewer cannot see a message with the ID `id`.
    public static func one(_ id: String, viewer: Viewer, in session: any Session) throws -> Selection {
        var query = MessageQuery(viewer: viewer)
        query.id = id
        return try query.selection(in: session)
    }
}
