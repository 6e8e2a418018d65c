import Foundation
import HabitTestSupport
import Testing

/// Tests of the schema of a store file as other programs read it.
@Suite(.fileStoreOnly) struct SchemaTests {
    /// Columns declared INTEGER, which GDAL reads as 32 bits: Booleans, weekdays, minutes, tints, ranks, and cells of a
    /// grid of 3,600 by 7,200.
    private static let narrowColumns = [
        "account.share_location", "block.blocked_offset", "change.audience", "claim.claimed_offset", "event.is_private",
        "event.unplanned", "event.utc_offset", "event_cell.cell", "follow.requested_offset", "habit.period_days",
        "habit.rank", "habit.times", "habit.tint", "habit.weekdays", "habit_schedule.period_days",
        "habit_schedule.times", "habit_schedule.weekdays", "item.posted_offset", "message.sent_offset",
        "post.deleted_offset", "post.is_private", "post.posted_offset", "read_marker.read_offset",
    ]

    @Test func columnsWith64BitsAreDeclaredBigint() async throws {
        let folder = try TemporaryFolder()
        try #require(try await Program.habitat("init", in: folder).status == 0)
        let columns = try await Self.integers(folder.file("habitat.db"))
        #expect(columns["narrow"] == Self.narrowColumns)
        let wide = columns["wide"] ?? []
        #expect(wide.contains("event.occurred_at"), "\(wide)")
        #expect(wide.contains("token.expires_at"), "\(wide)")
        let others = [
            "change.at", "store.change", "event_map.cell", "event_map.events", "event_place.cell", "post_place.cell",
            "import_run.habits", "import_run.events", "import_run.posts", "import_run.updated",
            "passkey.counter",
        ]
        let suffixes = ["_at", "_id", ".version", "_change"]
        for column in wide where !others.contains(column) {
            #expect(suffixes.contains { suffix in column.hasSuffix(suffix) }, "\(column)")
        }
    }

    /// Returns the integer columns of the store's tables, except rowid keys.
    ///
    /// The keys `wide` and `narrow` contain columns declared BIGINT and others.
    private static func integers(_ path: String) async throws -> [String: [String]] {
        let script = """
            import json, sqlite3, sys
            spatialite = sqlite3.connect(':memory:')
            spatialite.enable_load_extension(True)
            spatialite.load_extension('mod_spatialite')
            spatialite.execute("SELECT InitSpatialMetaData('WGS84_ONLY')").fetchall()
            tables = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
            others = {name for name, in spatialite.execute(tables)}
            db = sqlite3.connect('file:' + sys.argv[1] + '?mode=ro', uri=True)
            columns = {'narrow': [], 'wide': []}
            for table in sorted({name for name, in db.execute(tables)} - others):
                rows = db.execute('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY name', (table,)).fetchall()
                keys = [name for name, declared, key in rows if key]
                for name, declared, key in rows:
                    if 'INT' not in declared.upper().replace('POINT', '') or (keys == [name] and declared == 'INTEGER'): continue
                    columns['wide' if declared == 'BIGINT' else 'narrow'].append(table + '.' + name)
            print(json.dumps(columns))
            """
        let result = try await Program.run("/usr/bin/python3", ["-c", script, path], in: "/")
        try #require(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode([String: [String]].self, from: Data(result.output.utf8))
    }

    /// A new store and a migrated store have identical schemas, and the migration keeps all rows.
    @Test func migratedStoreHasSchemaOfNewStore() async throws {
        let new = try TemporaryFolder()
        try #require(try await Program.habitat("init", in: new).status == 0)
        let schema = try await RawStore.schema(new.file("habitat.db"))
        for version in EarlierStore.versions {
            let folder = try TemporaryFolder()
            let store = folder.file("habitat.db")
            try await EarlierStore.create(version, at: store)
            let records = try await RawStore.records(store)
            #expect(try await Program.habitat("setting", "set", "message-limit", "2000", in: folder).status == 0)
            #expect(try await RawStore.schema(store) == schema, "version \(version)")
            let migrated = try await RawStore.records(store)
            #expect(try Self.keepsRecords(records, in: migrated), "version \(version): \(records) \(migrated)")
            let doctor = try await Program.habitat("doctor", in: folder)
            #expect(doctor.status == 0, "version \(version): \(doctor)")
        }
    }

