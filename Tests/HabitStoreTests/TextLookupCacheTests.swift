import GRDB
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine
@testable import StoreSpatiaLite

/// Tests that texts of rows are found by any key in any order.
@Suite(.fileStoreOnly) struct TextLookupCacheTests {
    private static let keys: [Int64] =
        Array(-40...40) + [1023, 1024, 262_143, 262_144, 1_000_000, .max - 1, .max, .min]

    private func withTexts(_ body: (Database, TextLookupCache) throws -> Void) throws {
        try SpatiaLiteEngine.temporary().queue.inDatabase { db in
            for key in Self.keys {
                try db.execute(
                    sql: "INSERT INTO account (id, external_id) VALUES (?, ?)", arguments: [key, "user \(key)"])
            }
            try body(
                db,
                TextLookupCache(
                    SpatiaLiteStatement(
                        db.makeStatement(
                            sql: "SELECT id, external_id FROM account WHERE id BETWEEN :first AND :last"), on: db)))
        }
    }

    private func text(_ key: Int64, _ texts: TextLookupCache) throws -> String? {
        try texts.text(of: key).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [UInt64.random(in: 0...(.max))]) func keysAreFoundInAnyOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try withTexts { (_, texts) throws in
            for key in (Self.keys + Self.keys + Self.keys).shuffled(using: &random) {
                #expect(try text(key, texts) == "user \(key)", "seed \(seed)")
            }
            for key: Int64 in [41, -41, 2000, 262_145, 1_000_001, .max - 2, .min + 1] {
                #expect(try text(key, texts) == nil)
            }
        }
    }

    /// Long texts are evicted from the cache and read again.
    @Test func memoryIsBounded() throws {
        try withTexts { db, texts in
            let long = String(repeating: "é", count: 1 << 19)
            for key: Int64 in stride(from: 100, to: 1000, by: 50) {
                try db.execute(
                    sql: "INSERT INTO account (id, external_id) VALUES (?, ?)", arguments: [key, "\(key)\(long)"])
            }
            for _ in 0..<2 {
                #expect(try text(7, texts) == "user 7")
                for key: Int64 in stride(from: 100, to: 1000, by: 50) {
                    #expect(try text(key, texts) == "\(key)\(long)")
                }
            }
        }
    }

    /// The result equals that of a join.
    @Test func rowWithUnknownKeyIsOmitted() throws {
        let store = try TestStore()
        try store.engine.write { session in
            _ = try session.run(
                "INSERT INTO account (id, external_id, time_zone) VALUES (0, 'nobody', ''), (3, 'ana', 'UTC')")
        }
        try store.location.open(.read, wait: .zero).read { session in
            var sql: StoreEngine.SQL =
                "SELECT column1, column2 FROM (VALUES (3, 3), (0, 0), (NULL, 3), (3, 9), (-1, 3), (3, 0))"
            sql.texts = [
                0: TextColumn(name: "external_id", table: "account"),
                1: TextColumn(name: "time_zone", table: "account"),
            ]
            var rows: [[String?]] = []
            try session.query(sql) { row in
                rows.append([row.text(0), row.text(1)])
                #expect((0..<2).allSatisfy { !row.isNull($0) })
                #expect((0..<2).allSatisfy { row.storage($0) == .text })
                return true
            }
            #expect(rows == [["ana", "UTC"], ["nobody", ""], ["ana", ""]])
        }
    }

    /// If keys exceed the limit of the cache, the query uses a join.
    @Test func storeWithLargeKeysIsQueriedWithJoin() throws {
        let store = try TestStore()
        try store.write([
            .user("ana"),
            .habit("run", of: "ana"),
            .event("run", "2026-11-20", id: "e1"),
        ])
        let plan = try store.plan { session, viewer in
            try EventQuery(viewer: viewer).selection(in: session)
        }
        #expect(plan.allSatisfy { line in !line.contains("habit USING") })
        let rows = try store.rows { session, viewer in
            try EventQuery(viewer: viewer).selection(in: session)
        }
        try store.engine.write { session in
            _ = try session.run("PRAGMA defer_foreign_keys = ON")
            _ = try session.run(
                StoreEngine.SQL("UPDATE habit SET id = \(.integer(TextLookupCache.keyLimit), as: "key")"))
            _ = try session.run(
                StoreEngine.SQL("UPDATE event SET habit_id = \(.integer(TextLookupCache.keyLimit), as: "key")"))
        }
        let planOfLargeKeys = try store.plan { session, viewer in
            try EventQuery(viewer: viewer).selection(in: session)
        }
        #expect(planOfLargeKeys.contains { line in line.contains("habit USING") })
        let rowsOfLargeKeys = try store.rows { session, viewer in
            try EventQuery(viewer: viewer).selection(in: session)
        }
        #expect(rowsOfLargeKeys == rows)
        #expect(rows.count == 1)
    }
}
