import Base
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests that the constraints of the schema hold during a bulk load, on every engine.
@Suite struct ConstraintTests {
    private static let columns = ["external_id", "user_id", "habit_id", "day", "outcome", "unplanned", "geometry"]

    /// Returns a store with one user and one habit, and their keys.
    private static func storeWithHabit() throws -> (store: TestStore, user: Int64, habit: Int64) {
        let store = try TestStore()
        try store.write([.user("u"), .habit("h", of: "u")])
        let keys = try store.engine.read { session in
            try session.first("SELECT user_id, id FROM habit") { row in
                (user: row.integer(0), habit: row.integer(1))
            }
        }
        let found = try #require(keys)
        return (store, found.user, found.habit)
    }

    private static func eventCount(_ store: TestStore) throws -> Int64? {
        try store.engine.read { try $0.first("SELECT count(*) FROM event") { $0.integer(0) } }
    }

    /// Loads 50 events, of which one has another habit or outcome.
    private static func load(_ store: TestStore, user: Int64, habit: Int64, wrongHabit: Bool, outcome: String) throws {
        try store.engine.bulkWrite { session in
            try session.deferringIndexes {
                let batch = try session.batch(into: "event", columns: columns, keyed: false)
                for number in 1...50 {
                    let day = Day("2026-01-01")?.advanced(by: number)
                    let isWrong = number == 40
                    try batch.add([
                        .text("e\(number)"), .integer(user), .integer(isWrong && wrongHabit ? habit + 999 : habit),
                        .text(day.map { "\($0)" }), .text(isWrong ? outcome : "done"), .integer(0), .point(.origin),
                    ])
                }
                _ = try batch.write()
            }
        }
    }

    @Test func batchWithValidRowsIsStored() throws {
        let stored = try Self.storeWithHabit()
        let store = stored.store
        let user = stored.user
        let habit = stored.habit
        try Self.load(store, user: user, habit: habit, wrongHabit: false, outcome: "done")
        #expect(try Self.eventCount(store) == 50)
    }

    @Test func batchWithMissingHabitIsRefusedCompletely() throws {
        let stored = try Self.storeWithHabit()
        let store = stored.store
        let user = stored.user
        let habit = stored.habit
        #expect(throws: (any Error).self) {
            try Self.load(store, user: user, habit: habit, wrongHabit: true, outcome: "done")
        }
        #expect(try Self.eventCount(store) == 0)
    }

    @Test func batchWithUnknownOutcomeIsRefusedCompletely() throws {
        let stored = try Self.storeWithHabit()
        let store = stored.store
        let user = stored.user
        let habit = stored.habit
        #expect(throws: (any Error).self) {
            try Self.load(store, user: user, habit: habit, wrongHabit: false, outcome: "x")
        }
        #expect(try Self.eventCount(store) == 0)
    }

    @Test func referencesAreValidAfterLoad() throws {
        let store = try TestStore()
        try store.engine.load { writer in
            for record in [Record.user("u"), .habit("h", of: "u"), .event("h", "2026-11-20", at: .origin)] {
                _ = try writer.write(record)
            }
        }
        #expect(try Self.eventCount(store) == 1)
        // PostgreSQL has no such pragma. There a constraint that a load has switched off is not validated.
        let sql = TestServer.isUsed ? "SELECT 1 FROM pg_constraint WHERE NOT convalidated" : "PRAGMA foreign_key_check"
        let isWrong = try store.engine.read { try $0.first(SQL(sql)) { _ in true } }
        #expect(isWrong == nil)
    }
}
