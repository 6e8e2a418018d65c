import GRDB

/// Many inserts into a located table, without the cost of its triggers and indexes for each row.
///
/// SpatiaLite's insert triggers cost ten times the insert. They look up the layer, store the time, and compile a
/// statement that adds the row to the R*Tree. The search index writes its pending data to its tables after each row.
/// The triggers are dropped inside the transaction of the load. Then the new rows are indexed together, and the
/// triggers are created again from their original SQL. If the table of the events is empty, its b-tree indexes are
/// dropped and created again too, because sorting all rows at the end costs less. If a load fails or is killed, all of
/// this is rolled back.
struct BulkLoad {
    /// The assumed cost of one insert into the R*Tree, in packed entries.
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
            "\(table)_cell_insert", "\(table)_map_insert",
        ]
        for name in names {
            let sql = "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?"
            guard let trigger = try String.fetchOne(db, sql: sql, arguments: [name]) else { continue }
            triggers.append(trigger)
            try db.execute(sql: "DROP TRIGGER \(name)")
        }
        // Only the event indexes can be dropped. The load of other records queries the indexes of the other tables.
        if table == "event", try Int64.fetchOne(db, sql: "SELECT id FROM event LIMIT 1") == nil { try dropIndexes() }
    }

    /// Drops the indexes of the table, except partial ones.
    ///
    /// Partial indexes cover few rows in typical data. Updating them for these rows costs less than a scan of all rows.
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

    /// Builds the dropped indexes, indexes the new rows and restores the triggers.
    ///
    /// New rows have keys greater than all others, because the load deletes no rows.
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

    /// Builds the dropped b-tree indexes.
    ///
    /// SQLite sorts as many rows at a time as its cache can hold. If the sorted runs fit into the processor's cache and
    /// are merged at the end, the sort takes two thirds of the time of a single run. Each index reads all rows again. A
    /// memory map reads them directly from the system's cache. The map is limited to 256 MiB, because it counts as
    /// memory of the program.
    private func makeIndexes() throws {
        guard !indexes.isEmpty else { return }
        try db.execute(sql: "PRAGMA cache_size = -4096; PRAGMA mmap_size = \(256 << 20)")
        for index in indexes { try db.execute(sql: index) }
        try db.execute(sql: "PRAGMA cache_size = \(SpatiaLiteConnection.writerCache); PRAGMA mmap_size = 0")
    }

    /// Adds the new comments to the search index.
    ///
    /// FTS5 collects new entries in memory, 1 MiB at a time, and merges the segments that it has written. Larger
    /// segments need less merging. At the end, both settings have the defaults of FTS5 again.
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

    /// Inserts the new geometries one by one or packs the complete index again, whichever is cheaper.
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
        if table == "event" {
            try EventCells.add(after: lastID, in: db)
            try EventMap.add(after: lastID, in: db)
        }
    }
}

/// The spatial index of a table: its R*Tree and, for events, the tables of cells and of counts on the map.
enum SpatialIndex {
    /// Replaces the contents of the index with all geometries of the table.
    static func pack(_ table: String, in db: Database) throws {
        var tree = PackedRTree()
        var cells = table == "event" ? EventCells() : nil
        var map = cells == nil ? nil : EventMap()
        let columns = cells == nil ? "id, geometry" : "id, geometry, day, user_id"
        let statement = try SpatiaLiteStatement(
            db.makeStatement(sql: "SELECT \(columns) FROM \(table) WHERE geometry IS NOT NULL ORDER BY id"), on: db)
        try statement.forEach { row in
            guard let position = row.position(1) else { return true }
            tree.add(row.integer(0), at: position)
            cells?.add(row.integer(0), on: row.day(2), at: position)
            map?.add(of: row.integer(3), at: position)
            return true
        }
        try tree.replace("idx_\(table)_geometry", in: db)
        try cells?.replace(in: db)
        try map?.replace(in: db)
        if table == "item" { try packShownItems(in: db) }
    }

    /// Replaces the contents of the index of the public positions of items.
    private static func packShownItems(in db: Database) throws {
        var tree = PackedRTree()
        let statement = try SpatiaLiteStatement(
            db.makeStatement(sql: "SELECT id, shown FROM item WHERE shown IS NOT NULL ORDER BY id"), on: db)
        try statement.forEach { row in
            if let position = row.position(1) { tree.add(row.integer(0), at: position) }
            return true
        }
        try tree.replace("idx_item_shown", in: db)
    }
}
