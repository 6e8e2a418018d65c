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
        let store = try TestStore(shards: 0)
        #expect {
            _ = try Self.open(store.location, .read)
        } throws: { error in
            let error = error as? HabitError
            return error?.code == .storeUnavailable && error?.remedies == [.take(.migrateStore)]
        }
        #expect(try Self.laterValues(Self.open(store.location, .write)) == 0)
        #expect(try Self.laterValues(Self.open(store.location, .read)) == 0)
    }

    /// A step would not change the partitions on the shards.
    @Test(.serverStoreOnly) func shardedStoreIsNotMigrated() throws {
        let store = try TestStore(shards: 2)
        #expect {
            _ = try Self.open(store.location, .write)
        } throws: { error in
            guard let error = error as? HabitError else { return false }
            return error.code == .storeUnavailable && error.message.contains("is sharded by an earlier version")
        }
        #expect(try Self.open(store.location, .write, isLater: false).read { _ in true })
    }

    @Test(arguments: [StoreAccess.read, .write]) func storeOfLaterSchemaIsRefused(access: StoreAccess) throws {
        let store = try TestStore(shards: 0)
        _ = try Self.open(store.location, .write)
        #expect {
            _ = try Self.open(store.location, access, isLater: false)
        } throws: { error in
            let error = error as? HabitError
            return error?.code == .storeNotHabitat && error?.message.contains("update the program") == true
        }
    }
}
