import Base
import HabitModel
import StoreEngine

extension NameLookup {
    /// The records whose names a person can type next.
    public enum Listed: Sendable {
        /// The habits of the viewer, or all habits for the operator.
        case ownHabits
        /// The habits that the viewer can see, beginning with the viewer's own.
        case visibleHabits
        /// The items of a scope.
        case items(ItemScope)
        /// The posts of the viewer, or all posts for the operator.
        case ownPosts
        /// The posts that the viewer can see.
        case visiblePosts
        /// All accounts that the viewer can see.
        case users
        /// The users whom the viewer blocks.
        case blockedUsers
        /// The viewer and the users whose records the viewer can see, or all accounts for the operator.
        case readableUsers
        /// The users with a pending request to follow the viewer.
        case pendingFollowers
        /// The users who follow the viewer.
        case followers
        /// The users whom the viewer follows or has asked.
        case followed
    }

    /// Calls a closure with the ID and the name of each record, until the closure returns `false`.
    ///
    /// The name is the title of a habit, the name of an item, the caption of a post, the display name of a readable user, or
    /// the ID of another user. A post without caption is omitted. The order is total and depends on the names. The cost is
    /// one row for each record.
    ///
    /// - Parameters:
    ///   - listed: The records.
    ///   - clock: The clock that determines which items have expired.
    ///   - body: Receives a record and returns whether it needs more records.
    /// - Throws: An error of the engine, or of `body`.
    public func forEach(
        _ listed: Listed, clock: Clock, _ body: (_ id: String, _ name: String) throws -> Bool
    ) throws {
        try session.query(try select(listed, clock)) { row in
            guard let id = row.text(0), let name = row.text(1) else { return true }
            return try body(id, name)
        }
    }

    private func select(_ listed: Listed, _ clock: Clock) throws -> SQL {
        switch listed {
        case .ownHabits: viewer == .operator ? visibleHabits : ownHabits
        case .visibleHabits: visibleHabits
        case .items(let scope):
            """
            SELECT item.external_id, item.name
            FROM item
            WHERE \(try condition(of: scope, clock))
            ORDER BY item.name, item.external_id
            """
        case .ownPosts: posts(where: viewer == .operator ? "TRUE" : "post.user_id = \(visibility.key)")
        case .visiblePosts: posts(where: visibility.posts ?? "TRUE")
        case .users: users(where: "TRUE")
        case .blockedUsers: blockedUsers
        case .readableUsers: readableUsers
        case .pendingFollowers:
            followers(where: "follow.status = 'pending'")
        case .followers:
            followers(where: "follow.status = 'accepted'")
        case .followed:
            users(
                where: """
                    account.id IN (
                      SELECT follow.followee_id
                      FROM follow
                      WHERE follow.follower_id = \(visibility.key) AND follow.status <> 'rejected'
                    )
                    """)
        }
    }

    /// The users with their display names.
    private var readableUsers: SQL {
        let isReadable: SQL = viewer == .operator ? "TRUE" : "account.id IN (\(visibility.selfAndFollowed))"
        return """
            SELECT account.external_id, coalesce(account.name, account.external_id)
            FROM account
            WHERE \(isReadable)
            ORDER BY account.external_id
            """
    }

    private var blockedUsers: SQL {
        """
        SELECT account.external_id, account.external_id
        FROM block
        JOIN account ON account.id = block.blocked_id
        WHERE block.blocker_id = \(visibility.key)
        ORDER BY account.external_id
        """
    }

    private var ownHabits: SQL {
        """
        SELECT habit.external_id, habit.title
        FROM habit
        WHERE habit.user_id = \(visibility.key)
        ORDER BY habit.title_folded, habit.external_id
        """
    }

    private var visibleHabits: SQL {
        // A constant in ORDER BY is the number of a column, so the operator has no own habits to sort.
        let ownFirst: SQL = viewer == .operator ? "" : "\(isOwn("habit")) DESC, "
        return """
            SELECT habit.external_id, habit.title
            FROM \(visibility.habitSource(session.dialect))
            ORDER BY \(ownFirst)habit.title_folded, habit.external_id
            """
    }

    private func posts(where condition: SQL) -> SQL {
        """
        SELECT post.external_id, post.caption
        FROM post
        WHERE \(condition) AND post.deleted_at IS NULL AND post.caption IS NOT NULL
        ORDER BY post.caption, post.external_id
        """
    }

    private func users(where condition: SQL) -> SQL {
        """
        SELECT account.external_id, account.external_id
        FROM account
        WHERE \(condition) AND \(visibility.users ?? "TRUE")
        ORDER BY account.external_id
        """
    }

    /// Returns a SELECT of the users with a follow of the viewer.
    private func followers(where condition: SQL) -> SQL {
        users(
            where: """
                account.id IN (
                  SELECT follow.follower_id
                  FROM follow
                  WHERE follow.followee_id = \(visibility.key) AND \(condition)
                )
                """)
    }
}
