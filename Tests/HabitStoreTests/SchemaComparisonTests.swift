import Base
import Foundation
import GRDB
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore
@testable import StoreSpatiaLite

/// Tests that only the definitions of Habitat run in a store file (S-12).
@Suite struct SchemaComparisonTests {
    private static let schema = StoreSchema.spatiaLite

    /// Creates a store of a version in memory, runs statements in it, and compares its schema.
    ///
    /// The statements can change the text of the schema, as the author of a file can.
    private static func compare(
        _ statements: [String] = [], version: Int = schema.version
    ) throws -> SchemaComparison {
        let store = try SpatiaLiteEngine.temporary(schema.upTo(version))
        return try store.queue.inDatabase { db in
            try db.execute(sql: "PRAGMA writable_schema = ON")
            for sql in statements {
                for _ in try GRDB.Row.fetchAll(db, sql: sql) {}
            }
            return try SchemaComparison(StoredSchema(db), schema, findsMissing: true)
        }
    }

    /// The manifest is a cache: a store with other definitions is compared with a new store of its version.
    @Test func manifestDescribesStoresOfAllVersions() throws {
        func objects(_ version: Int) throws -> [SchemaObject] {
            try SpatiaLiteEngine.temporary(Self.schema.upTo(version)).queue.inDatabase {
                try SchemaObject.all(in: $0)
            }
        }
        var configuration = Configuration()
        configuration.prepareDatabase { try SpatiaLiteConnection.prepare($0, withSpatiaLite: true, wait: .zero) }
        let base = try DatabaseQueue(configuration: configuration).inDatabase { db in
            _ = try Int.fetchOne(db, sql: "SELECT InitSpatialMetaData('WGS84_ONLY')")
            return Set(try SchemaObject.all(in: db).map(\.key))
        }
        let text = SchemaManifest.text(of: try (1...Self.schema.version).map(objects), base: base)
        try expectGolden(text, "../../Sources/HabitStore/Schema/SpatiaLite/objects.txt")
    }

    @Test(arguments: 1...StoreSchema.spatiaLite.version) func storeOfEachVersionIsEqual(version: Int) throws {
        let comparison = try Self.compare(version: version)
        #expect(comparison.refused.isEmpty, "\(comparison)")
        #expect(comparison.others.isEmpty, "\(comparison)")
        #expect(comparison.missing.isEmpty, "\(comparison)")
    }

    /// A migrated store has the same definitions as a new one.
    @Test(arguments: 1..<StoreSchema.spatiaLite.version) func migratedStoreIsEqual(version: Int) throws {
        let store = try SpatiaLiteEngine.temporary(Self.schema.upTo(version))
        let comparison = try store.queue.inDatabase { db in
            try db.inTransaction {
                try Migrations(Self.schema).run(db)
                return .commit
            }
            return try SchemaComparison(StoredSchema(db), Self.schema, findsMissing: true)
        }
        #expect(comparison.refused.isEmpty, "\(comparison)")
        #expect(comparison.others.isEmpty, "\(comparison)")
        #expect(comparison.missing.isEmpty, "\(comparison)")
    }

    private static func insert(_ type: String, named name: String, on table: String, sql: String) -> String {
        let text = sql.replacing("'", with: "''")
        return "INSERT INTO sqlite_schema VALUES ('\(type)', '\(name)', '\(table)', 0, '\(text)')"
    }

    private struct Hostile: CustomTestStringConvertible, Sendable {
        var statements: [String]
        var refused: [String]

        var testDescription: String { statements.joined(separator: "; ") }
    }

