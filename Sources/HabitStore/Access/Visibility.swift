import HabitModel
import StoreEngine

/// The conditions that select the rows of each table that a viewer can see.
///
/// All queries use these conditions, and no other code defines visibility in SQL. Each condition is `nil` for the
/// operator, who can see all rows.
struct Visibility {
    let viewer: Viewer
    /// Whether the rows go to a client without a token, which sees the rows of a public collection.
    var isPublic = false
    /// The key of the viewer's account, which is null for the operator.
    let key: SQL

    /// Creates the conditions for a viewer.
    ///
    /// - Parameters:
    ///   - viewer: The viewer.
    ///   - isPublic: Whether the rows go to a client without a token.
    init(viewer: Viewer, isPublic: Bool = false) {
        self.init(viewer: viewer, key: "\(.integer(viewer.key), as: "viewer")")
        self.isPublic = isPublic
    }

    /// Creates the conditions of a view, which has an expression for the key of the viewer's account.
    ///
    /// - Parameters:
    ///   - viewer: The kind of the viewer. Its key is not used.
    ///   - key: The expression for the key.
    init(viewer: Viewer, key: SQL) {
        self.viewer = viewer
        self.key = key
    }

    // MARK: Users

    /// The condition on a row of `follow` that the viewer follows the user.
    var acceptedFollow: SQL { "follow.follower_id = \(key) AND follow.status = 'accepted'" }

    /// A condition that the row of `follow` lets the viewer see only the newest event of each habit.
    var grantsNewestOnly: SQL { "\(acceptedFollow) AND follow.share <> 'all'" }

    /// A SELECT of the keys of the users whom the viewer follows.
    var followed: SQL {
        """
        SELECT follow.followee_id
          FROM follow
          WHERE \(acceptedFollow)
        """
    }

    /// A SELECT of the keys of the viewer and of the users whom the viewer follows.
    var selfAndFollowed: SQL {
        """
        SELECT \(key) AS user_id
          UNION ALL
          \(followed)
        """
    }

    /// A SELECT of the keys of the viewer and of the followed users who share all events.
    ///
    /// The viewer can see all events of these users. Each key occurs once.
    var fullySharing: SQL {
        """
        \(selfAndFollowed) AND follow.share = 'all'
        """
    }

    // MARK: Blocks

    /// Returns a condition that one of two users blocks the other.
    ///
    /// - Parameters:
    ///   - first: An expression for the key of a user.
    ///   - second: An expression for the key of another user.
    /// - Returns: The condition. It is false if an expression is null.
    static func isBlocked(_ first: SQL, _ second: SQL) -> SQL {
        """
        EXISTS (
          SELECT 1
          FROM block
          WHERE (block.blocker_id = \(first) AND block.blocked_id = \(second))
            OR (block.blocker_id = \(second) AND block.blocked_id = \(first))
        )
        """
    }

    /// The columns with the keys of the two users of a record, which a block between them hides from both.
    struct Parties {
        let first: String
        let second: String

        /// A condition that one of the two users blocks the other.
        var areBlocked: SQL { Visibility.isBlocked("\(raw: first)", "\(raw: second)") }
    }

    /// Returns the parties of the records of a kind.
    ///
    /// All conditions on blocked records use these columns.
    ///
    /// - Parameter kind: The kind of the records.
    /// - Returns: The columns of the table of the kind and of `item`, or `nil` if a record of the kind has one user, or
    ///   two users who cannot block each other.
    static func parties(of kind: RecordKind) -> Parties? {
        switch kind {
        case .claims: Parties(first: "claim.user_id", second: "item.user_id")
        case .messages: Parties(first: "message.sender_id", second: "message.recipient_id")
        case .reads: Parties(first: "read_marker.user_id", second: "item.user_id")
        case .settings, .users, .habits, .schedules, .pauses, .follows, .blocks, .events, .items, .posts: nil
        }
    }

