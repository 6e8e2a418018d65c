import Base
import HabitModel
import StoreEngine

/// Items that users give away.
///
/// All users can see all items except those of users whom a block hides, but the claimant is visible only to some of
/// them.
public struct ItemRecords: ListedRecords {
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

    /// The clock that defines the current date of each poster, which determines whether an item is expired.
    public var clock: Clock
    /// Whether the rows go to a client without a token, which sees no exact position.
    public var isPublic = false
    /// The states of the items to find.
    ///
    /// An empty array selects every state.
    public var states: [State] = [.available]

    /// Returns the items that the viewer of a query can see and that have the options.
    public func rows(of query: RecordQuery<Self>, in session: any Session) throws -> RecordRows {
        let visibility = Visibility(viewer: query.viewer, isPublic: isPublic)
        let state = Self.state(on: try LocalDates(clock, in: session).date)
        return RecordRows(
            table: "item",
            joins: Self.joins,
            outputs: ItemTable.outputs(visibility, state: state).of(.lists),
            textTable: [
                "id", "name", "state", .ifUsed(ResultShape.distance), "has_photo", .ifUsed("claimed_by"), "user",
            ],
            conditions: [visibility.items, condition(on: state)],
            order: [.descending("item.posted_at", .instant, isNullable: true)],
            time: RecordTime(instant: "item.posted_at", offset: "item.posted_offset", zone: "account.time_zone"),
            position: visibility.itemPosition)
    }

    /// Returns the condition that an item has one of ``states``, or `nil` for every state.
    private func condition(on state: SQL) -> SQL? {
        guard !states.isEmpty else { return nil }
        let names = states.map { state in "'\(state.rawValue)'" }
        return "\(state) IN (\(raw: names.joined(separator: ", ")))"
    }

    /// The joins of the poster, the claim in force and the claimant.
    static let joins: SQL = """
        JOIN account ON account.id = item.user_id
        \(Visibility.claimJoin)
        LEFT JOIN account AS claimant ON claimant.id = claim.user_id
        """

    /// Returns an expression for the state of an item.
    ///
    /// The expression refers to `item` and to the poster's `account`.
    ///
    /// - Parameter date: The current date of the poster.
    /// - Returns: The expression.
    static func state(on date: SQL) -> SQL {
        "CASE WHEN item.state = 'available' AND item.expires_day < \(date) THEN 'expired' ELSE item.state END"
    }
}

/// A query for items that users give away.
public typealias ItemQuery = RecordQuery<ItemRecords>

extension ItemQuery {
    /// The state of an item.
    public typealias State = ItemRecords.State

    /// Creates a query for the available items.
    ///
    /// - Parameters:
    ///   - viewer: The viewer of the query.
    ///   - clock: The clock that defines the current date of each poster.
    public init(viewer: Viewer, clock: Clock) {
        self.init(ItemRecords(clock: clock), viewer: viewer)
    }

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
        query.id = id
        query.isPublic = isPublic
        query.states = []
        return try query.selection(in: session)
    }

    /// The shape of the rows, which does not depend on the viewer.
    static let shape = Projection(
        ItemTable.outputs(Visibility(viewer: .operator), state: "").of(.lists), identity: ["id"]
    ).shape
}
