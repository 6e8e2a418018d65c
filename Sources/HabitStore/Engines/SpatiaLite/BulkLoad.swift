import GRDB

/// Many inserts into a located table, without what its triggers do for each of them.
///
/// SpatiaLite's insert triggers cost ten times the insert: they look up the layer, note the time, and compile a statement
/// that adds the row to the R*Tree; the search index writes itself out after each row. They are taken away inside the load's
/// transaction; then the new rows are indexed together, and the triggers are put back word for word. A load that fails or
/// is killed rolls all of this back.
struct BulkLoad {
    private let db: Database
    private let table: String
    private let lastID: Int64
    private var triggers: [String] = []

    init(_ db: Database, table: String) throws {
        self.db = db
        self.table = table
        lastID = try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(table)") ?? 0
        let names = [
            "ggi_\(table)_geometry", "gii_\(table)_geometry", "tmi_\(table)_geometry", "\(table)_comment_insert",
        ]
        for name in names {
            let sql = "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?"
            guard let trigger = try String.fetchOne(db, sql: sql, arguments: [name]) else { continue }
            triggers.append(trigger)
            try db.execute(sql: "DROP TRIGGER \(name)")
        }
    }

    /// New rows have keys above all others: the load deletes nothing.
    func finish() throws {
        try db.execute(
            sql: """
                INSERT INTO idx_\(table)_geometry (pkid, xmin, xmax, ymin, ymax)
                SELECT id, ST_X(geometry), ST_X(geometry), ST_Y(geometry), ST_Y(geometry)
                FROM \(table)
                WHERE id > ? AND geometry IS NOT NULL
                ORDER BY id
                """, arguments: [lastID])
        if table == "event" {
            try db.execute(
                sql: """
                    INSERT INTO event_comment (rowid, comment_folded)
                    SELECT id, comment_folded
                    FROM event
                    WHERE id > ? AND comment_folded <> ''
                    ORDER BY id
                    """, arguments: [lastID])
        }
        try db.execute(
            sql: """
                UPDATE geometry_columns_time
                SET last_insert = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                WHERE f_table_name = ? AND EXISTS (SELECT 1 FROM \(table) WHERE id > ?)
                """, arguments: [table, lastID])
        for trigger in triggers { try db.execute(sql: trigger) }
    }
}
