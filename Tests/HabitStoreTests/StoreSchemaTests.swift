import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine
@testable import StorePostGIS
@testable import StoreSpatiaLite

/// Tests that a later version of the program can add a schema step for both engines.
@Suite struct StoreSchemaTests {
    private static let later = SchemaStep.all + [.both("ALTER TABLE event ADD COLUMN later_column TEXT")]

    private static func open(
        _ location: StoreLocation, _ access: StoreAccess, isLater: Bool = true
    ) throws -> any Engine {
        switch location {
        case .file(let path):
            try SpatiaLiteEngine(
                path: path, access: access, wait: .zero, schema: isLater ? later.ofSpatiaLite : .spatiaLite)
        case .database(let url):
            try PostGISEngine(url: url, access: access, wait: .zero, schema: isLater ? later.ofPostGIS : .postGIS)
        }
    }

    private static func laterValues(_ engine: any Engine) throws -> Int64? {
        try engine.read { try $0.first("SELECT count(later_column) FROM event") { $0.integer(0) } }
    }

    @Test func storeIsMigratedBeforeItIsReadWithNewColumns() throws {
        let store = try TestStore()
        #expect {
            _ = try Self.open(store.location, .read)
        } throws: { error in
            let error = error as? HabitError
            return error?.code == .storeUnavailable && error?.remedies == [.take(.migrateStore)]
        }
        #expect(try Self.laterValues(Self.open(store.location, .write)) == 0)
        #expect(try Self.laterValues(Self.open(store.location, .read)) == 0)
    }

    /// If this test fails, add a step `postGISFunctions` to ``SchemaStep``, so that existing stores receive the functions.
    ///
    /// Then write the new digest here.
    @Test func changeOfFunctionsHasSchemaStep() {
        let digest = StorePostGIS.PackageResources.postgis_functions_sql.sha256.hexadecimal
        #expect(digest == "d6d2946bad2b1fe7aa8b9f698e46853ef0e8c9aa27cbe4042733738943ea8933", "\(digest)")
    }

    /// The test removes the functions that this version adds or changes.
    @Test(.serverStoreOnly) func storeOfPreviousVersionReceivesFunctions() throws {
        let store = try TestStore()
        guard case .database(let url) = store.location, let name = url.split(separator: "/").last else { return }
        try TestServer.execute(
            """
            \(EarlierSchema.removingSessions)
            \(EarlierSchema.removingVersions)
            DROP FUNCTION habitat_functions.in_area CASCADE;
            DROP FUNCTION habitat_functions.area_geometry, habitat_functions.ring_text, habitat_functions.json_items,
              habitat_functions.exact_side, habitat_functions.exact_coordinate,
              habitat_functions.distance, habitat_functions.month, habitat_functions.year, habitat_functions.iso_week CASCADE;
            DROP AGGREGATE habitat_functions.median(double precision);
            ALTER TABLE habitat.item DROP COLUMN shown CASCADE;
            \(EarlierSchema.removingPrivatePositions)
            \(EarlierSchema.removingHabitFields)
            DROP INDEX habitat.event_user_comment, habitat.event_user_long_comment;
            UPDATE habitat.store SET schema_version = 10
            """, in: String(name))
        #expect {
            _ = try Self.open(store.location, .read, isLater: false)
        } throws: { ($0 as? HabitError)?.remedies == [.take(.migrateStore)] }
        let engine = try Self.open(store.location, .write, isLater: false)
        let square = #"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4],[0,0]]]}"#
        let sql = "SELECT in_area(4, 2, '\(square)'), month('2026-11-20'), median(x) FROM (SELECT 2.0 AS x) AS n"
        let clock = Clock(now: .now)
        try engine.analyze(as: .operator, clock: clock) { session in
            var rows: [[String?]] = []
            try AnalysisQuery(sql, viewer: .operator, clock: clock).run(in: session) { _ in
                { rows.append([$0.text(0), $0.text(1), $0.text(2)]) }
            }
            #expect(rows == [["1", "2026-11", "2"]], "\(rows)")
        }
    }

    /// A store of version 7 has the tables of the earlier kind of cluster, and rows of a cluster are in other databases.
    @Test(.singleServerOnly, arguments: [true, false]) func storeWithShardsOfEarlierVersionIsRefused(
        hasShards: Bool
    ) throws {
        let store = try TestStore()
        guard case .database(let url) = store.location, let name = url.split(separator: "/").last else { return }
        try TestServer.execute(
            """
            \(EarlierSchema.removingSessions)
            \(EarlierSchema.removingVersions)
            ALTER TABLE habitat.store ADD COLUMN changed_by XID8, DROP COLUMN is_distributed;
            ALTER TABLE habitat.item DROP COLUMN shown CASCADE;
            \(EarlierSchema.removingPrivatePositions)
            \(EarlierSchema.removingHabitFields)
            DROP INDEX habitat.event_user_comment, habitat.event_user_long_comment;
            CREATE TABLE habitat.shard (number INTEGER NOT NULL) PARTITION BY LIST (number);
            CREATE TABLE habitat.shard_table (shard INTEGER NOT NULL) PARTITION BY LIST (shard);
            CREATE FUNCTION habitat_functions.store_place() RETURNS text LANGUAGE sql AS 'SELECT $$1/1$$';
            CREATE FUNCTION habitat_functions.note_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
            CREATE TRIGGER event_change BEFORE INSERT ON habitat.event EXECUTE FUNCTION habitat_functions.note_change();
            UPDATE habitat.store SET schema_version = 7;
            \(hasShards ? "CREATE TABLE habitat.shard_0 PARTITION OF habitat.shard FOR VALUES IN (0)" : "")
            """, in: String(name))
        guard hasShards else {
            #expect(try Self.open(store.location, .write, isLater: false).read { _ in true })
            let triggers = try TestServer.execute(
                "SELECT count(*) FROM pg_trigger WHERE tgname = 'event_change'", in: String(name))
            #expect(triggers == "0")
            return
        }
        #expect {
            _ = try Self.open(store.location, .write, isLater: false)
        } throws: { error in
            guard let error = error as? HabitError else { return false }
            return error.code == .storeUnavailable && error.message.contains("with the earlier version")
        }
        #expect(try TestServer.execute("SELECT schema_version FROM habitat.store", in: String(name)) == "7")
    }

    @Test(arguments: [StoreAccess.read, .write]) func storeOfLaterSchemaIsRefused(access: StoreAccess) throws {
        let store = try TestStore()
        _ = try Self.open(store.location, .write)
        #expect {
            _ = try Self.open(store.location, access, isLater: false)
        } throws: { error in
            let error = error as? HabitError
            return error?.code == .storeNotHabitat && error?.message.contains("update the program") == true
        }
    }
}
