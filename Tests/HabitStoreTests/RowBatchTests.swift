import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore

/// Rows that are written together are those that came, and lie along the curve.
@Suite struct RowBatchTests {
    private static let columns = [
        "external_id", "user_id", "habit_id", "day", "outcome", "unplanned", "comment", "geometry",
    ]

    private func position(_ number: Int, _ random: inout SeededGenerator) -> Position? {
        guard number % 4 != 0 else { return nil }
        return Position(
            longitude: .random(in: -180...180, using: &random), latitude: .random(in: -90...90, using: &random))
    }

    @Test func rowsKeepTheirValuesAndLieAlongTheCurve() throws {
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
        try store.load { session in
            let batch = try session.batch(into: "event", columns: Self.columns, keyed: false)
            #expect(try batch.write().isEmpty)
            var keys: [Int64] = []
            for part in [rows[..<3000], rows[3000...]] {
                for row in part { try batch.add(row) }
                keys += try batch.write()
            }
            #expect(Set(keys).count == rows.count)
            let select = try session.prepare("SELECT \(Self.columns.joined(separator: ", ")) FROM event WHERE id = :id")
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
        }
    }

    @Test func aRowOfAnotherShapeIsRefused() throws {
        let store = try SpatiaLiteEngine.temporary()
        try store.load { session in
            let batch = try session.batch(into: "event", columns: Self.columns, keyed: false)
            #expect(throws: HabitError.self) { try batch.add([.null]) }
            #expect(try batch.write().isEmpty)
        }
    }

    /// Rows are inserted many at a time: one that breaks a rule of the table, wherever it stands, undoes the load.
    @Test(arguments: [0, 31, 32, 40, 99]) func aRefusedRowUndoesTheLoad(place: Int) throws {
        let store = try SpatiaLiteEngine.temporary()
        #expect(throws: (any Error).self) {
            try store.load { session in
                let batch = try session.batch(into: "event", columns: Self.columns, keyed: false)
                for number in 0..<100 {
                    try batch.add([
                        .text("e\(number)"), .integer(1), .integer(1), .text("2026-01-01"),
                        number == place ? .null : .text("done"), .integer(0), .null, .null,
                    ])
                }
                _ = try batch.write()
            }
        }
        #expect(try store.read { try $0.first("SELECT count(*) FROM event", { $0.integer(0) }) } == 0)
    }

    /// A load does without the tables' own checks, and gives them back.
    @Test func aLoadLeavesTheChecksInForce() throws {
        let store = try SpatiaLiteEngine.temporary()
        _ = try store.load { try $0.run("INSERT INTO account (external_id) VALUES ('ana')") }
        let wrong: SQL = "UPDATE account SET share_location = 7"
        #expect(throws: (any Error).self) { _ = try store.write { try $0.run(wrong) } }
        #expect(throws: (any Error).self) {
            try store.load { session in
                try session.run(wrong)
                throw HabitError(.internal, "nothing of this load stays")
            }
        }
        #expect(throws: (any Error).self) { _ = try store.write { try $0.run(wrong) } }
    }
}
