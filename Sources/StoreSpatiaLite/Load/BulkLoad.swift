import GRDB
import StoreEngine

/// Many inserts into a located table, without the cost of its triggers and indexes for each row.
///
/// SpatiaLite's insert triggers cost ten times the insert. They look up the layer, store the time, and compile a
/// statement that adds the row to the R*Tree. The search index writes its pending data to its tables after each row.
/// The triggers are dropped inside the transaction of the load. Then the new rows are indexed together, and the
/// triggers are created again from their original SQL. If the table is empty and declared to load without indexes, its
/// b-tree indexes are dropped and created again too, because sorting all rows at the end costs less. If a load fails or
/// is killed, all of this is rolled back.
struct BulkLoad {
    /// The assumed cost of one insert into the R*Tree, in packed entries.
    private static let packedPerInsert = 8

    private let db: Database
    private let table: String
    private let declaration: SchemaDeclaration
    private let spatialIndex: SpatialIndex
    private let lastID: Int64
    private let triggers: DroppedTriggers
    private var indexes: [String] = []

    init(_ db: Database, table: SchemaDeclaration.LocatedTable, declaration: SchemaDeclaration) throws {
        let name = table.name
        self.db = db
        self.table = name
        self.declaration = declaration
        spatialIndex = SpatialIndex(table, declaration)
        lastID = try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(name)") ?? 0
        let triggersOfSpatiaLite = ["ggi_\(name)_geometry", "gii_\(name)_geometry", "tmi_\(name)_geometry"]
        triggers = try DroppedTriggers(triggersOfSpatiaLite + declaration.insertTriggers(of: name), in: db)
        guard table.loadsWithoutIndexes else {
            return
        }
        let isEmpty = try Int64.fetchOne(db, sql: "SELECT id FROM \(name) LIMIT 1") == nil
        if isEmpty {
            try dropIndexes(andPartial: table.largePartialIndexes)
        }
    }

    /// Drops the indexes of the table, except partial ones.
    ///
    /// Partial indexes cover few rows in typical data. Updating them for these rows costs less than a scan of all rows.
    ///
    /// - Parameter large: The partial indexes that cover many rows.
    /// - Throws: An error of SQLite.
    private mutating func dropIndexes(andPartial large: Set<String>) throws {
        let sql = """
            SELECT object.name, object.sql, list.partial
            FROM pragma_index_list(?) AS list
            JOIN sqlite_schema AS object ON object.type = 'index' AND object.name = list.name
            WHERE object.sql IS NOT NULL
            ORDER BY object.name
            """
        for row in try GRDB.Row.fetchAll(db, sql: sql, arguments: [table]) {
            let name: String = row["name"]
            let isPartial: Bool = row["partial"]
            guard !isPartial || large.contains(name) else {
                continue
            }
            indexes.append(row["sql"])
            try db.execute(sql: "DROP INDEX \(name)")
        }
    }

    /// Builds the dropped indexes, indexes the new rows and restores the triggers.
    ///
    /// New rows have keys greater than all others, because the load deletes no rows.
    func finish() throws {
        try makeIndexes()
        try fillSpatialIndex()
        if declaration.textIndex.table == table {
            try fillTextIndex()
        }
        try db.execute(
            sql: """
                UPDATE geometry_columns_time
                SET last_insert = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                WHERE f_table_name = ? AND EXISTS (SELECT 1 FROM \(table) WHERE id > ?)
                """, arguments: [table, lastID])
        try triggers.restore()
    }

    /// Builds the dropped b-tree indexes.
    ///
    /// SQLite sorts as many rows at a time as its cache can hold. If the sorted runs fit into the processor's cache and
    /// are merged at the end, the sort takes two thirds of the time of a single run. Each index reads all rows again. A
    /// memory map reads them directly from the system's cache. The map is limited to 256 MiB, because it counts as
    /// memory of the program.
    private func makeIndexes() throws {
        guard !indexes.isEmpty else {
            return
        }
        try db.execute(sql: "PRAGMA cache_size = -4096; PRAGMA mmap_size = \(256 << 20)")
        for index in indexes {
            try db.execute(sql: index)
        }
        try db.execute(sql: "PRAGMA cache_size = \(SpatiaLiteConnection.writerCache); PRAGMA mmap_size = 0")
    }

    /// Adds the new texts to the search index.
    ///
    /// FTS5 collects new entries in memory, 1 MiB at a time, and merges the segments that it has written. Larger
    /// segments need less merging. At the end, both settings have the defaults of FTS5 again.
    private func fillTextIndex() throws {
        let index = declaration.textIndex.index
        func set(_ setting: String, _ value: Int) throws {
            try db.execute(
                sql: "INSERT INTO \(index) (\(index), rank) VALUES (?, ?)",
                arguments: [setting, value])
        }
        try set("hashsize", 16 << 20)
        try set("automerge", 0)
        try db.execute(
            sql: """
                INSERT INTO \(index) (rowid, text)
                SELECT id, text
                FROM \(declaration.textIndex.source)
                WHERE id > ?
                ORDER BY id
                """,
            arguments: [lastID])
        try set("hashsize", 1 << 20)
        try set("automerge", 4)
    }

    /// Inserts the new geometries one by one or packs the complete index again, whichever is cheaper.
    private func fillSpatialIndex() throws {
        let any = "SELECT id FROM \(table) WHERE id > ? LIMIT 1"
        guard try Int64.fetchOne(db, sql: any, arguments: [lastID]) != nil else {
            return
        }
        if lastID == 0 {
            try spatialIndex.pack(in: db)
            return
        }
        let count = "SELECT count(*) FROM \(table) WHERE id > ? AND geometry IS NOT NULL"
        let new = try Int.fetchOne(db, sql: count, arguments: [lastID]) ?? 0
        guard new > 0 else {
            return
        }
        let old = try Int.fetchOne(db, sql: "SELECT count(*) FROM idx_\(table)_geometry_rowid") ?? 0
        if new * Self.packedPerInsert > old + new {
            try spatialIndex.pack(in: db)
        } else {
            try spatialIndex.add(after: lastID, in: db)
        }
    }
}
