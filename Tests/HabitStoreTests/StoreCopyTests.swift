import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreSpatiaLite

/// Tests that a copy contains all records of the store, between any engines, and that other stores are refused.
@Suite struct StoreCopyTests {
    private static func sampleStore(_ count: Int = 40) throws -> TestStore {
        let store = try TestStore()
        var habit = HabitRecord(id: "h", user: "a", title: "Læsning", schedule: .everyDay)
        habit.tint = .value(6)
        habit.symbol = .value("👩🏽‍❤️‍💋‍👩🏽")
        habit.rank = .value(1_000_000)
        habit.remindAt = TimeOfDay("07:30").map { time in .value(time) } ?? .null
        var records: [Record] = [.user("a", zone: "Asia/Tokyo"), .user("b"), .habit(habit)]
        records += [.follow("b", "a", status: .pending, share: .latest)]
        let first = try #require(Day("2024-01-01"))
        for number in 0..<count {
            let comment = ["", "tab\there", "back\\slash \\N", "two\r\nlines", "\"quoted\", 雨 🏳️‍🌈 e\u{301}"][number % 5]
            let position = number % 3 == 0 ? nil : Position(longitude: 0.1 + Double(number) / 3, latitude: -0.0)
            records.append(
                .event(
                    "h", first.advanced(by: number).description, comment: number % 7 == 0 ? nil : comment,
                    at: position))
        }
        try store.write(records)
        return store
    }

    /// Copies from the store under test to a file and back.
    @Test func copiesContainAllRecordsInBothDirections() throws {
        let store = try Self.sampleStore()
        let copy = try SpatiaLiteEngine.temporary()
        let results = try StoreCopy(from: store.engine, to: copy).run()
        #expect(results.map(\.table) == StoredTable.all.map(\.name))
        #expect(results.first { $0.table == "event" }?.copied == 40)
        #expect(try copy.contents() == store.engine.contents())
        let back = try TestStore()
        _ = try StoreCopy(from: copy, to: back.engine).run()
        #expect(try back.engine.contents() == store.engine.contents())
        // The copy can be written and searched like any other store.
        try back.write([
            .user("c"),
            .habit("new", of: "c"),
            .event("new", "2026-01-01", comment: "later"),
        ])
        for (text, count) in [("two\r\nlines", 7), ("later", 1), ("雨", 7)] {
            let found = try back.rows(columns: ["id"]) { session, viewer in
                var query = EventQuery(viewer: viewer)
                query.filter.comment = text
                return try query.selection(in: session)
            }
            #expect(found.count == count, "\(text)")
        }
        #expect(try StoreDoctor(back.engine).examine().allSatisfy { $0.status == .ok })
    }

    /// The copy has the state of the source at its beginning, and rows already copied are not sent again.
    @Test func interruptedCopyResumesAfterLastCommit() throws {
        struct Stop: Error {}
        let store = try Self.sampleStore()
        let copy = try TestStore()
        var interrupted = StoreCopy(from: store.engine, to: copy.engine)
        interrupted.chunk = 7
        var parts = 0
        #expect(throws: Stop.self) {
            try interrupted.run { table, _ in
                if table == "event" { parts += 1 }
                if parts == 3 { throw Stop() }
            }
        }
        let results = try interrupted.run { _, _ in }
        #expect(results.first { $0.table == "event" }.map { [$0.rows, $0.copied] } == [40, 19])
        #expect(results.first { $0.table == "habit" }?.copied == 0)
        #expect(try copy.engine.contents() == store.engine.contents())
        // A third run copies nothing.
        #expect(try interrupted.run { _, _ in }.allSatisfy { $0.copied == 0 })
    }

    @Test func copyIntoOtherStoreIsRefused() throws {
        let store = try Self.sampleStore()
        let other = try TestStore()
        try other.write([.user("somebody")])
        let before = try other.engine.contents()
        #expect {
            _ = try StoreCopy(from: store.engine, to: other.engine).run { _, _ in }
        } throws: { ($0 as? HabitError)?.code == .duplicateKey }
        #expect(try other.engine.contents() == before)
        // A target with more rows than the source is also refused.
        let less = try Self.sampleStore(10)
        let more = try Self.sampleStore(11)
        #expect {
            _ = try StoreCopy(from: less.engine, to: more.engine).run { _, _ in }
        } throws: { ($0 as? HabitError)?.code == .duplicateKey }
    }
}
