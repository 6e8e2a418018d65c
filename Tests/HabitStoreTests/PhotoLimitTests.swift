import Base
import Foundation
import GRDB
import HabitModel
import HabitTestSupport
import Photos
import StoreEngine
import Testing

@testable import HabitStore
@testable import StoreSpatiaLite

/// Tests of the maximum size of the photos in a store.
@Suite struct PhotoLimitTests {
    private static let large = Array(TestImage.png(byteCount: 100_009))

    /// Returns the sizes of the stored photos, in bytes.
    private static func sizes(_ store: TestStore) throws -> [Int64] {
        try store.engine.read { session in
            var sizes: [Int64] = []
            try session.query("SELECT length(bytes) FROM photo ORDER BY id") { row in
                sizes.append(row.integer(0))
                return true
            }
            return sizes
        }
    }

    private static func post(_ id: String, _ photo: [UInt8]) throws -> HabitModel.Record {
        var post = PostRecord(id: id, user: "ann")
        post.photo = .value(try Photo(photo))
        return .post(post)
    }

    @Test func storeHasPhotosAboveStandardLimit() throws {
        let store = try TestStore()
        try store.write([.user("ann"), Self.post("p", Self.large)])
        #expect(try Self.sizes(store) == [100_009])
    }

    @Test func limitsOfKindsAreIndependent() {
        var settings = Settings()
        settings[.itemPhotoLimit] = 200_000
        settings[.postPhotoLimit] = 3000
        #expect(settings.photoLimit(of: .items) == 200_000)
        #expect(settings.photoLimit(of: .posts) == 3000)
        #expect(settings.photoLimit(of: .events) == 65_535)
        #expect(settings.atLeastStandard.photoLimit(of: .posts) == 65_535)
    }

    /// The step changes the definition of the table, and not its rows.
    @Test(.fileStoreOnly) func migratedFileKeepsPhotosAndHasLargerOnes() throws {
        let schema = StoreSchema.spatiaLite
        let step = try #require(schema.steps.firstIndex { step in step.contains("post-photo-limit") })
        let store = try SpatiaLiteEngine.temporary(schema.upTo(step))
        let insert = "INSERT INTO photo (sha256, media_type, bytes) VALUES (randomblob(32), 'image/png', zeroblob(?))"
        try store.queue.inDatabase { db in
            for size in [1, 65_535] { try db.execute(sql: insert, arguments: [size]) }
            #expect(throws: (any Error).self) { try db.execute(sql: insert, arguments: [65_536]) }
            try db.inTransaction {
                try Migrations(schema).run(db)
                return .commit
            }
            try db.execute(sql: insert, arguments: [1_000_000])
            #expect(throws: (any Error).self) { try db.execute(sql: insert, arguments: [1_000_001]) }
            let sizes = try Int.fetchAll(db, sql: "SELECT length(bytes) FROM photo ORDER BY id")
            #expect(sizes == [1, 65_535, 1_000_000])
            let last = try #require(try Int.fetchOne(db, sql: "SELECT max(id) FROM photo"))
            try db.execute(sql: "DELETE FROM photo WHERE id = ?", arguments: [last])
            try db.execute(sql: insert, arguments: [2])
            let next = try #require(try Int.fetchOne(db, sql: "SELECT max(id) FROM photo"))
            #expect(next > last, "a key is not used again")
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
        }
    }

    @Test(.serverStoreOnly) func migratedDatabaseKeepsPhotosAndHasLargerOnes() throws {
        let store = try TestStore()
        guard case .database(let url) = store.location, let name = url.split(separator: "/").last else { return }
        let small = Array(TestImage.png(byteCount: 65_535))
        try store.write([.user("ann"), Self.post("small", small)])
        let step = StoreSchema.postGIS.steps.first { step in step.contains("post-photo-limit") }
        try TestServer.execute(
            """
            ALTER TABLE habitat.photo DROP CONSTRAINT photo_bytes_check;
            ALTER TABLE habitat.photo ADD CONSTRAINT photo_bytes_check CHECK (length(bytes) BETWEEN 1 AND 65535);
            SET search_path TO habitat;
            \(try #require(step))
            """, in: String(name))
        try store.write([Self.post("large", Self.large)])
        #expect(try Self.sizes(store) == [65_535, 100_009])
    }
}
