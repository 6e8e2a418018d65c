import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine
@testable import StoreSpatiaLite

/// Tests that batched rows keep their values and are stored along the Hilbert curve.
@Suite struct RowBatchTests {
    private static let columns = [
        "external_id", "user_id", "habit_id", "day", "outcome", "unplanned", "comment", "geometry",
    ]

    private struct Rollback: Error {}

    private func position(_ number: Int, _ random: inout SeededGenerator) -> Position? {
        guard number % 4 != 0 else { return nil }
        return Position(
            longitude: .random(in: -180...180, using: &random), latitude: .random(in: -90...90, using: &random))
    }

    @Test func rowsKeepValuesAndAreSortedAlongCurve() throws {
        var random = SeededGenerator(seed: 3)
        let texts = ["", "rain", "雨", "\u{0}x", String(repeating: "long ", count: 2000)]
        var rows: [[Value]] = []
        for number in 0..<5000 {
            rows.append([
                .text("e\(number)"), .integer(Int64(number)), .integer(Int64.max - Int64(number)), .text("2026-01-01"),
                .text("done"), .integer(0), number % 3 == 0 ? .null : .text(texts[number % 5]),
                .point(position(number, &random)),
            ])
        }
        let store = try SpatiaLiteEngine.temporary()
        // The rows refer to users and habits that do not exist, so the transaction is rolled back.
        #expect(throws: Rollback.self) {
            try store.bulkWrite { session in
                try session.run("PRAGMA defer_foreign_keys = ON")
                let batch = try session.batch(into: "event", columns: Self.columns, keyed: false)
                #expect(try batch.write().isEmpty)
                var keys: [Int64] = []
                for part in [rows[..<3000], rows[3000...]] {
                    for row in part { try batch.add(row) }
                    keys += try batch.write()
                }
                #expect(Set(keys).count == rows.count)
                let select = try session.prepare(
                    "SELECT \(Self.columns.joined(separator: ", ")) FROM event WHERE id = :id")
                for (key, row) in zip(keys, rows) {
                    try select.bind([.integer(key)])
                    let stored = try #require(
                        try select.firstRow { stored in
                            stored.position(7).map { (0..<7).map(stored.value) + [.point($0)] }
                                ?? (0..<8).map(stored.value)
                        })
                    #expect(stored == row)
                }
                var last = (run: 0, order: UInt64(0))
                try session.query("SELECT id, geometry FROM event ORDER BY id") { row in
                    let run = row.integer(0) <= 3000 ? 0 : 1
                    let order = row.position(1).map { HilbertCell($0).order } ?? .max
                    #expect(run != last.run || order >= last.order, "row \(row.integer(0))")
                    last = (run, order)
                    return true
                }
                throw Rollback()
            }
        }
    }

    @Test func rowWithOtherColumnCountIsRefused() throws {
        let store = try SpatiaLiteEngine.temporary()
        try store.bulkWrite { session in
            let batch = try session.batch(into: "event", columns: Self.columns, keyed: false)
            #expect(throws: HabitError.self) { try batch.add([.null]) }
            #expect(try batch.write().isEmpty)
        }
    }

    /// Rows are inserted in groups.
    ///
    /// A row that violates a constraint undoes the load at any index.
    @Test(arguments: [0, 31, 32, 40, 99]) func refusedRowUndoesLoad(index: Int) throws {
        let store = try Self.storeWithHabit()
        #expect(throws: (any Error).self) {
            try store.bulkWrite { session in
                let batch = try session.batch(into: "event", columns: Self.columns, keyed: false)
                for number in 0..<100 {
                    try batch.add([
                        .text("e\(number)"), .integer(1), .integer(1), .text("2026-01-01"),
                        number == index ? .null : .text("done"), .integer(0), .null, .null,
                    ])
                }
                _ = try batch.write()
            }
        }
        #expect(try store.read { try $0.first("SELECT count(*) FROM event", { $0.integer(0) }) } == 0)
    }

    @Test(arguments: [
        "UPDATE account SET share_location = 7", "UPDATE event SET outcome = 'unknown'",
        "UPDATE event SET habit_id = 999", "UPDATE event SET user_id = 999", "UPDATE event SET photo_id = 999",
    ])
    func bulkWriteEnforcesConstraints(sql: String) throws {
        let store = try Self.storeWithHabit()
        try store.bulkWrite { session in
            _ = try session.writeRecords { try $0.write(.event("h", "2026-01-01")) }
        }
        #expect(throws: (any Error).self) { try store.bulkWrite { _ = try $0.run(SQL(sql)) } }
        let unchanged = try store.read { session in
            try session.first("SELECT count(*) FROM event WHERE outcome = 'done' AND habit_id = 1 AND photo_id IS NULL")
            {
                $0.integer(0)
            }
        }
        #expect(unchanged == 1)
    }

    /// Creates a store with a user and a habit, both with the key 1.
    private static func storeWithHabit() throws -> SpatiaLiteEngine {
        let store = try SpatiaLiteEngine.temporary()
        try store.write { session in
            try session.writeRecords { writer in
                for record in [Record.user("u"), .habit("h", of: "u")] { _ = try writer.write(record) }
            }
        }
        return store
    }
}
