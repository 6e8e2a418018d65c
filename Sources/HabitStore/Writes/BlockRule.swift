import HabitModel
import StoreEngine

/// The consequences of blocks for the relations of two users.
///
/// A writer of blocks, follows or claims applies the rule at its end. A load and an action therefore have the same
/// result.
struct BlockRule {
    private let session: any Session

    init(_ session: any Session) {
        self.session = session
    }

    /// A condition on `follow` that one of the two users blocks the other, for checks of all follows.
    static let endsFollow: SQL = Visibility.isBlocked("follow.follower_id", "follow.followee_id")

    // MARK: Single blocks

    /// Ends the relations of the two users of a new block, and logs that the users are hidden from each other.
    ///
    /// The log of each of the two users gets the rows that the deletion of the other account would add, in the same
    /// order: see ``AccountActions/delete(_:)``.
    ///
    /// - Parameter block: The keys of the two users.
    /// - Throws: An error of the engine.
    func begin(_ block: BlockTable.Keys) throws {
        let log = ChangeLog(session)
        let follows: SQL = """
            SELECT follow.id
            FROM follow
            WHERE \(isPair("follow.follower_id", "follow.followee_id", of: block))
            """
        let claims: SQL = """
            SELECT claim.id
            FROM claim
            JOIN item ON item.id = claim.item_id
            WHERE claim.state = 'claimed' AND \(isPair("claim.user_id", "item.user_id", of: block))
            """
        try release(claims: try keys(claims))
        try log.addRecords(between: block.blocker, and: block.blocked)
        let ended = try keys(follows)
        if !ended.isEmpty {
            try log.delete(.follows, where: .membership(of: "id", in: ended, as: "follow"))
        }
        try log.addAccounts(of: block.blocker, and: block.blocked)
    }

    /// Logs that the two users of a block that was deleted see each other again, unless the other user blocks too.
    ///
    /// - Parameter block: The keys of the two users.
    /// - Throws: An error of the engine.
    func end(_ block: BlockTable.Keys) throws {
        guard try !exists(block.reversed) else { return }
        let log = ChangeLog(session)
        try log.addRecords(between: block.blocker, and: block.blocked)
        try log.addAccounts(of: block.blocker, and: block.blocked)
    }

    /// Returns whether the store has a block.
    func exists(_ block: BlockTable.Keys) throws -> Bool {
        let sql: SQL = """
            SELECT 1
            FROM block
            WHERE blocker_id = \(.integer(block.blocker), as: "blocker")
              AND blocked_id = \(.integer(block.blocked), as: "blocked")
            """
        return try session.first(sql) { _ in true } ?? false
    }

    /// Returns the keys of the other users of all blocks in which a user is one of the two.
    ///
    /// - Parameter user: The key of the user.
    /// - Returns: The keys, sorted.
    /// - Throws: An error of the engine.
    func hiddenUsers(of user: Int64) throws -> [Int64] {
        let user: SQL = "\(.integer(user), as: "user")"
        let sql: SQL = """
            SELECT blocked_id FROM block WHERE blocker_id = \(user)
            UNION
            SELECT blocker_id FROM block WHERE blocked_id = \(user)
            """
        return try keys(sql).sorted()
    }

    /// Returns a condition that two columns contain the keys of the two users of a block, in any order.
    private func isPair(_ first: SQL, _ second: SQL, of block: BlockTable.Keys) -> SQL {
        let keys = [block.blocker, block.blocked]
        let isFirst: SQL = .membership(of: first, in: keys, as: "user")
        let isSecond: SQL = .membership(of: second, in: keys, as: "user")
        return "\(isFirst) AND \(isSecond)"
    }

    // MARK: Written relations

    /// Ends written follows and releases written claims of users whom a block already hides from each other.
    ///
    /// A released item is available again. The log has no row for the follows and the claims, and no changed item,
    /// because a relation to a deleted user could not begin.
    ///
    /// - Parameters:
    ///   - follows: The keys of the written follows.
    ///   - claims: The keys of the written claims.
    /// - Throws: An error of the engine.
    func enforce(onFollows follows: ChangedKeys, claims: ChangedKeys) throws {
        guard try hasBlocks else { return }
        try endFollows(follows)
        try releaseClaims(claims)
    }

    private func endFollows(_ written: ChangedKeys) throws {
        guard written.count > 0 else { return }
        let ended = try keys(
            """
            SELECT follow.id
            FROM follow
            WHERE \(isWritten("follow.id", written)) AND \(Self.endsFollow)
            """)
        guard !ended.isEmpty else { return }
        let isEnded: SQL = .membership(of: "id", in: ended, as: "follow")
        _ = try ChangeLog(session).deleteUnlogged(.follows, where: isEnded)
    }

    private func releaseClaims(_ written: ChangedKeys) throws {
        guard written.count > 0, let areBlocked = Visibility.parties(of: .claims)?.areBlocked else { return }
        let released = try keys(
            """
            SELECT claim.id
            FROM claim
            JOIN item ON item.id = claim.item_id
            WHERE \(isWritten("claim.id", written)) AND claim.state = 'claimed' AND \(areBlocked)
            """)
        try release(claims: released)
    }

    /// The number of written rows above which a query reads all rows from the first written one on.
    ///
    /// A load usually appends rows.
    private static let listedRows = 1000

    /// Returns a condition that is true for all written rows, and for no row older than the first of them.
    ///
    /// - Parameters:
    ///   - column: The key of a row.
    ///   - written: The keys of the written rows.
    /// - Returns: The condition.
    private func isWritten(_ column: SQL, _ written: ChangedKeys) -> SQL {
        guard written.count <= Self.listedRows else {
            return "\(column) >= \(.integer(written.first), as: "first")"
        }
        return .membership(of: column, in: written.all, as: "key")
    }

    private var hasBlocks: Bool {
        get throws {
            try session.first("SELECT 1 FROM block LIMIT 1") { _ in true } ?? false
        }
    }

    // MARK: Changes

    /// Releases claims, whose items are available again, and logs the items.
    ///
    /// The block hides the claims from both users, so that the log has no rows for them.
    private func release(claims: [Int64]) throws {
        guard !claims.isEmpty else { return }
        let version: SQL = "\(.integer(RecordVersion.new()), as: "version")"
        let isReleased: SQL = .membership(of: "id", in: claims, as: "claim")
        let items = try keys("SELECT item_id FROM claim WHERE \(isReleased)")
        try session.run("UPDATE claim SET state = 'released', version = \(version) WHERE \(isReleased)")
        let isClaimed: SQL = "\(.membership(of: "id", in: items, as: "item")) AND state = 'claimed'"
        try ChangeLog(session).add(.items, where: isClaimed)
        try session.run("UPDATE item SET state = 'available', version = \(version) WHERE \(isClaimed)")
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
