import Base
import Geo
import HabitModel
import StoreEngine

/// A query for items that users give away.
public struct ItemQuery: Sendable {
    /// The state of an item.
    ///
    /// An expired item is an available item whose expiry date is in the past.
    public enum State: String, Sendable, CaseIterable {
        case available, claimed, given, withdrawn, expired

        /// The text that stands for every state.
        public static let all = "all"

        /// Parses one or several states, separated by commas.
        ///
        /// - Parameter text: The value of the option or parameter `state`.
        /// - Returns: The states, or an empty array if one of them is `all`.
        /// - Throws: `parameter-invalid` for an unknown state and for an empty text.
        public static func list(_ text: String) throws -> [State] {
            let names = text.split(separator: ",").map(String.init)
            if names.contains(all) { return [] }
            return try (names.isEmpty ? [text] : names).map { name in
                guard let state = State(rawValue: name) else {
                    let known = allCases.map(\.rawValue).joined(separator: ", ")
                    throw HabitError(
                        .parameterInvalid, "'\(name)' is not an item state: use \(known) or \(all)", field: "state")
                }
                return state
            }
        }
    }

    /// The viewer of the query.
    ///
    /// All users can see all items, but the claimant is visible only to some of them.
    public var viewer: Viewer
    /// Whether the rows go to a client without a token, which sees no exact position.
    public var isPublic = false
    /// The clock that defines the current date of each poster, which determines whether an item is expired.
    public var clock: Clock
    /// The ID of the item to find, or `nil` for all items.
    public var id: String?
    /// The states of the items to find.
    ///
    /// An empty array selects every state.
    public var states: [State] = [.available]
    /// The IDs of the users who posted the items.
    ///
    /// An empty array selects all users.
    public var users: [String] = []
    /// A circle that contains the items, or `nil`.
    public var near: Near?
    /// A bounding box that contains the items, or `nil`.
    public var box: BoundingBox?
    /// An area that contains the items in it or on its border, or `nil`.
    public var area: Area?
    /// A bounding box that contains the items that have a position, or `nil`.
    public var boxOrUnlocated: BoundingBox?
    /// The time span in which the items were posted, or `nil`.
    ///
    /// Items without a time match every time span, as OGC API - Features requires for `datetime`.
    public var during: TimeSpan?
    /// The order of the rows.
    public var sort = SortOrder.newest
    /// The maximum number of rows, or `nil` for all rows.
    public var limit: Int?
    /// A condition on the properties of the rows, or `nil`.
    public var condition: FeatureFilter?
    /// The page to read, or `nil` for the complete result.
    public var page: Page?

    /// Creates a query for the available items.
    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Throws: `not-found` if a user does not exist; `parameter-invalid` if the cursor of the page does not belong to
    ///   this order.
    public func selection(in session: any Session) throws -> Selection {
        let visibility = Visibility(viewer: viewer, isPublic: isPublic)
        let position = visibility.itemPosition
        let state = Self.state(try LocalDates(clock, in: session))
        let projection = Self.projection(visibility, state: state.text)
        let spatial = SpatialFilter(near: near, box: box ?? condition?.requiredBox, area: area)
        var select = SelectBuilder(
            columns: projection.sql,
            from: "item",
            order: sort.terms(
                of: "item", near: near, newest: [.descending("item.posted_at", .instant, isNullable: true)],
                session.dialect, at: position))
        select.joins = Self.joins
        select.limit = limit
        select.page = page
        try select.require(
            daysOf: during, at: "item.posted_at", offset: "item.posted_offset", zone: "account.time_zone", in: session)
        select.bind(visibility.bindings)
        select.bind(state.bindings)
        let shape = projection.shape.near(near)
        select.filterSpatially("item", spatial, session.dialect, at: position)
        select.require("item", insideOrUnlocated: boxOrUnlocated, dialect: session.dialect, at: position)
        if let id { select.require("item.external_id = :id", ["id": .text(id.composed)]) }
        if !states.isEmpty {
            let names = states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            select.require("\(state.text) IN (\(names))")
        }
        if !users.isEmpty {
            // With a spatial filter, the plus keeps the planner from the index on users: the spatial index selects
            // fewer rows.
            let plus = spatial.window == nil ? "" : "+"
            select.require("\(plus)item.user_id", in: try users.map { try Lookup.user($0, in: session) }, as: "user")
        }
        if let during { select.require(during.condition("item.posted_at", orUnknown: true)) }
        try select.require(condition, over: Self.outputs(visibility, state: state.text), session.dialect)
        return try select.selection(shape)
    }

    private static func projection(_ visibility: Visibility, state: String) -> Projection {
        Projection(outputs(visibility, state: state), identity: ["id"])
    }

    private static func outputs(_ visibility: Visibility, state: String) -> [OutputColumn] {
        ItemTable.outputs(visibility, state: state).of(.lists)
    }

    /// The shape of the rows.
    ///
    /// It does not depend on the viewer.
    static let shape = projection(Visibility(viewer: .operator), state: "").shape

    static let joins = """
        JOIN account ON account.id = item.user_id
        \(Visibility.claimJoin)
        LEFT JOIN account AS claimant ON claimant.id = claim.user_id
        """

    /// Returns an expression for the state of the item on the date of its poster.
    ///
    /// The expression refers to `item` and to the poster's `account`.
    static func state(_ dates: LocalDates) -> SQL {
        SQL(
            """
            CASE WHEN item.state = 'available' AND item.expires_day < \(dates.sql.text) THEN 'expired' ELSE item.state END
            """, dates.sql.bindings)
    }
}

extension ItemQuery {
    /// Returns a query for the item with the ID `id`, in any state.
    ///
    /// - Parameters:
    ///   - id: The ID of the item.
    ///   - viewer: The viewer of the query.
    ///   - isPublic: Whether the row goes to a client without a token.
    ///   - clock: The clock that defines the current date of the poster.
    ///   - session: The session that runs the query.
    /// - Returns: The query.
    /// - Throws: An error of the engine.
    public static func one(
        _ id: String, viewer: Viewer, isPublic: Bool = false, clock: Clock, in session: any Session
    ) throws -> Selection {
        var query = ItemQuery(viewer: viewer, clock: clock)
        query.isPublic = isPublic
        query.id = id
        query.states = []
        return try query.selection(in: session)
    }
}