    private static let hostile: [Hostile] = [
        Hostile(
            statements: ["CREATE TRIGGER ev AFTER INSERT ON event BEGIN DELETE FROM token; END"],
            refused: ["trigger ev"]),
        // Recipes and other programs read the views.
        Hostile(statements: ["DROP VIEW events", "CREATE VIEW events AS SELECT 7 AS seven"], refused: ["view events"]),
        Hostile(
            statements: ["DROP VIEW posts", "CREATE VIEW Posts AS SELECT * FROM token"], refused: ["view Posts"]),
        Hostile(
            statements: ["CREATE TRIGGER ev INSTEAD OF INSERT ON events BEGIN DELETE FROM token; END"],
            refused: ["trigger ev"]),
        Hostile(
            statements: [
                "CREATE TABLE notes (event REFERENCES event ON DELETE CASCADE)",
                "CREATE TRIGGER ev AFTER DELETE ON notes BEGIN DELETE FROM token; END",
            ], refused: ["trigger ev"]),
        // A trigger with the name and the table of one of SpatiaLite's.
        Hostile(
            statements: [
                "DROP TRIGGER tmi_event_geometry",
                "CREATE TRIGGER tmi_event_geometry AFTER INSERT ON event BEGIN DELETE FROM token; END",
            ], refused: ["trigger tmi_event_geometry"]),
        Hostile(
            statements: [
                "CREATE TABLE notes (geom)",
                """
                CREATE TRIGGER "tmi_notes_geom" AFTER INSERT ON "event"
                FOR EACH ROW BEGIN
                UPDATE geometry_columns_time SET last_insert = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
                WHERE Lower(f_table_name) = Lower('notes') AND Lower(f_geometry_column) = Lower('geom');
                END
                """,
            ], refused: ["trigger tmi_notes_geom"]),
        Hostile(
            statements: [
                "UPDATE sqlite_schema SET sql = replace(sql, 'events + new', 'new') WHERE name = 'event_map_change'"
            ],
            refused: ["trigger event_map_change"]),
        Hostile(
            statements: [
                "UPDATE sqlite_schema SET sql = replace(sql, 'comment TEXT', 'comment TEXT DEFAULT (x())') WHERE name = 'event'"
            ], refused: ["table event"]),
        Hostile(
            statements: [
                "DROP VIEW event_comment_text",
                "CREATE VIEW event_comment_text AS SELECT 1 AS id, email AS text FROM account",
            ],
            refused: ["view event_comment_text"]),
        Hostile(
            statements: [
                "DROP TABLE setting", "CREATE VIEW Setting AS SELECT external_id AS name, email AS value FROM account",
            ],
            refused: ["view Setting"]),
        Hostile(
            statements: [
                insert("table", named: "pw", on: "pw", sql: "CREATE VIRTUAL TABLE pw USING VirtualText('/etc/passwd')")
            ],
            refused: ["table pw"]),
        Hostile(
            statements: [
                insert("table", named: "pw", on: "pw", sql: "CREATE VIRTUAL TABLE pw USING \"VIRTUALshape\"('/tmp/x')")
            ],
            refused: ["table pw"]),
        // The columns of a forged row describe something else than its statement.
        Hostile(
            statements: [
                insert(
                    "table", named: "notes", on: "notes",
                    sql: "CREATE TRIGGER notes AFTER INSERT ON event BEGIN DELETE FROM token; END"
                )
            ], refused: ["table notes"]),
        Hostile(
            statements: [insert("table", named: "notes", on: "notes", sql: "CREATE TABLE other (a)")],
            refused: ["table notes"]),
        Hostile(
            statements: [
                insert(
                    "index", named: "notes", on: "event",
                    sql: "create/**/trigger notes after insert on event begin select 1; end")
            ],
            refused: ["index notes"]),
        Hostile(
            statements: [
                insert("table", named: "pw", on: "pw", sql: "CREATE VIRTUAL/* */TABLE pw USING zipfile('/tmp/x.zip')")
            ],
            refused: ["table pw"]),
        Hostile(
            statements: [insert("table", named: "notes", on: "notes", sql: "CREATE TABLE notes (a, 'b)")],
            refused: ["table notes"]),
    ]

    @Test(arguments: hostile) private func foreignSQLIsRefused(hostile: Hostile) throws {
        #expect(try Self.compare(hostile.statements).refused == hostile.refused)
    }

