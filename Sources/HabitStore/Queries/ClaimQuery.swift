import HabitModel
import StoreEngine

/// Claims on items: one's own, and those on one's items.
public struct ClaimQuery: Sendable {
    public var viewer: Viewer
    /// Only that of a user on an item.
    public var item: String?
    public var user: String?
    /// The time in which they were made. Rows without a time match too.
    public var during: TimeSpan?
    public var page: Page?

    public init(viewer: Viewer) { self.viewer = viewer }

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
        select.require(visibility.claims, visibility.bindings)
        if let during { select.require(during.condition("claim.claimed_at", orUnknown: true)) }
        if let item { select.require("item.external_id = :item", ["item": .text(item.composed)]) }
        if let user { select.require("claimant.external_id = :user", ["user": .text(user.composed)]) }
        return try select.selection(Self.projection.shape)
    }

    private static let projection = Projection(ClaimTable.outputs.of(.lists), identity: ["item", "user"])
}
