import Base
import GRDB
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
        let declaration = schema.declaration
        let spatialIndexes = declaration.locatedTables.map { table in
            SpatialIndexCheck(db, table: table, declaration: declaration).check
        }
        let textIndex = TextIndexCheck(db, declaration.textIndex).check
        return [integrity, foreignKeys, schemaObjects, geometryColumns] + spatialIndexes + [textIndex]
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
                    guard line != "ok" else { continue }
                    // Other problems are damaged pages or rows, which no index contains.
                    if !line.contains(" index ") { damage.isRepairable = false }
                    damage.add(line.replacing("*** in database main ***\n", with: ""))
                }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                damage.isRepairable = false
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
                let table = String.fromDatabaseValue(row[0]) ?? "?"
                let key = Int64.fromDatabaseValue(row[1]).map { "\($0)" } ?? "?"
                let parent = String.fromDatabaseValue(row[2]) ?? "?"
                damage.add("\(table) \(key) to \(parent)")
            }
            return damage
        }
    }

    // MARK: The schema

    /// A check for objects that a new store has and this store lacks, and for objects that Habitat has not created.
    ///
    /// The repair creates missing objects, except tables of records. The check names other tables, views and indexes,
    /// which are not damage.
    private var schemaObjects: StoreCheck {
        StoreCheck("schema") { _ in
            let comparison = try SchemaComparison(StoredSchema(db), schema, findsMissing: true)
            let what = [
                comparison.refused.isEmpty ? nil : "not created by Habitat",
                comparison.missing.isEmpty ? nil : "missing",
            ]
            var damage = CheckFindings(what.compactMap(\.self).joined(separator: " or "))
            for object in comparison.refusedObjects + comparison.missing { damage.add(object.title) }
            let areDerived = comparison.missing.allSatisfy(isDerived)
            damage.isRepairable = comparison.refused.isEmpty && areDerived
            let removals = comparison.refusedObjects.compactMap(\.removal)
            if removals.count == comparison.refusedObjects.count {
                damage.note("remove them with the program sqlite3", removals)
            }
            damage.note("other objects", comparison.others)
            return damage
        } repair: { _ in
            for object in try missingObjects() where isDerived(object) {
                try db.execute(sql: object.sql)
            }
        }
    }

    /// Whether an object can be created without loss, because its contents follow from the records.
    private func isDerived(_ object: SchemaObject) -> Bool {
        guard object.type == "table", !object.sql.hasPrefix("CREATE VIRTUAL TABLE") else {
            return true
        }
        return schema.declaration.derivedTables.contains(object.name)
    }

    /// Returns the missing objects in an order in which they can be created.
    private func missingObjects() throws -> [SchemaObject] {
        func rank(_ object: SchemaObject) -> Int {
            if object.type == "trigger" { return 2 }
            return object.sql.hasPrefix("CREATE VIRTUAL") ? 0 : 1
        }
        return try SchemaComparison(StoredSchema(db), schema, findsMissing: true).missing.sorted { first, second in
            (rank(first), first.name) < (rank(second), second.name)
        }
    }

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
        let tables = schema.declaration.locatedTables.map(\.name)
        return tables.filter { table in !registered.contains(table) }
    }
}
