import GRDB
import HabitTestSupport
import Testing

@testable import HabitStore

/// Texts of rows are found by their keys, whatever the keys are and whatever was asked for before.
@Suite(.onFilesAlone) struct KeyedTextsTests {
    private static let keys: [Int64] =
        Array(-40...40) + [1023, 1024, 524_287, 524_288, 1_000_000, 1_000_000 + 524_288, .max - 1, .max, .min]

    private func withTexts(_ body: (Database, KeyedTexts) throws -> Void) throws {
        try SpatiaLiteEngine.temporary().queue.inDatabase { db in
            for key in Self.keys {
                try db.execute(
                    sql: "INSERT INTO account (id, external_id) VALUES (?, ?)", arguments: [key, "user \(key)"])
            }
            try body(
                db,
                KeyedTexts(
                    SpatiaLiteStatement(
                        db.makeStatement(
                            sql: "SELECT id, external_id FROM account WHERE id BETWEEN :first AND :last"), on: db)))
        }
    }

    private func text(_ key: Int64, _ texts: KeyedTexts) throws -> String? {
        try texts.text(of: key).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [UInt64.random(in: 0...(.max))]) func keysAreFoundInAnyOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try withTexts { (_, texts) throws in
            for key in (Self.keys + Self.keys + Self.keys).shuffled(using: &random) {
                #expect(try text(key, texts) == "user \(key)", "seed \(seed)")
            }
            for key: Int64 in [41, -41, 2000, 524_289, 1_000_001, .max - 2, .min + 1] {
                #expect(try text(key, texts) == nil)
            }
        }
    }

    /// Long texts are let go when there are many, and read again.
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

    /// A key of nothing and no key at all are nulls, and an empty text is none.
    @Test func whatIsNotThereIsNull() throws {
        let store = try TestStore()
        try store.engine.write { session in
            _ = try session.run(
                "INSERT INTO account (id, external_id, name) VALUES (0, 'nobody', ''), (3, 'ana', 'Ana')")
        }
        try store.location.open(.read, wait: .zero).read { session in
            var sql: HabitStore.SQL = "SELECT column1, column2 FROM (VALUES (3, 3), (0, 0), (NULL, NULL), (9, 9))"
            sql.texts = [
                0: TextColumn(name: "external_id", table: "account"), 1: TextColumn(name: "name", table: "account"),
            ]
            var rows: [[String?]] = []
            try session.query(sql) { row in
                rows.append([row.text(0), row.text(1)])
                #expect((0..<2).allSatisfy { row.isNull($0) == (row.text($0) == nil) })
                #expect((0..<2).allSatisfy { row.storage($0) == (row.isNull($0) ? .null : .text) })
                return true
            }
            #expect(rows == [["ana", "Ana"], ["nobody", ""], [nil, nil], [nil, nil]])
        }
    }
}
