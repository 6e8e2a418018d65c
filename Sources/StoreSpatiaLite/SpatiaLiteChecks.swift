import GRDB
import HabitModel
import StoreEngine

/// The checks of a SpatiaLite file, except the checks of its records.
struct SpatiaLiteChecks {
    private let db: Database
    private let schema: StoreSchema

    init(_ db: Database, _ schema: StoreSchema) {
        self.db = db
        self.schema = schema
    }

    /// All checks, in the order in which they run.
    var all: [StoreCheck] {
        [integrity, foreignKeys, schemaParts, geometryColumns]
            + schema.locatedTables.map { SpatialIndexCheck(db, table: $0).check } + [CommentIndexCheck(db).check]
    }

    /// A check of every page, and of the b-tree indexes against their tables.
    ///
    /// The repair rebuilds the indexes.
    private var integrity: StoreCheck {
        StoreCheck("integrity") { _ in
            var damage = CheckFindings("problems that SQLite reports")
            do {
                let lines = try String.fetchCursor(db, sql: "PRAGMA integrity_check(20)")
                while let line = try lines.next() {
                    if line != "ok" { damage.add(line.replacing("*** in database main ***\n", with: "")) }
                }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                damage.add("the file cannot be read completely")
            }
            return damage
        } repair: { _ in
            do {
                try db.inSavepoint {
                    try db.execute(sql: "REINDEX")
                    return .commit
                }
            } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_CONSTRAINT].contains(error.resultCode) {
                // The tables themselves are damaged. The file is unchanged, because the savepoint is rolled back.
            }
        }
    }

    private var foreignKeys: StoreCheck {
        StoreCheck("foreign-keys") { _ in
            var damage = CheckFindings("references to missing rows")
            let rows = try GRDB.Row.fetchCursor(db, sql: "PRAGMA foreign_key_check")
            while let row = try rows.next() {
                let (table, key, parent) = (row[0] as String? ?? "?", row[1] as Int64?, row[2] as String? ?? "?")
                damage.add("\(table) \(key.map(String.init) ?? "?") to \(parent)")
            }
            return damage
        }
    }

    // MARK: The schema

    /// A check for tables, indexes and triggers that a new store has and this store lacks.
    ///
    /// The repair creates them, except tables of records.
    private var schemaParts: StoreCheck {
        StoreCheck("schema") { _ in
            var damage = CheckFindings("missing")
            for part in try missingParts() { damage.add("\(part.type) \(part.name)") }
            return damage
        } repair: { _ in
            for part in try missingParts() where part.isDerived { try db.execute(sql: part.sql) }
        }
    }

    private struct Part {
        var type: String
        var name: String
        var sql: String

        /// Whether the part can be created without loss, because its contents follow from the records.
        var isDerived: Bool {
            type != "table" || sql.hasPrefix("CREATE VIRTUAL TABLE") || ["event_cell", "event_map"].contains(name)
        }
    }

    /// Returns the missing parts, except SpatiaLite's own tables, which differ between its versions.
    private func missingParts() throws -> [Part] {
        let names = Set(
            try String.fetchAll(db, sql: "SELECT type || ' ' || name FROM sqlite_schema"))
        let complete = try SpatiaLiteEngine.temporary(schema).queue.inDatabase { db in
            try GRDB.Row.fetchAll(
                db,
                sql: """
                    SELECT type, name, sql
                    FROM sqlite_schema
                    WHERE sql IS NOT NULL AND (
                      tbl_name IN (\(tables)) OR name GLOB 'idx_*_geometry*' OR name GLOB 'event_comment*'
                        OR name = 'event_cell' OR name GLOB 'event_map*'
                    )
                    ORDER BY type = 'trigger', sql NOT LIKE 'CREATE VIRTUAL%', name
                    """
            ).map { Part(type: $0[0], name: $0[1], sql: $0[2]) }
        }
        return complete.filter { !names.contains("\($0.type) \($0.name)") }
    }

    private var tables: String { schema.tables.map { "'\($0)'" }.joined(separator: ", ") }

    /// A check of SpatiaLite's table `geometry_columns`, from which other programs identify geometries.
    private var geometryColumns: StoreCheck {
        StoreCheck("geometry-columns") { _ in
            var damage = CheckFindings("geometry columns that are not registered as WGS 84 points with a spatial index")
            for table in try unregistered() { damage.add("\(table).geometry") }
            return damage
        } repair: { _ in
            for table in try unregistered() {
                try db.execute(
                    sql: """
                        INSERT INTO geometry_columns (
                          f_table_name, f_geometry_column, geometry_type, coord_dimension, srid, spatial_index_enabled
                        ) VALUES (?, 'geometry', 1, 2, 4326, 1)
                        ON CONFLICT (f_table_name, f_geometry_column) DO UPDATE SET
                          geometry_type = 1, coord_dimension = 2, srid = 4326, spatial_index_enabled = 1
                        """, arguments: [table])
            }
        }
    }

    private func unregistered() throws -> [String] {
        let registered = try String.fetchSet(
            db,
            sql: """
                SELECT f_table_name
                FROM geometry_columns
                WHERE f_geometry_column = 'geometry' AND geometry_type = 1 AND coord_dimension = 2 AND srid = 4326
                  AND spatial_index_enabled = 1
                """)
        return schema.locatedTables.filter { !registered.contains($0) }
    }
}
