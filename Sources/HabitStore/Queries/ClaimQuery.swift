import HabitModel

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
            columns: [
                "item.external_id", "claimant.external_id", "item.name", "poster.external_id", "claim.state",
                "claim.claimed_at", "claim.claimed_offset",
            ],
            from: "claim",
            order: [
                .descending("claim.claimed_at", .instant, isNullable: true), "item.external_id", "claimant.external_id",
            ])
        select.joins = """
            JOIN item ON item.id = claim.item_id
            JOIN account AS poster ON poster.id = item.user_id
            JOIN account AS claimant ON claimant.id = claim.user_id
            """
        select.page = page
        select.require(visibility.claims, visibility.bindings)
        if let during { select.require(during.condition("claim.claimed_at", orUnknown: true)) }
        if let item { select.require("item.external_id = :item", ["item": .text(item.composed)]) }
        if let user { select.require("claimant.external_id = :user", ["user": .text(user.composed)]) }
        return try select.selection(Self.shape)
    }

    private static let shape = ResultShape(
        columns: [
            Column("item", .text, at: 0), Column("user", .text, at: 1), Column("name", .text, at: 2),
            Column("poster", .text, at: 3), Column("state", .text, at: 4),
            Column("claimed_at", .instant(offset: 6), at: 5),
        ],
        identity: ["item", "user"])
}
