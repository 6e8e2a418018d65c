import Base
import HabitModel
import StoreEngine

/// A query for the titles of all habits.
public enum HabitTitleQuery {
    /// Calls `body` with the ID, the owner's ID and the title of each habit after case folding, sorted by ID.
    public static func forEach(
        in session: any Session,
        _ body: (_ id: String, _ user: String, _ title: String) throws -> Void
    ) throws {
        let sql: SQL = """
            SELECT habit.external_id, account.external_id, habit.title_folded
            FROM habit
            JOIN account ON account.id = habit.user_id
            ORDER BY habit.external_id
            """
        try session.query(sql) { row in
            let id = row.text(0) ?? ""
            let user = row.text(1) ?? ""
            let title = row.text(2) ?? ""
            try body(id, user, title)
            return true
        }
    }
}
