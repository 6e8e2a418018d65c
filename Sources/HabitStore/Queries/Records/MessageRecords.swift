import Base
import HabitModel
import StoreEngine

/// Messages about items, in the order of the time at which they were sent.
///
/// A user sees the messages from and to the user. The operator sees all messages. A limit selects the latest messages and
/// keeps their order.
public struct MessageRecords: ListedRecords {
    /// The ID of the item of the messages, or `nil` for all items.
    public var item: String?
    /// The ID of the sender or recipient of the messages, or `nil` for all users.
    public var user: String?
    /// Whether the rows of a page are sorted latest first.
    ///
    /// Messages without a time count as the oldest.
    public var isNewestFirst = false

    /// Returns the messages that the viewer of a query can see and that have the options.
    public func rows(of query: RecordQuery<Self>, in session: any Session) throws -> RecordRows {
        var rows = RecordRows(
            table: "message",
            joins: MessageTable.joins,
            outputs: MessageTable.outputs.of(.lists),
            textTable: [
                TableColumn("sent_at", label: "at"), TableColumn("sender", label: "from"),
                TableColumn("item_name", label: "item"), "text",
            ],
            textOutputs: [SelectColumn("item_name", "item.name")],
            conditions: [Visibility(viewer: query.viewer).messages],
            order: query.page == nil || isNewestFirst ? Self.newestFirst : Self.oldestFirst,
            completeOrder: "ORDER BY sent_at NULLS FIRST, id",
            time: RecordTime(instant: "message.sent_at", offset: "message.sent_offset", zone: "sender.time_zone"))
        if let item {
            let key = try AccessChecker(viewer: query.viewer, in: session).require(.view, on: .item, id: item)
            rows.conditions.append("message.item_id = \(.integer(key), as: "item")")
        }
        if let user {
            let key = try Lookup.user(user, visibleTo: query.viewer, in: session)
            rows.conditions.append(
                "\(.integer(key), as: "user") IN (message.sender_id, message.recipient_id)")
        }
        return rows
    }

    private static let newestFirst: [OrderTerm] = [
        .descending("message.sent_at", .instant, isNullable: true),
        .descending("message.external_id"),
    ]

    /// The number stands for an instant before the year 1.
    private static let oldestFirst = [
        OrderTerm("coalesce(message.sent_at, -1000000000000000000)", .instant),
        OrderTerm("message.external_id"),
    ]
}

/// A query for messages about items.
public typealias MessageQuery = RecordQuery<MessageRecords>

extension MessageQuery {
    /// Creates a query for all messages that `viewer` can see.
    public init(viewer: Viewer) {
        self.init(MessageRecords(), viewer: viewer)
    }

    /// Returns a query for one message.
    ///
    /// The result is empty if the viewer cannot see a message with the ID `id`.
    public static func one(_ id: String, viewer: Viewer, in session: any Session) throws -> Selection {
        var query = MessageQuery(viewer: viewer)
        query.id = id
        return try query.selection(in: session)
    }
}
