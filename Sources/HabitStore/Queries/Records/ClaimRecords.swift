import HabitModel
import StoreEngine

/// Claims: the viewer's own claims and the claims on the viewer's items, latest first.
///
/// The operator sees all claims.
public struct ClaimRecords: ListedRecords {
    /// The ID of the claimed item, or `nil` for all items.
    public var item: String?
    /// The ID of the claimant, or `nil` for all users.
    public var user: String?

    /// Returns the claims that the viewer of a query can see and that have the options.
    public func rows(of query: RecordQuery<Self>, in session: any Session) throws -> RecordRows {
        RecordRows(
            table: "claim",
            joins: "\(ClaimTable.joins)\nJOIN account AS poster ON poster.id = item.user_id",
            outputs: ClaimTable.outputs.of(.lists),
            identity: ["item", "user"],
            conditions: [
                Visibility(viewer: query.viewer).claims,
                item.map { item in "item.external_id = \(.text(item.composed), as: "item")" },
                user.map { user in "claimant.external_id = \(.text(user.composed), as: "user")" },
            ],
            order: [
                .descending("claim.claimed_at", .instant, isNullable: true),
                OrderTerm("item.external_id"),
                OrderTerm("claimant.external_id"),
            ],
            time: RecordTime(instant: "claim.claimed_at", offset: "claim.claimed_offset", zone: "claimant.time_zone"))
    }
}

/// A query for claims.
public typealias ClaimQuery = RecordQuery<ClaimRecords>

extension ClaimQuery {
    /// Creates a query for all claims that `viewer` can see.
    public init(viewer: Viewer) {
        self.init(ClaimRecords(), viewer: viewer)
    }

    /// Returns a query for the claim of a user on an item.
    public static func one(
        of pair: (item: String, user: String), viewer: Viewer, in session: any Session
    ) throws -> Selection {
        var query = ClaimQuery(viewer: viewer)
        query.item = pair.item
        query.user = pair.user
        return try query.selection(in: session)
    }
}
