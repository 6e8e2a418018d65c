import Base
import HabitModel
import StoreEngine

/// A query for claims: the viewer's own claims and the claims on the viewer's items.
public struct ClaimQuery: Sendable {
    /// The viewer of the query.
    ///
    /// The operator sees all claims.
    public var viewer: Viewer
    /// The ID of the claimed item, or `nil` for all items.
    public var item: String?
    /// The ID of the claimant, or `nil` for all users.
    public var user: String?
    /// The time span in which the claims were made, or `nil`.
    ///
    /// Claims without a time match every time span.
    public var during: TimeSpan?
    /// A condition on the properties of the rows, or `nil`.
    public var condition: FeatureFilter?
    /// The page to read, or `nil` for the complete result.
    public var page: Page?

    /// Creates a query for all claims that `viewer` can see, latest first.
    public init(viewer: Viewer) { self.viewer = viewer }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to this order.
    public func selection(in session: any Session) throws -> Selection {
        let visibility = Visibility(viewer: viewer)
        var select = SelectBuilder(
            columns: Self.projection.sql,
            from: "claim",
            order: [
                .descending("claim.claimed_at", .instant, isNullable: true), "item.external_id", "claimant.external_id",
            ])
        select.joins = "\(ClaimTable.joins)\nJOIN account AS poster ON poster.id = item.user_id"
        select.page = page
        try select.require(
            daysOf: during, at: "claim.claimed_at", offset: "claim.claimed_offset", zone: "claimant.time_zone",
            in: session)
        select.require(visibility.claims, visibility.bindings)
        if let during { select.require(during.condition("claim.claimed_at", orUnknown: true)) }
        try select.require(condition, over: ClaimTable.outputs.of(.lists), session.dialect)
        if let item { select.require("item.external_id = :item", ["item": .text(item.composed)]) }
        if let user { select.require("claimant.external_id = :user", ["user": .text(user.composed)]) }
        return try select.selection(Self.projection.shape)
    }

    private static let projection = Projection(ClaimTable.outputs.of(.lists), identity: ["item", "user"])
}

extension ClaimQuery {
    /// Returns a query for the claim of a user on an item.
    public static func one(
        of pair: (item: String, user: String), viewer: Viewer, in session: any Session
    ) throws -> Selection {
        var query = ClaimQuery(viewer: viewer)
        (query.item, query.user) = (pair.item, pair.user)
        return try query.selection(in: session)
    }
}