    /// Returns a condition that no block hides a record of a kind from its parties, or `nil` for a kind without
    /// parties.
    static func isShownToParties(_ kind: RecordKind) -> SQL? {
        parties(of: kind).map { parties in "NOT \(parties.areBlocked)" }
    }

    /// Returns a condition that no block hides a user from the viewer.
    ///
    /// It lists the hidden users once, so that a query of many rows does not look up each row.
    ///
    /// - Parameter user: An expression for the key of the user, which is not null.
    /// - Returns: The condition.
    private func isNotHidden(_ user: SQL) -> SQL {
        """
        \(user) NOT IN (
          \(hiddenUsers)
        )
        """
    }

    /// A SELECT of the keys of the users whom a block hides from the viewer.
    private var hiddenUsers: SQL {
        """
        SELECT block.blocked_id FROM block WHERE block.blocker_id = \(key)
          UNION ALL
          SELECT block.blocker_id FROM block WHERE block.blocked_id = \(key)
        """
    }

    /// A condition that the viewer and the user with the key `user` are hidden from each other.
    func hides(_ user: SQL) -> SQL { Self.isBlocked(key, user) }

    /// A condition on a row of `change` for everyone: no block hides its user from the viewer, who is a user.
    ///
    /// A change of a setting has no user.
    var loggedForAll: SQL {
        """
        coalesce(change.user_id, 0) NOT IN (
          \(hiddenUsers)
          UNION ALL
          \(hiddenFormerUsers)
        )
        """
    }

    /// A SELECT of the numbers of deleted accounts that a block had hidden from the viewer, who is a user.
    ///
    /// See ``ChangeLog/hide(former:from:)``.
    private var hiddenFormerUsers: SQL {
        let former = -(viewer.key ?? 0)
        return """
            SELECT CAST(former.record_id AS BIGINT)
              FROM change AS former
              WHERE former.user_id = \(.integer(former), as: "former")
                AND former.audience = \(raw: Audience.party.rawValue.description)
                AND former.kind = '\(raw: RecordKind.blocks.rawValue)'
            """
    }

    /// Returns the condition that no block hides the parties of a record of a kind from the viewer.
    ///
    /// - Parameter kind: The kind of the record.
    /// - Returns: The condition, or `nil` for a kind without parties.
    func showsParties(of kind: RecordKind) -> SQL? {
        guard let parties = Self.parties(of: kind) else { return nil }
        let conditions = [parties.first, parties.second].map { user in isNotHidden("\(raw: user)") }
        return condition(conditions.joined(separator: " AND "))
    }

    /// The condition on `account`: the users whom no block hides from the viewer.
    var users: SQL? { condition(isNotHidden("account.id")) }

    /// The condition on `item`: the items of users whom no block hides from the viewer.
    var items: SQL? { condition(isNotHidden("item.user_id")) }

    /// The condition on `block`: the viewer's own blocks.
    var blocks: SQL? { condition("block.blocker_id = \(key)") }

    // MARK: Relations

    /// Returns whether a followed user shares only the newest event of each habit with the viewer.
    func includesNewestOnly(in session: any Session) throws -> Bool {
        guard viewer != .operator else { return false }
        let sql: SQL = "SELECT EXISTS (SELECT 1 FROM follow WHERE \(grantsNewestOnly))"
        return try session.prepare(bound: sql).firstRow { $0.integer(0) } ?? 0 != 0
    }

    // MARK: Events

    /// A condition that no event of the same habit has a later day.
    static func newestOfHabit(_ dialect: any Dialect) -> SQL {
        let ofUser = SQL(dialect.andUser("newest.user_id", is: "event.user_id"))
        return """
            event.day = (SELECT max(newest.day) FROM event AS newest WHERE newest.habit_id = event.habit_id\(ofUser))
            """
    }

