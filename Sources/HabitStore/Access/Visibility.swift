import HabitModel
import StoreEngine

/// The conditions that select the rows of each table that a viewer can see.
///
/// All queries use these conditions, and no other code defines visibility in SQL. Each condition is `nil` for the
/// operator, who can see all rows. The parameter `:viewer` is the key of the user's account.
struct Visibility {
    let viewer: Viewer
    /// Whether the rows go to a client without a token, which sees the rows of a public collection.
    var isPublic = false

    var bindings: [String: Value] {
        if case .user(let key, _) = viewer { ["viewer": .integer(key)] } else { [:] }
    }

    /// A SELECT of the keys of the users whom the viewer follows.
    static let followed = """
        SELECT follow.followee_id
          FROM follow
          WHERE follow.follower_id = :viewer AND follow.status = 'accepted'
        """

    /// A SELECT of the keys of the viewer and of the followed users who share all events.
    ///
    /// The viewer can see all events of these users. Each key occurs once.
    static let fullySharing = """
        SELECT :viewer AS user_id
          UNION ALL
          SELECT follow.followee_id
          FROM follow
          WHERE follow.follower_id = :viewer AND follow.status = 'accepted' AND follow.share = 'all'
        """

    /// A condition that the row of `follow` lets the viewer see only the newest event of each habit.
    static let grantsNewestOnly = """
        follow.follower_id = :viewer AND follow.status = 'accepted' AND follow.share <> 'all'
        """

    /// A condition that no event of the same habit has a later day.
    static func isNewestOfHabit(_ dialect: any Dialect) -> String {
        """
        event.day = (SELECT max(newest.day) FROM event AS newest WHERE newest.habit_id = event.habit_id\(dialect.andUser("newest.user_id", is: "event.user_id")))
        """
    }

    /// The condition on `event`: the viewer's own events and the events that followed users share with the viewer.
    ///
    /// A followed user shares all events or the newest event of each habit.
    func events(_ dialect: any Dialect) -> String? {
        guard !dialect.isDistributed else {
            return condition(
                """
                (event.user_id = :viewer OR event.user_id IN (
                  \(Self.followed) AND follow.share = 'all'
                ) OR (\(Self.isNewestOfHabit(dialect)) AND event.user_id IN (
                  \(Self.followed) AND follow.share <> 'all'
                )))
                """)
        }
        return condition(
            """
            (event.user_id = :viewer OR EXISTS (
              SELECT 1
              FROM follow
              WHERE follow.follower_id = :viewer AND follow.followee_id = event.user_id AND follow.status = 'accepted'
                AND (follow.share = 'all' OR \(Self.isNewestOfHabit(dialect)))
            ))
            """)
    }

    /// The same condition as ``events``, for a query of many events.
    ///
    /// It lists the users once, so that the engine can look up their events in an index instead of looking up the
    /// relation to the owner of each event.
    ///
    /// - Parameters:
    ///   - dialect: The dialect of the engine.
    ///   - includingNewestOnly: Whether a followed user may share only the newest event of each habit: see
    ///     ``includesNewestOnly(in:)``.
    ///   - user: An expression for the key of the user who owns the event.
    /// - Returns: The condition.
    func manyEvents(
        _ dialect: any Dialect, includingNewestOnly: Bool, user: String = "event.user_id"
    ) -> String? {
        let full = "\(user) IN (\n  \(Self.fullySharing)\n)"
        guard includingNewestOnly else { return condition(full) }
        return condition(
            """
            (\(user) IN (
              SELECT :viewer AS user_id
              UNION ALL
              \(Self.followed)
            ) AND (\(full) OR \(Self.isNewestOfHabit(dialect))))
            """)
    }

    /// Returns whether a followed user shares only the newest event of each habit with the viewer.
    func includesNewestOnly(in session: any Session) throws -> Bool {
        guard viewer != .operator else { return false }
        let sql = SQL("SELECT EXISTS (SELECT 1 FROM follow WHERE \(Self.grantsNewestOnly))", bindings)
        return try session.prepare(bound: sql).firstRow { $0.integer(0) } ?? 0 != 0
    }

    var habits: String? { condition(Self.ownOrFollowed("habit.user_id")) }
    /// The same condition as ``habits``, for a query of one habit.
    ///
    /// It looks up the relation to the owner of the habit instead of listing all followed users.
    var oneHabit: String? {
        condition(
            """
            (habit.user_id = :viewer OR EXISTS (
              SELECT 1
              FROM follow
              WHERE follow.follower_id = :viewer AND follow.followee_id = habit.user_id AND follow.status = 'accepted'
            ))
            """)
    }

    var posts: String? { condition(Self.ownOrFollowed("post.user_id")) }
    var follows: String? { condition(":viewer IN (follow.follower_id, follow.followee_id)") }
    var claims: String? { condition(":viewer IN (claim.user_id, item.user_id)") }
    var messages: String? { condition(":viewer IN (message.sender_id, message.recipient_id)") }

    /// Returns an expression that is null unless the viewer owns the habit or is the operator.
    func ownHabit(_ expression: String) -> String { own(expression, owner: "habit.user_id = :viewer") }

    /// Returns an expression that is null unless the viewer is the poster or the claimant of the item, or the operator.
    func claimant(_ expression: String) -> String {
        own(expression, owner: ":viewer IN (item.user_id, claim.user_id)")
    }

    /// The keys of the items whose exact position the viewer sees: the viewer's items, and the items that the viewer
    /// has claimed.
    private static let exactItems = [
        "SELECT id FROM item WHERE user_id = :viewer",
        "SELECT item_id FROM claim WHERE user_id = :viewer AND state IN ('claimed', 'given')",
    ]

    /// The position of an item.
    ///
    /// The poster, the holder of the claim in force and the operator see the exact position. All others see the
    /// center of its cell in ``Geo/PositionGrid``. The expression refers to `item` and to its `claim` in force. See
    /// ``HabitModel/Action/viewPosition`` for single records.
    var itemPosition: VisiblePosition {
        if isPublic { return VisiblePosition(expression: "item.shown", column: "shown") }
        guard viewer != .operator else { return .stored(in: "item") }
        return VisiblePosition(
            expression: "CASE WHEN :viewer IN (item.user_id, claim.user_id) THEN item.geometry ELSE item.shown END",
            column: "shown", exceptions: Self.exactItems)
    }

    /// The join of the claim in force on an item, which the position of the item may depend on.
    static let claimJoin = "LEFT JOIN claim ON claim.item_id = item.id AND claim.state IN ('claimed', 'given')"

    /// Returns an expression that is null unless the viewer owns the account or is the operator.
    func ownAccount(_ expression: String) -> String { own(expression, owner: "account.id = :viewer") }

    private func own(_ expression: String, owner: String) -> String {
        viewer == .operator ? expression : "CASE WHEN \(owner) THEN \(expression) END"
    }

    private func condition(_ sql: String) -> String? { viewer == .operator ? nil : sql }

    private static func ownOrFollowed(_ column: String) -> String {
        """
        (\(column) = :viewer OR \(column) IN (
          \(followed)
        ))
        """
    }
}
