import GRDB

/// Many inserts into a located table, without what its triggers and indexes do for each of them.
///
/// SpatiaLite's insert triggers cost ten times the insert: they look up the layer, note the time, and compile a statement
/// that adds the row to the R*Tree; the search index writes itself out after each row. They are taken away inside the load's
/// transaction; then the new rows are indexed together, and the triggers are put back word for word. So are the b-tree
/// indexes of the events, where there was none before: sorted at the end they cost less. A load that fails or is killed rolls
/// all of this back.
struct BulkLoad {
    /// An insert into the R*Tree is taken to cost as much as packing so many entries.
    private static let packedPerInsert = 8

    private let db: Database
    private let table: String
    private let lastID: Int64
    private var triggers: [String] = []
    private var indexes: [String] = []

    init(_ db: Database, table: String) throws {
        self.db = db
        self.table = table
        lastID = try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(table)") ?? 0
        let names = [
            "ggi_\(table)_geometry", "gii_\(table)_geometry", "tmi_\(table)_geometry", "\(table)_comment_insert",
            "\(table)_cell_insert",
        ]
        for name in names {
            let sql = "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?"
            guard let trigger = try String.fetchOne(db, sql: sql, arguments: [name]) else { continue }
            triggers.append(trigger)
            try db.execute(sql: "DROP TRIGGER \(name)")
        }
        // What is loaded beside the events asks the indexes of the other tables.
        if table == "event", try Int64.fetchOne(db, sql: "SELECT id FROM event LIMIT 1") == nil { try dropIndexes() }
    }

    /// Partial indexes stay. They are of few rows, in what people load: to fill them with these costs less than to look
    /// through all rows for them.
    private mutating func dropIndexes() throws {
        let sql = """
            SELECT object.name, object.sql
            FROM pragma_index_list(?) AS list
            JOIN sqlite_schema AS object ON object.type = 'index' AND object.name = list.name
            WHERE NOT list.partial AND object.sql IS NOT NULL
            ORDER BY object.name
            """
        for row in try GRDB.Row.fetchAll(db, sql: sql, arguments: [table]) {
            indexes.append(row["sql"])
            let name: String = row["name"]
            try db.execute(sql: "DROP INDEX \(name)")
        }
    }

    /// New rows have keys above all others: the load deletes nothing.
    func finish() throws {
        try makeIndexes()
        try fillSpatialIndex()
        if table == "event" { try fillCommentIndex() }
        try db.execute(
            sql: """
                UPDATE geometry_columns_time
                SET last_insert = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                WHERE f_table_name = ? AND EXISTS (SELECT 1 FROM \(table) WHERE id > ?)
                """, arguments: [table, lastID])
        for trigger in triggers { try db.execute(sql: trigger) }
    }

    /// SQLite sorts as much at once as its cache may hold. Runs that fit into the processor's own cache, merged in the end,
    /// take two thirds of the time of one run of everything. The rows, which each index reads once more, are read where the
    /// system's cache has them: up to a bound, since that counts as memory of the program.
    private func makeIndexes() throws {
        guard !indexes.isEmpty else { return }
        try db.execute(sql: "PRAGMA cache_size = -4096; PRAGMA mmap_size = \(256 << 20)")
        for index in indexes { try db.execute(sql: index) }
        try db.execute(sql: "PRAGMA cache_size = \(SpatiaLiteConnection.writerCache); PRAGMA mmap_size = 0")
    }

    /// FTS5 gathers what is new in memory, 1 MiB at a time, and merges what it has written. Of more at a time there is less
    /// to merge. Both settings are FTS5's own again afterwards.
    private func fillCommentIndex() throws {
        func set(_ setting: String, _ value: Int) throws {
            try db.execute(
                sql: "INSERT INTO event_comment (event_comment, rank) VALUES (?, ?)", arguments: [setting, value])
        }
        try set("hashsize", 16 << 20)
        try set("automerge", 0)
        try db.execute(
            sql: """
                INSERT INTO event_comment (rowid, text)
                SELECT id, text
                FROM event_comment_text
                WHERE id > ?
                ORDER BY id
                """, arguments: [lastID])
        try set("hashsize", 1 << 20)
        try set("automerge", 4)
    }

    /// Inserts the new places one by one, or packs all of them anew, whichever is cheaper.
    private func fillSpatialIndex() throws {
        let any = "SELECT id FROM \(table) WHERE id > ? LIMIT 1"
        guard try Int64.fetchOne(db, sql: any, arguments: [lastID]) != nil else { return }
        if lastID == 0 { return try SpatialIndex.pack(table, in: db) }
        let count = "SELECT count(*) FROM \(table) WHERE id > ? AND geometry IS NOT NULL"
        let new = try Int.fetchOne(db, sql: count, arguments: [lastID]) ?? 0
        guard new > 0 else { return }
        let old = try Int.fetchOne(db, sql: "SELECT count(*) FROM idx_\(table)_geometry_rowid") ?? 0
        if new * Self.packedPerInsert > old + new { return try SpatialIndex.pack(table, in: db) }
        try db.execute(
            sql: """
                INSERT INTO idx_\(table)_geometry (pkid, xmin, xmax, ymin, ymax)
                SELECT id, point_longitude(geometry), point_longitude(geometry), point_latitude(geometry), point_latitude(geometry)
                FROM \(table)
                WHERE id > ? AND geometry IS NOT NULL
                ORDER BY id
                """, arguments: [lastID])
        if table == "event" { try EventCells.add(after: lastID, in: db) }
    }
}

/// What finds the places of a table: its R*Tree, and the cells of the events.
enum SpatialIndex {
    /// Fills it with all places of the table, whatever was in it.
    static func pack(_ table: String, in db: Database) throws {
        var tree = PackedRTree()
        var cells = table == "event" ? EventCells() : nil
        let columns = cells == nil ? "id, geometry" : "id, geometry, day"
        let statement = try SpatiaLiteStatement(
            db.makeStatement(sql: "SELECT \(columns) FROM \(table) WHERE geometry IS NOT NULL ORDER BY id"), on: db)
        try statement.forEach { row in
            guard let position = row.position(1) else { return true }
            tree.add(row.integer(0), at: position)
            cells?.add(row.integer(0), on: row.day(2), at: position)
            return true
        }
        try tree.replace("idx_\(table)_geometry", in: db)
        try cells?.replace(in: db)
    }
}
