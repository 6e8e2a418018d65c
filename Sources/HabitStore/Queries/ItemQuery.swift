import Geo
import HabitModel
import StoreEngine

/// Things that are given away.
public struct ItemQuery: Sendable {
    /// What has become of an item; `expired` is an available one whose date has passed.
    public enum State: String, Sendable, CaseIterable {
        case available, claimed, given, withdrawn, expired
    }

    public var viewer: Viewer
    public var clock: Clock
    /// Only the item with this id.
    public var id: String?
    /// Empty: every state.
    public var states: [State] = [.available]
    public var users: [String] = []
    public var near: Near?
    public var box: BoundingBox?
    /// When they were posted.
    public var during: TimeSpan?
    public var sort = SortOrder.newest
    public var limit: Int?
    public var page: Page?

    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    public func selection(in session: any Session) throws -> Selection {
        let visibility = Visibility(viewer: viewer)
        let state = Self.state(try LocalDates(clock, in: session))
        let projection = Self.projection(visibility, state: state.text)
        var select = SelectBuilder(
            columns: projection.sql,
            from: "item",
            order: sort.terms(
                of: "item", near: near, newest: [.descending("item.posted_at", .instant, isNullable: true)],
                session.dialect))
        select.joins = Self.joins
        select.limit = limit
        select.page = page
        select.bind(visibility.bindings)
        select.bind(state.bindings)
        let shape = projection.shape.near(near)
        select.narrow("item", near: near, box: box, dialect: session.dialect)
        if let id { select.require("item.external_id = :id", ["id": .text(id.composed)]) }
        if !states.isEmpty {
            let names = states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            select.require("\(state.text) IN (\(names))")
        }
        if !users.isEmpty {
            // A plus keeps the planner from starting with the users where a place narrows better.
            let plus = near == nil && box?.isWorld != false ? "" : "+"
            select.require("\(plus)item.user_id", in: try users.map { try Lookup.user($0, in: session) }, as: "user")
        }
        if let during { select.require(during.condition("item.posted_at")) }
        return try select.selection(shape)
    }

    private static func projection(_ visibility: Visibility, state: String) -> Projection {
        Projection(ItemTable.outputs(visibility, state: state).of(.lists), identity: ["id"])
    }

    /// The shape of the rows, which does not depend on the viewer.
    static let shape = projection(Visibility(viewer: .operator), state: "").shape

    static let joins = """
        JOIN account ON account.id = item.user_id
        LEFT JOIN claim ON claim.item_id = item.id AND claim.state IN ('claimed', 'given')
        LEFT JOIN account AS claimant ON claimant.id = claim.user_id
        """

    /// The item's state on its poster's date: an expression over `item` and its poster's `account`.
    static func state(_ dates: LocalDates) -> SQL {
        SQL(
            """
            CASE WHEN item.state = 'available' AND item.expires_day < \(dates.sql.text) THEN 'expired' ELSE item.state END
            """, dates.sql.bindings)
    }
}

extension ItemQuery {
    /// The item with this id, in whatever state.
    public static func one(
        _ id: String, viewer: Viewer, clock: Clock, in session: any Session
    ) throws -> Selection {
        var query = ItemQuery(viewer: viewer, clock: clock)
        query.id = id
        query.states = []
        return try query.selection(in: session)
    }
}
