import Base
import HabitModel
import StoreEngine

/// A query for the accounts that have the email address of another account.
///
/// A person who signs in with such an address cannot open a loaded account, because the address does not identify one.
/// Only the operator may see the result, because addresses are private.
public enum SharedAddresses {
    /// Returns the IDs of the users whose address another account has too, in ascending order.
    ///
    /// Addresses are compared after case folding. A sign-in ignores only the case of the letters A to Z.
    ///
    /// - Parameters:
    ///   - user: The ID of a user, to find only the other users with the address of that user, or `nil`.
    ///   - session: A session of the store.
    /// - Returns: The IDs of the users.
    /// - Throws: An error of the engine.
    public static func users(withAddressOf user: String? = nil, in session: any Session) throws -> [String] {
        let address = session.dialect.folded("account.email")
        var others: SQL = "GROUP BY \(address)\nHAVING count(*) > 1"
        var exceptUser: SQL = ""
        if let user {
            let id: SQL = "\(.text(user.composed), as: "user")"
            others = "AND account.external_id = \(id)"
            exceptUser = "\n  AND account.external_id <> \(id)"
        }
        let sql: SQL = """
            SELECT account.external_id
            FROM account
            WHERE \(address) IN (
              SELECT \(address)
              FROM account
              WHERE account.email IS NOT NULL
              \(others)
            )\(exceptUser)
            ORDER BY account.external_id
            """
        var users: [String] = []
        try session.query(sql) { row in
            users.append(row.text(0) ?? "")
            return true
        }
        return users
    }
}
