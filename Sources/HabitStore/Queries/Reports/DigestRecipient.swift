import Base
import HabitModel
import StoreEngine

/// A user who gets a digest: a user with a habit.
public struct DigestRecipient: Sendable {
    /// The key of the account.
    var key: Int64
    /// The ID of the user.
    public var id: String
    /// The display name, or `nil`.
    public var name: String?
    /// The address of the account, or `nil` if it has no valid address.
    public var email: String?

    /// The viewer of the digest.
    public var viewer: Viewer { .user(key: key, id: id) }

    /// Returns all users with a habit, sorted by ID.
    ///
    /// - Parameter session: A session of the operator.
    /// - Returns: The users.
    /// - Throws: An error of the engine.
    public static func all(in session: any Session) throws -> [DigestRecipient] {
        var users: [DigestRecipient] = []
        let sql: SQL = """
            SELECT id, external_id, name, email
            FROM account
            WHERE EXISTS (SELECT 1 FROM habit WHERE habit.user_id = account.id)
            ORDER BY external_id
            """
        try session.query(sql) { row in
            var user = DigestRecipient(
                key: row.integer(0),
                id: row.text(1) ?? "",
                name: row.text(2)?.singleLine,
                email: nil)
            if let email = row.text(3), EmailAddress.isValid(email) {
                user.email = email
            }
            users.append(user)
            return true
        }
        return users
    }
}
