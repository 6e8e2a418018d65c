import Base
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@Suite struct LoadTests {
    private static let records: [Record] = [.user("u"), .habit("h", of: "u"), .event("h", "2026-11-20")]

    private static func days(_ store: TestStore) throws -> [[String]] {
        try store.rows(columns: ["day"]) { session, viewer in
            try EventQuery(viewer: viewer).selection(in: session)
        }
    }

    @Test func loadStoresAllEventsAtEndOfScope() throws {
        let store = try TestStore()
        try store.engine.load { writer in
            for record in Self.records { _ = try writer.write(record) }
        }
        #expect(try Self.days(store) == [["2026-11-20"]])
    }

    @Test func eventsAreVisibleBeforeCommit() throws {
        let store = try TestStore()
        var count: Int64?
        try store.engine.load { writer in
            for record in Self.records { _ = try writer.write(record) }
        } beforeCommit: { session in
            count = try session.first("SELECT count(*) FROM event") { $0.integer(0) }
        }
        #expect(count == 1)
    }

    @Test func errorBeforeCommitUndoesLoad() throws {
        struct Stop: Error {}
        let store = try TestStore()
        #expect(throws: Stop.self) {
            try store.engine.load { writer in
                for record in Self.records { _ = try writer.write(record) }
            } beforeCommit: { _ in
                throw Stop()
            }
        }
        #expect(try Self.days(store).isEmpty)
    }
}