    /// The condition on `event`: the viewer's own events and the events that followed users share with the viewer.
    ///
    /// A followed user shares all events or the newest event of each habit.
    func events(_ dialect: any Dialect) -> SQL? {
        guard !dialect.traits.isDistributed else {
            return condition(
                """
                (event.user_id = \(key) OR event.user_id IN (
                  \(followed) AND follow.share = 'all'
                ) OR (\(Self.newestOfHabit(dialect)) AND event.user_id IN (
                  \(followed) AND follow.share <> 'all'
                )))
                """)
        }
        return condition(
            """
            (event.user_id = \(key) OR EXISTS (
              SELECT 1
              FROM follow
              WHERE follow.follower_id = \(key) AND follow.followee_id = event.user_id AND follow.status = 'accepted'
                AND (follow.share = 'all' OR \(Self.newestOfHabit(dialect)))
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
        _ dialect: any Dialect,
        includingNewestOnly: Bool,
        user: SQL = "event.user_id"
    ) -> SQL? {
        let fullyShared: SQL = """
            \(user) IN (
              \(fullySharing)
            )
            """
        guard includingNewestOnly else { return condition(fullyShared) }
        return condition(
            """
            (\(user) IN (
              SELECT \(key) AS user_id
              UNION ALL
              \(followed)
            ) AND (\(fullyShared) OR \(Self.newestOfHabit(dialect))))
            """)
    }

    // MARK: Other records

    /// The source `habit` for FROM in a search among all habits that the viewer can see.
    ///
    /// For a user, it reads the habits of the visible users. An index on another column contains the habits of all users,
    /// so that its time would tell about hidden habits.
    func habitSource(_ dialect: any Dialect) -> SQL {
        guard viewer != .operator else { return "habit" }
        return """
            (
              \(selfAndFollowed)
            ) AS visible
            \(raw: dialect.traits.orderedJoin) habit ON habit.user_id = visible.user_id
            """
    }

    var habits: SQL? { condition(ownOrFollowed("habit.user_id")) }

    /// The same condition as ``habits``, for a query of one habit.
    ///
    /// It looks up the relation to the owner of the habit instead of listing all followed users.
    var oneHabit: SQL? {
        condition(
            """
            (habit.user_id = \(key) OR EXISTS (
              SELECT 1
              FROM follow
              WHERE follow.follower_id = \(key) AND follow.followee_id = habit.user_id AND follow.status = 'accepted'
            ))
            """)
    }

    var pauses: SQL? { condition(ownOrFollowed("pause.user_id")) }
    var posts: SQL? { condition(ownOrFollowed("post.user_id")) }
    var follows: SQL? { condition("\(key) IN (follow.follower_id, follow.followee_id)") }
    var claims: SQL? { ofParty(.claims) }
    var messages: SQL? { ofParty(.messages) }

    /// The condition on `read_marker` and its `item`: the viewer's own markers.
    var reads: SQL? {
        Self.parties(of: .reads).flatMap { parties in
            condition("\(raw: parties.first) = \(key) AND \(isNotHidden("\(raw: parties.second)"))")
        }
    }

    /// Returns the condition that the viewer is a party of the records of a kind and that no block hides them.
    private func ofParty(_ kind: RecordKind) -> SQL? {
        Self.parties(of: kind).flatMap { parties in
            condition("\(key) IN (\(raw: parties.first), \(raw: parties.second)) AND NOT \(parties.areBlocked)")
        }
    }

    // MARK: Counts

    /// Returns the number of the records of a kind that meet a condition, without those that the viewer cannot see.
    ///
    /// - Parameters:
    ///   - kind: A kind of record that a block can hide from its owner.
    ///   - condition: A SQL condition on the columns of the table of the kind.
    ///   - session: A session of the store.
    /// - Returns: The number, or `nil` if the viewer sees all records of the kind that the viewer can change.
    /// - Throws: An error of the engine.
    func count(_ kind: RecordKind, where condition: SQL, in session: any Session) throws -> Int? {
        guard let isVisible = hideable(kind) else { return nil }
        let table: SQL = "\(raw: kind.table)"
        let sql: SQL = """
            SELECT count(*)
            FROM (
              SELECT *
              FROM \(table)
              WHERE \(condition)
            ) AS \(table)
            \(ExportSource(kind).joins)
            WHERE \(isVisible)
            """
        let count = try session.first(sql) { row in row.integer(0) }
        return Int(count ?? 0)
    }

    /// The condition on the records of a kind that a block can hide from their owner.
    private func hideable(_ kind: RecordKind) -> SQL? {
        switch kind {
        case .claims: claims
        case .messages: messages
        case .reads: reads
        case .blocks: blocks
        default: nil
        }
    }

    private func condition(_ condition: SQL) -> SQL? { viewer == .operator ? nil : condition }

    private func ownOrFollowed(_ column: SQL) -> SQL {
        """
        (\(column) = \(key) OR \(column) IN (
          \(followed)
        ))
        """
    }

    // MARK: Private columns

    /// Returns an expression that is null unless the viewer owns the habit or is the operator.
    func ownHabit(_ expression: SQL) -> SQL { own(expression, if: "habit.user_id = \(key)") }

    /// Returns an expression that is null unless the viewer is the poster or the claimant of the item, or the operator.
    ///
    /// A block hides the claimant from the poster.
    func claimant(_ expression: SQL) -> SQL {
        let isShown = Self.isShownToParties(.claims) ?? "TRUE"
        return own(expression, if: "\(key) IN (item.user_id, claim.user_id) AND \(isShown)")
    }

    /// Returns an expression that is null unless the viewer owns the account or is the operator.
    func ownAccount(_ expression: SQL) -> SQL { own(expression, if: "account.id = \(key)") }

    private func own(_ expression: SQL, if owned: SQL) -> SQL {
        viewer == .operator ? expression : "CASE WHEN \(owned) THEN \(expression) END"
    }

    // MARK: Positions

    /// The position of an event or a post.
    ///
    /// Only the owner and the operator see a position in a private place of the owner.
    ///
    /// - Parameter table: The table `event` or `post`.
    /// - Returns: The position. The indexes by owner find the rows with a position that the viewer sees: see
    ///   ``OwnedSource``.
    func position(in table: String) -> VisiblePosition {
        var position = VisiblePosition.stored(in: table)
        let isShared: SQL = "\(raw: table).is_private = 0"
        if isPublic {
            position.expression = "CASE WHEN \(isShared) THEN \(raw: table).geometry END"
        } else if viewer != .operator {
            position.expression = """
                CASE WHEN \(isShared) OR \(raw: table).user_id = \(key) THEN \(raw: table).geometry END
                """
        }
        return position
    }

    /// The keys of the items whose exact position the viewer sees: the viewer's items, and the items that the viewer
    /// has claimed.
    private var exactItems: [SQL] {
        [
            "SELECT id FROM item WHERE user_id = \(key)",
            "SELECT item_id FROM claim WHERE user_id = \(key) AND state IN ('claimed', 'given')",
        ]
    }

    /// The position of an item.
    ///
    /// The poster, the claimant and the operator see the exact position. All others see the
    /// center of its cell in ``Geo/PositionGrid``. The expression refers to `item` and to its `claim` in force. See
    /// ``HabitModel/Action/viewPosition`` for single records.
    var itemPosition: VisiblePosition {
        if isPublic { return VisiblePosition(expression: "item.shown", column: "shown") }
        guard viewer != .operator else { return .stored(in: "item") }
        return VisiblePosition(
            expression: "CASE WHEN \(key) IN (item.user_id, claim.user_id) THEN item.geometry ELSE item.shown END",
            column: "shown",
            exceptions: exactItems)
    }

    /// The join of the claim in force on an item, which the position of the item may depend on.
    static let claimJoin: SQL = "LEFT JOIN claim ON claim.item_id = item.id AND claim.state IN ('claimed', 'given')"
}
