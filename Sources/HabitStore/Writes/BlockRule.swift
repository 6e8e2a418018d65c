import HabitModel
import StoreEngine

/// The consequences of blocks for the relations of two users.
///
/// A writer of blocks, follows or claims enforces the rule at its end. A load and an action therefore have the same
/// result.
struct BlockRule {
    private let session: any Session

    init(_ session: any Session) {
        self.session = session
    }

    /// A condition on `follow` that one of the two users blocks the other, for checks of all follows.
    static let endsFollow: SQL = Visibility.isBlocked("follow.follower_id", "follow.followee_id")

    /// The keys of the follows that blocks end.
    ///
    /// The queries of this rule begin with the blocks, which are few, and not with the follows and claims of all users.
    private static let endedFollows: SQL = """
        \(endedFollows(follower: "blocker_id", followee: "blocked_id"))
        UNION
        \(endedFollows(follower: "blocked_id", followee: "blocker_id"))
        """

    private static func endedFollows(follower: SQL, followee: SQL) -> SQL {
        """
        SELECT follow.id
        FROM block
        CROSS JOIN follow
        WHERE follow.follower_id = block.\(follower) AND follow.followee_id = block.\(followee)
        """
    }

    /// The keys of the items whose open claims blocks end.
    private static let releasedItems: SQL = """
        \(releasedItems(claimant: "blocker_id", owner: "blocked_id"))
        UNION
        \(releasedItems(claimant: "blocked_id", owner: "blocker_id"))
        """

    private static func releasedItems(claimant: SQL, owner: SQL) -> SQL {
        """
        SELECT claim.item_id
        FROM block
        CROSS JOIN claim
        CROSS JOIN item
        WHERE claim.user_id = block.\(claimant) AND claim.state = 'claimed'
          AND item.id = claim.item_id AND item.user_id = block.\(owner)
        """
    }

    /// Ends the follows and releases the claims between users and the users whom they block, in both directions.
    ///
    /// A released item is available again. Given items and messages are unchanged, and hidden from both users.
    func enforce() throws {
        guard try hasBlocks else { return }
        try endFollows()
        try releaseClaims()
    }

    private var hasBlocks: Bool {
        get throws {
            try session.first("SELECT 1 FROM block LIMIT 1") { _ in true } ?? false
        }
    }

    private func endFollows() throws {
        let keys = try keys(Self.endedFollows)
        guard !keys.isEmpty else { return }
        let condition: SQL = .membership(of: "id", in: keys, as: "follow")
        try ChangeLog(session).delete(.follows, where: condition)
    }

    private func releaseClaims() throws {
        let items = try keys(Self.releasedItems)
        guard !items.isEmpty else { return }
        let log = ChangeLog(session)
        let version: SQL = "\(.integer(RecordVersion.new()), as: "version")"
        let ofItems: SQL = .membership(of: "item_id", in: items, as: "item")
        let active: SQL = "\(ofItems) AND state = 'claimed'"
        try log.add(.claims, where: active)
        try session.run("UPDATE claim SET state = 'released', version = \(version) WHERE \(active)")
        let released: SQL = .membership(of: "id", in: items, as: "item")
        try session.run("UPDATE item SET state = 'available', version = \(version) WHERE \(released)")
        try log.add(.items, keys: items)
    }

    private func keys(_ sql: SQL) throws -> [Int64] {
        var keys: [Int64] = []
        try session.query(sql) { row in
            keys.append(row.integer(0))
            return true
        }
        return keys
    }
}