    /// Whether a migrated store contains the records of the earlier store.
    ///
    /// Columns that the earlier store lacks are not compared. The test changes the settings.
    private static func keepsRecords(_ records: String, in migrated: String) throws -> Bool {
        let old = try tables(of: records)
        let new = try tables(of: migrated)
        guard old.keys == new.keys else { return false }
        return old.allSatisfy { table, rows in
            guard let migrated = new[table], migrated.count == rows.count else { return false }
            let columns = Set(rows.flatMap(\.keys))
            let kept = migrated.map { row in row.filter { columns.contains($0.key) } }
            return rows.allSatisfy(kept.contains)
        }
    }

    /// Returns the rows of each table in the lines of ``RawStore/records(_:)``, except the settings.
    private static func tables(of records: String) throws -> [String: [[String: String]]] {
        var tables: [String: [[String: String]]] = [:]
        for line in records.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0] != "setting" else { continue }
            let object = try JSONSerialization.jsonObject(with: Data(parts[1].utf8))
            let row = try #require(object as? [String: Any])
            tables[String(parts[0]), default: []].append(row.mapValues { "\($0)" })
        }
        return tables
    }

    /// A connection opened before the migration reads the declarations of the migrated store.
    @Test func openConnectionNoticesMigration() async throws {
        let folder = try TemporaryFolder()
        let store = folder.file("habitat.db")
        try await EarlierStore.create(6, at: store)
        let script = """
            import sqlite3, subprocess, sys
            db = sqlite3.connect(sys.argv[1])
            declared = lambda: [row[2] for row in db.execute('PRAGMA table_info(event)') if row[1] == 'occurred_at'][0]
            before = declared()
            subprocess.run([sys.argv[2], 'user', 'add', 'newcomer', '--store', sys.argv[1]], check=True, stdout=subprocess.DEVNULL)
            print(before, declared(), db.execute('PRAGMA integrity_check').fetchone()[0])
            """
        let result = try await Program.run("/usr/bin/python3", ["-c", script, store, Program.habitat], in: folder.path)
        #expect(result.output == "INTEGER BIGINT ok\n", "\(result)")
    }

    private static let instants = [
        "claim.claimed_at", "event.occurred_at", "follow.requested_at", "item.posted_at", "message.sent_at",
        "post.deleted_at", "post.posted_at",
    ]

    @Test func gdalReadsInstants() async throws {
        let folder = try TemporaryFolder()
        let store = try await Self.migratedStore(in: folder)
        for instant in Self.instants {
            let parts = instant.split(separator: ".").map(String.init)
            let result = try await Program.run(
                "/usr/bin/ogrinfo", ["-ro", "-al", "-q", store, parts[0]], in: folder.path)
            #expect(result.output.contains("\(parts[1]) (Integer64) = 1795155300000000"), "\(instant): \(result)")
        }
    }

    @Test(.enabled(if: TestPython.isInstalled, ".build/python does not exist: make test creates it"))
    func geoPandasReadsInstants() async throws {
        let folder = try TemporaryFolder()
        let store = try await Self.migratedStore(in: folder)
        let script = """
            import sys, geopandas, pyogrio
            for column in sys.argv[2:]:
                layer, name = column.split('.')
                print(column, int(pyogrio.read_dataframe(sys.argv[1], layer=layer)[name][0]))
            events = geopandas.read_file(sys.argv[1], layer='event')
            print(int(events['occurred_at'][0]), events.crs.to_epsg(), events.geometry[0].wkt)
            """
        let result = try await TestPython.run(script, [store] + Self.instants)
        #expect(
            result.lines
                == Self.instants.map { "\($0) 1795155300000000" } + ["1795155300000000 4326 POINT (-9.1 38.7)"],
            "\(result.errors)")
    }

    private static func migratedStore(in folder: TemporaryFolder) async throws -> String {
        try await EarlierStore.create(6, at: folder.file("habitat.db"))
        try #require(try await Program.habitat("user", "add", "newcomer", in: folder).status == 0)
        return folder.file("habitat.db")
    }
}
