import Base
import HabitModel
import StoreEngine

/// A query for the time zones of all users.
public enum UserZoneQuery {
    /// Returns the name of the time zone of a user.
    ///
    /// - Parameters:
    ///   - user: The ID of the user.
    ///   - session: The session that runs the query.
    /// - Returns: The name of the time zone, or `nil` if the user does not exist.
    /// - Throws: An error of the store.
    public static func zone(of user: String, in session: any Session) throws -> String? {
        let sql: SQL = "SELECT time_zone FROM account WHERE external_id = \(.text(user), as: "user")"
        return try session.first(sql) { row in
            row.text(0) ?? TimeZoneRules.utc.id
        }
    }

    /// Calls `body` with the ID and the name of the time zone of each user, sorted by ID.
    public static func forEach(
        in session: any Session,
        _ body: (_ user: String, _ zone: String) throws -> Void
    ) throws {
        try session.query("SELECT external_id, time_zone FROM account ORDER BY external_id") { row in
            let user = row.text(0) ?? ""
            let zone = row.text(1) ?? TimeZoneRules.utc.id
            try body(user, zone)
            return true
        }
    }
}