    /// The objects of QGIS, of `ANALYZE` and of other programs do not run SQL.
    @Test(arguments: [
        "CREATE TABLE layer_styles (id INTEGER PRIMARY KEY AUTOINCREMENT, f_table_name TEXT)", "ANALYZE",
        "CREATE VIEW my_events AS SELECT * FROM event", "CREATE INDEX my_index ON event (comment)",
        "CREATE UNIQUE INDEX my_index ON event (comment)", "CREATE VIRTUAL TABLE notes USING fts5(text)",
        "CREATE VIRTUAL TABLE notes USING rtree(id, a, b)", "DROP VIEW events; CREATE TABLE events (seven)",
        "DROP VIEW spatial_ref_sys_all; CREATE VIEW spatial_ref_sys_all AS SELECT 1",
    ]) func otherObjectsAreOnlyNamed(sql: String) throws {
        let statements = sql.split(separator: "; ").map { String($0) }
        let comparison = try Self.compare(statements)
        #expect(comparison.refused.isEmpty, "\(comparison)")
        #expect(!comparison.others.isEmpty, "\(comparison)")
    }

    /// QGIS and ogr2ogr add layers with these functions.
    @Test func layersOfOtherProgramsAreAccepted() throws {
        let comparison = try Self.compare([
            "CREATE TABLE \"my trees\" (id INTEGER PRIMARY KEY)",
            "SELECT AddGeometryColumn('my trees', 'the_geom', 4326, 'POINT')",
            "SELECT CreateSpatialIndex('my trees', 'the_geom')",
            "CREATE TABLE roads (ogc_fid INTEGER PRIMARY KEY)",
            "SELECT AddGeometryColumn('roads', 'GEOMETRY', 4326, 'LINESTRING', 2)",
            "SELECT CreateSpatialIndex('roads', 'GEOMETRY')",
        ])
        #expect(comparison.refused.isEmpty, "\(comparison)")
        #expect(comparison.others.contains("table roads"))
        #expect(comparison.others.contains("table my trees"))
    }

    /// Spaces and comments do not make a difference.
    ///
    /// A line that a comment hides makes a difference.
    @Test func definitionsAreComparedByWords() throws {
        let ofTrigger = "WHERE name = 'event_map_empty'"
        let spaced = try Self.compare(["UPDATE sqlite_schema SET sql = replace(sql, '  ', '/* x */ ') \(ofTrigger)"])
        #expect(spaced.refused.isEmpty)
        let hidden = try Self.compare([
            "UPDATE sqlite_schema SET sql = replace(sql, 'AND cell', '-- AND cell') \(ofTrigger)"
        ])
        #expect(hidden.refused == ["trigger event_map_empty"])
    }

    // MARK: The open

    private static func storeWithTrigger() throws -> (folder: TemporaryFolder, path: String) {
        let folder = try TemporaryFolder()
        let path = folder.file("store.db")
        let store = try SpatiaLiteEngine(path: path, access: .create, wait: .zero, schema: schema)
        try store.queue.inDatabase { db in
            try db.execute(
                sql:
                    "CREATE TABLE loot (x); CREATE TRIGGER ev AFTER INSERT ON event BEGIN INSERT INTO loot VALUES (1); END"
            )
        }
        return (folder, path)
    }

