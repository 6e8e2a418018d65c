import HabitModel
import StoreEngine

/// For whom a query runs: what it may find depends on it.
public enum Viewer: Sendable, Equatable {
    /// Who owns the store: sees everything.
    case `operator`
    /// A user, by the store's key and the source's id.
    case user(key: Int64, id: String)

    public var actor: Actor {
        switch self {
        case .operator: .operator
        case .user(_, let id): .user(id)
        }
    }

    /// The user with this id; `not-signed-in` where there is none, or the id is empty.
    public static func user(named id: String, in session: any Session) throws -> Viewer {
        let sql = SQL("SELECT id FROM account WHERE external_id = :id", ["id": .text(id.composed)])
        guard !id.isEmpty, let key = try session.first(sql, { $0.integer(0) }) else {
            throw HabitError(
                .notSignedIn, "there is no user '\(id)'", .signIn, .list(.users))
        }
        return .user(key: key, id: id.composed)
    }
}

/// The rows of each table that a viewer may see, as conditions: the only place that says so.
///
/// Each is nil for the operator, who sees all. `:viewer` is the user's key.
struct Visibility {
    let viewer: Viewer

    var bindings: [String: Value] {
        if case .user(let key, _) = viewer { ["viewer": .integer(key)] } else { [:] }
    }

    /// The keys of the users whom the viewer follows.
    static let followed = """
        SELECT follow.followee_id
          FROM follow
          WHERE follow.follower_id = :viewer AND follow.status = 'accepted'
        """

    /// The keys of the users whose events the viewer sees without exception: the viewer, and followed users who grant all.
    ///
    /// No key occurs twice.
    static let fullySharing = """
        SELECT :viewer AS user_id
          UNION ALL
          SELECT follow.followee_id
          FROM follow
          WHERE follow.follower_id = :viewer AND follow.status = 'accepted' AND follow.share = 'all'
        """

    /// Whether the row of `follow` lets the viewer see only the newest event of each habit.
    static let grantsNewestOnly = """
        follow.follower_id = :viewer AND follow.status = 'accepted' AND follow.share <> 'all'
        """

    /// No event of its habit has a later day.
    static let isNewestOfHabit = """
        event.day = (SELECT max(newest.day) FROM event AS newest WHERE newest.habit_id = event.habit_id)
        """

    /// One's own, and those of the users one follows: all, or the newest of each habit, by what was granted.
    var events: String? {
        condition(
            """
            (event.user_id = :viewer OR EXISTS (
              SELECT 1
              FROM follow
              WHERE follow.follower_id = :viewer AND follow.followee_id = event.user_id AND follow.status = 'accepted'
                AND (follow.share = 'all' OR \(Self.isNewestOfHabit))
            ))
            """)
    }

    var habits: String? { condition(Self.ownOrFollowed("habit.user_id")) }
    /// As ``habits``, for a query of one habit: looks up the relation to its owner instead of listing all followed users.
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

    /// What only the owner of a habit sees of it.
    func ownHabit(_ expression: String) -> String { own(expression, owner: "habit.user_id = :viewer") }

    /// Who holds an item is known to its poster and to the holder.
    func claimant(_ expression: String) -> String {
        own(expression, owner: ":viewer IN (item.user_id, claim.user_id)")
    }

    /// The expression for the viewer's own account, and null for other accounts.
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
