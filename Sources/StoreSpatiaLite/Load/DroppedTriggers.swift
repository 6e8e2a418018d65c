import GRDB

/// Triggers that are dropped inside a transaction, and later created again from their original SQL.
///
/// If the transaction fails or the process is killed, the drop is rolled back.
struct DroppedTriggers {
    private let db: Database
    private var triggers: [String] = []

    /// Drops those of the triggers that exist.
    ///
    /// - Parameters:
    ///   - names: The names of the triggers.
    ///   - db: The connection.
    /// - Throws: An error of SQLite.
    init(_ names: [String], in db: Database) throws {
        self.db = db
        for name in names {
            let sql = "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?"
            guard let trigger = try String.fetchOne(db, sql: sql, arguments: [name]) else {
                continue
            }
            triggers.append(trigger)
            try db.execute(sql: "DROP TRIGGER \(name)")
        }
    }

    /// Creates the triggers again.
    func restore() throws {
        for trigger in triggers {
            try db.execute(sql: trigger)
        }
    }
}
