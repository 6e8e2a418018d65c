import Base
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

@testable import StoreSpatiaLite

/// Tests of the number of statements that a connection compiles for repeated writes.
@Suite(.fileStoreOnly) struct StatementCountTests {
    private static let clock = Clock(now: Instant(microseconds: 1_795_000_000_000_000))

    private static func store() throws -> TestStore {
        let store = try TestStore()
        try store.write([
            .user(UserRecord(id: "me")),
            .habit(HabitRecord(id: "run", user: "me", title: "Run", schedule: .everyDay)),
            .event("run", "2026-11-02"),
        ])
        return store
    }

    /// Returns the number of statements that one call of `write` compiles in each of three transactions.
    private static func compilations(
        of write: (ActingUser, Int) throws -> Void,
        on engine: SpatiaLiteEngine
    ) throws -> [Int] {
        try (1...3).map { number in
            let before = engine.cache.compilations
            try engine.write { session in
                let viewer = try Viewer.user(named: "me", in: session)
                try write(ActingUser(viewer, clock: clock, in: session), number)
            }
            return engine.cache.compilations - before
        }
    }

    @Test func repeatedEditsOfCommentCompileNoStatement() throws {
        let store = try Self.store()
        let engine = try #require(store.engine as? SpatiaLiteEngine)
        let id = try #require(
            try store.rows { session, viewer in
                try EventQuery(viewer: viewer).selection(in: session)
            }.first?.first)
        let counts = try Self.compilations(
            of: { user, number in
                var draft = EventDraft()
                draft.details.comment = .value("Version \(number)")
                try EventActions(user).edit(id, draft)
            }, on: engine)
        #expect(counts[0] > 0)
        #expect(counts[0] <= 40)
        #expect(counts[1] == 0)
        #expect(counts[2] == 0)
        let comments = try store.rows(columns: ["comment"]) { session, viewer in
            try EventQuery(viewer: viewer).selection(in: session)
        }
        #expect(comments == [["Version 3"]])
    }

    /// The statements of the writers of other kinds are not compiled.
    @Test func newUserCompilesFewStatements() throws {
        let store = try Self.store()
        let engine = try #require(store.engine as? SpatiaLiteEngine)
        let before = engine.cache.compilations
        try store.write([.user(UserRecord(id: "new"))])
        #expect(engine.cache.compilations - before <= 12)
    }

    private static func count(in session: any Session) throws -> Int64? {
        try session.first("SELECT count(*) FROM account") { row in row.integer(0) }
    }

    /// A statement of an earlier transaction sees the schema of a later one.
    @Test func keptStatementReadsChangedSchema() throws {
        let store = try Self.store()
        try store.engine.write { session in
            #expect(try Self.count(in: session) == 1)
            try session.run("CREATE INDEX account_name ON account (name)")
        }
        try store.engine.write { session in
            #expect(try Self.count(in: session) == 1)
            try session.run("DROP INDEX account_name")
        }
        try store.write([.user(UserRecord(id: "new"))])
        let users = try store.engine.write { session in try Self.count(in: session) }
        #expect(users == 2)
    }

    /// Two statements with one text can be open at the same time.
    @Test func statementInUseIsNotGivenTwice() throws {
        let store = try Self.store()
        try store.write([.user(UserRecord(id: "a")), .user(UserRecord(id: "b"))])
        try store.engine.write { session in
            var pairs = 0
            let users: SQL = "SELECT external_id FROM account ORDER BY id"
            try session.query(users) { _ in
                try session.query(users) { _ in
                    pairs += 1
                    return true
                }
                return true
            }
            #expect(pairs == 9)
        }
    }

    /// A rolled back transaction leaves no statement that still holds its rows.
    @Test func failedWriteLeavesUsableStatements() throws {
        let store = try Self.store()
        struct Stop: Error {}
        let users: SQL = "SELECT external_id FROM account ORDER BY id"
        #expect(throws: Stop.self) {
            try store.engine.write { session in
                try session.query(users) { _ in throw Stop() }
            }
        }
        try store.write([.user(UserRecord(id: "new"))])
        let first = try store.engine.write { session in try session.first(users) { row in row.text(0) } }
        #expect(first == "me")
    }
}
