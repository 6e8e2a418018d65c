import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@Suite struct LoadTests {
    /// The events of a load wait in memory until the inserts end.
    @Test func finishWritesEventsIfInsertsWereNotEnded() throws {
        let store = try TestStore()
        try store.engine.load { session in
            try session.deferringIndexes {
                let writer = try RecordWriter(session, isLoad: true)
                for record in [.user("u"), .habit("h", of: "u"), .event("h", "2026-11-20")] as [Record] {
                    _ = try writer.write(record)
                }
                try writer.finish()
            }
        }
        #expect(try store.rows(columns: ["day"]) { try EventQuery(viewer: $1).selection(in: $0) } == [["2026-11-20"]])
    }
}
