import HabitModel
import StoreEngine

/// The blocks of the viewer, sorted by the ID of the blocked user.
///
/// The operator sees all blocks. A blocked user does not see the block.
public struct BlockRecords: ListedRecords {
    /// The ID of the blocked user, or `nil` for all blocks.
    public var blocked: String?

    /// Returns the blocks that the viewer of a query can see and that have the options.
    public func rows(of query: RecordQuery<Self>, in session: any Session) throws -> RecordRows {
        var rows = RecordRows(
            table: "block",
            joins: BlockTable.joins,
            outputs: BlockTable.outputs.of(.lists),
            identity: ["blocker", "blocked"],
            conditions: [
                Visibility(viewer: query.viewer).blocks,
                blocked.map { id in "blocked.external_id = \(.text(id.composed), as: "blocked")" },
            ],
            order: [OrderTerm("blocker.external_id"), OrderTerm("blocked.external_id")],
            time: RecordTime(instant: "block.blocked_at", offset: "block.blocked_offset", zone: "blocker.time_zone"))
        if query.viewer != .operator {
            rows.textTable = [TableColumn("blocked", label: "user"), "blocked_at"]
        }
        return rows
    }
}

/// A query for blocks.
public typealias BlockQuery = RecordQuery<BlockRecords>

extension BlockQuery {
    /// Creates a query for all blocks that `viewer` can see.
    public init(viewer: Viewer) {
        self.init(BlockRecords(), viewer: viewer)
    }

    /// Returns a query for the block of one user, with at most one row.
    public static func one(_ blocked: String, viewer: Viewer, in session: any Session) throws -> Selection {
        var query = BlockQuery(viewer: viewer)
        query.blocked = blocked
        return try query.selection(in: session)
    }
}
