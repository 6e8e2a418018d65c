import HabitModel
import StoreEngine

/// The read markers of the viewer, sorted by the ID of the item.
///
/// The operator sees all markers. No other user sees them, also not the sender of the messages.
public struct ReadRecords: ListedRecords {
    /// The ID of the item, or `nil` for all items.
    public var item: String?
    /// The ID of the reader, or `nil` for all readers.
    public var user: String?

    /// Returns the markers that the viewer of a query can see and that have the options.
    public func rows(of query: RecordQuery<Self>, in session: any Session) throws -> RecordRows {
        RecordRows(
            table: "read_marker",
            joins: ReadTable.joins,
            outputs: ReadTable.outputs.of(.lists),
            identity: ["item", "user"],
            conditions: [
                Visibility(viewer: query.viewer).reads,
                item.map { item in "item.external_id = \(.text(item.composed), as: "item")" },
                user.map { user in "reader.external_id = \(.text(user.composed), as: "user")" },
            ],
            order: [OrderTerm("item.external_id"), OrderTerm("reader.external_id")],
            time: RecordTime(
                instant: "read_marker.read_at", offset: "read_marker.read_offset", zone: "reader.time_zone"))
    }
}

/// A query for read markers.
public typealias ReadQuery = RecordQuery<ReadRecords>

extension ReadQuery {
    /// Creates a query for all read markers that `viewer` can see.
    public init(viewer: Viewer) {
        self.init(ReadRecords(), viewer: viewer)
    }

    /// Returns a query for the marker of a user on an item, with at most one row.
    public static func one(
        of pair: (item: String, user: String), viewer: Viewer, in session: any Session
    ) throws -> Selection {
        var query = ReadQuery(viewer: viewer)
        query.item = pair.item
        query.user = pair.user
        return try query.selection(in: session)
    }
}