    @Test(arguments: [StoreAccess.read, .write, .create]) func storeWithForeignTriggerIsNotOpened(
        access: StoreAccess
    ) throws {
        let damaged = try Self.storeWithTrigger()
        let folder = damaged.folder
        let path = damaged.path
        #expect {
            _ = try SpatiaLiteEngine(path: path, access: access, wait: .zero, schema: Self.schema)
        } throws: { error in
            guard let error = error as? HabitError else { return false }
            return error.code == .storeDamaged && error.message.contains("trigger ev")
        }
        let examined = try SpatiaLiteEngine(
            path: path, access: .read, wait: .zero, schema: Self.schema, isExamined: true)
        let result = try #require(try StoreDoctor(examined).examine().first { $0.check == "schema" })
        #expect(result.status == .damaged, "\(result)")
        #expect(result.found == 1, "\(result)")
        #expect(
            result.detail
                == "not created by Habitat: trigger ev; remove them with the program sqlite3: DROP TRIGGER \"ev\"; other objects: table loot",
            "\(result)")
        withExtendedLifetime(folder) {}
    }

    /// A change with `writable_schema` keeps the schema cookie, the size and the time of the schema.
    @Test(arguments: [
        "UPDATE sqlite_schema SET sql = replace(sql, 'OLD.', 'NEW.') WHERE name = 'event_map_delete'",
        "UPDATE sqlite_schema SET sql = replace(sql, 'event_id', 'event_iD') WHERE name = 'event_cell_insert'",
        "UPDATE sqlite_schema SET sql = sql || ' -- comment' WHERE name = 'event_cell_insert'",
        "UPDATE sqlite_schema SET name = 'event_cell_inserT' WHERE name = 'event_cell_insert'",
        "PRAGMA user_version = 12",
    ])
    func acceptedStoreIsComparedAgainAfterAnyChange(statement: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.db")
        _ = try SpatiaLiteEngine(path: path, access: .create, wait: .zero, schema: Self.schema)
        let before = try Self.stored(path)
        #expect(try AcceptedSchema.refusedObjects(before, Self.schema).isEmpty)
        #expect(try AcceptedSchema.refusedObjects(before, Self.schema).isEmpty, "it is accepted again")

        try Self.changeSchema(path, statement)
        let after = try Self.stored(path)
        let refused = try AcceptedSchema.refusedObjects(after, Self.schema)
        #expect(refused == (try SchemaComparison(after, Self.schema, findsMissing: false).refusedObjects))
    }

    @Test func acceptedStoreIsRefusedAfterChangeThatKeepsCookie() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.db")
        _ = try SpatiaLiteEngine(path: path, access: .create, wait: .zero, schema: Self.schema)
        _ = try SpatiaLiteEngine(path: path, access: .read, wait: .zero, schema: Self.schema)
        try Self.changeSchema(
            path,
            "UPDATE sqlite_schema SET sql = replace(sql, 'event_cell', 'event_map') WHERE name = 'event_cell_insert'")
        #expect {
            _ = try SpatiaLiteEngine(path: path, access: .read, wait: .zero, schema: Self.schema)
        } throws: { error in
            (error as? HabitError)?.code == .storeDamaged
        }
    }

    /// Changes a schema as the author of a file can.
    private static func changeSchema(_ path: String, _ statement: String) throws {
        try DatabaseQueue(path: path).inDatabase { db in
            let cookie = try Int.fetchOne(db, sql: "PRAGMA schema_version")
            try db.execute(sql: "PRAGMA writable_schema = ON")
            try db.execute(sql: statement)
            #expect(try Int.fetchOne(db, sql: "PRAGMA schema_version") == cookie)
        }
    }

    private static func stored(_ path: String) throws -> StoredSchema {
        try DatabaseQueue(path: path).inDatabase { try StoredSchema($0) }
    }

    /// A migration would run the triggers of the file.
    @Test func earlierStoreWithForeignTriggerIsNotMigrated() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.db")
        let store = try SpatiaLiteEngine(path: path, access: .create, wait: .zero, schema: Self.schema.upTo(9))
        try store.queue.inDatabase { db in
            try db.execute(
                sql:
                    "CREATE TABLE loot (x); CREATE TRIGGER ev AFTER UPDATE ON token BEGIN INSERT INTO loot VALUES (1); END"
            )
        }
        #expect(throws: HabitError.self) {
            try SpatiaLiteEngine(path: path, access: .write, wait: .zero, schema: Self.schema)
        }
        let results = try StoreFile(path).examineCopy(named: "backup")
        #expect(results.map(\.check) == ["schema"], "\(results)")
        #expect(results.map(\.status) == [.damaged], "\(results)")
        #expect(try SpatiaLiteEngine.version(ofStoreAt: path) == 9)
    }

    @Test func readersDistrustFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.db")
        _ = try SpatiaLiteEngine(path: path, access: .create, wait: .zero, schema: Self.schema)
        let reader = try SpatiaLiteEngine(path: path, access: .read, wait: .zero, schema: Self.schema)
        try reader.queue.inDatabase { db in
            #expect(try Int.fetchOne(db, sql: "PRAGMA trusted_schema") == 0)
            // SQLite ignores this setting on a defensive connection.
            try db.execute(sql: "PRAGMA writable_schema = ON")
            #expect(throws: DatabaseError.self) { try db.execute(sql: "DELETE FROM event_comment_data") }
            #expect(throws: DatabaseError.self) { try db.execute(sql: "DELETE FROM sqlite_schema") }
        }
    }
}
