import Base
import HabitModel
import StoreEngine

/// A query for the time zones of all users.
public enum UserZoneQuery {
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
