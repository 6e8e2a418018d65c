import Base
import HabitModel
import StoreEngine

/// Blocks and unblocks users.
///
/// A block hides two users from each other, whichever of them blocks the other: see ``Visibility``. No
/// result of another action reveals the block to the blocked user.
public struct BlockActions {
    private let user: ActingUser

    /// Creates the actions of `user`.
    public init(_ user: ActingUser) {
        self.user = user
    }

    /// Blocks a user.
    ///
    /// The block ends follows and requests in both directions and releases claims between the two users: see
    /// ``BlockRule``. A repeated block has no effect.
    ///
    /// - Parameter name: The ID of the user to block.
    /// - Throws: `not-found` if the user does not exist or is hidden from the user; `field-invalid` if the user is the
    ///   acting user.
    public func block(_ name: String) throws {
        guard name.composed != user.id else {
            throw HabitError(
                .fieldInvalid,
                "you cannot block yourself: choose another user",
                field: Field.blocked.name)
        }
        guard try blockedKey(of: name) == nil else { return }
        try user.require(name, as: .blocked)
        var record = BlockRecord(blocker: user.id, blocked: name.composed)
        record.blockedAt = .value(user.now)
        try user.write(.block(record))
    }

    /// Ends a block of the user.
    ///
    /// Both users see each other again, with the messages about their items. Ended follows and released claims stay
    /// ended.
    ///
    /// - Parameter name: The ID of the blocked user.
    /// - Throws: `not-found` if the user has not blocked a user with this ID.
    public func unblock(_ name: String) throws {
        guard let blocked = try blockedKey(of: name) else {
            throw HabitError(
                .notFound,
                "you have not blocked a user '\(name)'",
                field: Field.blocked.name,
                .list(.blocks))
        }
        let blocker: SQL = "blocker_id = \(.integer(user.key), as: "blocker")"
        try user.delete(
            .blocks,
            where: "\(blocker) AND blocked_id = \(.integer(blocked), as: "blocked")")
        try BlockRule(user.session).end(BlockTable.Keys(blocker: user.key, blocked: blocked))
    }

    /// Returns the ID of the blocked user that a name stands for.
    ///
    /// - Parameter name: The ID, or the whole name of one user whom the acting user blocks.
    /// - Returns: The ID, or `name` if no blocked user has the name.
    /// - Throws: `usage` if several blocked users have the name.
    public func blockedID(_ name: String) throws -> String {
        guard try blockedKey(of: name) == nil else { return name }
        let folded = user.session.dialect.folded("account.name")
        let sql: SQL = """
            SELECT account.external_id
            FROM block
            JOIN account ON account.id = block.blocked_id
            WHERE block.blocker_id = \(.integer(user.key), as: "blocker")
              AND \(folded) = \(.text(name.folded), as: "name")
            ORDER BY account.external_id
            """
        var ids: [String] = []
        try user.session.query(sql) { row in
            ids.append(row.text(0) ?? "")
            return true
        }
        guard ids.count > 1 else { return ids.first ?? name }
        throw HabitError(
            .usage,
            "several users whom you block have the name '\(name)': use an id",
            field: Field.blocked.name,
            .list(.blocks))
    }

    /// A block of the user.
    public struct StoredBlock: Sendable {
        /// The ID of the blocked user.
        public var blocked: String
        /// The instant of the block, or `nil` if the store does not have it.
        public var blockedAt: OffsetInstant?
    }

    /// Returns the blocks of the user in the order of the IDs of the blocked users.
    ///
    /// - Throws: An error of the engine.
    public func all() throws -> [StoredBlock] {
        let sql: SQL = """
            SELECT account.external_id, block.blocked_at, block.blocked_offset
            FROM block
            JOIN account ON account.id = block.blocked_id
            WHERE block.blocker_id = \(.integer(user.key), as: "blocker")
            ORDER BY account.external_id
            """
        var blocks: [StoredBlock] = []
        try user.session.query(sql) { row in
            var block = StoredBlock(blocked: row.text(0) ?? "")
            if !row.isNull(1) {
                let instant = Instant(microseconds: row.integer(1))
                let offset = row.isNull(2) ? nil : UTCOffset(minutes: Int16(clamping: row.integer(2)))
                block.blockedAt = OffsetInstant(instant, offset: offset)
            }
            blocks.append(block)
            return true
        }
        return blocks
    }

    /// Returns the key of the user with an ID, or `nil` if the acting user does not block a user with this ID.
    private func blockedKey(of name: String) throws -> Int64? {
        let sql: SQL = """
            SELECT block.blocked_id
            FROM block
            JOIN account ON account.id = block.blocked_id
            WHERE block.blocker_id = \(.integer(user.key), as: "blocker")
              AND account.external_id = \(.text(name.composed), as: "blocked")
            """
        return try user.session.first(sql) { row in row.integer(0) }
    }
}
