import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests of recorded imports in the store: their versions, their changes in the log, and copies.
@Suite struct ImportUndoTests {
    /// Writes records as an import of ann, and records the import.
    private static func load(_ records: [Record], into engine: any Engine) throws {
        var recorder: ImportRecorder?
        var recorded = RecordedImport(user: "ann", format: "csv", file: "a.csv", at: Instant(microseconds: 0))
        try engine.load { writer in
            recorder = try ImportRecorder(writer)
            for record in records {
                switch (try writer.write(record), record) {
                case (.inserted, .habit): recorded.inserted[.habits, default: 0] += 1
                case (.inserted, .event): recorded.inserted[.events, default: 0] += 1
                case (.inserted, .post): recorded.inserted[.posts, default: 0] += 1
                case (.updated, _): recorded.updated += 1
                default: break
                }
            }
        } beforeCommit: { session in
            try session.flush()
            try recorder?.record(recorded)
        }
    }

    /// A store with a habit of ann and an import of two events of it, a habit with an event, and a post.
    private static func store() throws -> TestStore {
        let store = try TestStore()
        try store.write([
            .user("ann"),
            .user("bob"),
            .follow("bob", "ann"),
            .habit("old", of: "ann"),
        ])
        try load(
            [
                .habit("old", of: "ann"), .habit("new", of: "ann"), .event("old", "2026-06-01", id: "a"),
                .event("old", "2026-06-02", id: "b"), .event("new", "2026-06-01", id: "c"),
                .post(PostRecord(id: "view", user: "ann")),
            ], into: store.engine)
        return store
    }

    private static func ids(_ table: String, in engine: any Engine) throws -> [String] {
        try engine.read { session in
            var ids: [String] = []
            try session.query("SELECT external_id FROM \(raw: table) ORDER BY external_id") { row in
                ids.append(row.text(0) ?? "")
                return true
            }
            return ids
        }
    }

    private static func undo(in engine: any Engine) throws -> ImportUndo.Result {
        let id = try #require(try ids("import_run", in: engine).last)
        return try engine.write { session in try ImportUndo(.operator, in: session).undo(id) }
    }

    @Test func undoDeletesInsertedRecords() throws {
        let store = try Self.store()
        let result = try Self.undo(in: store.engine)
        #expect([result.habits, result.events, result.posts] == [1, 3, 1])
        #expect([result.kept, result.updated] == [0, 0])
        #expect(try Self.ids("habit", in: store.engine) == ["old"])
        #expect(try Self.ids("event", in: store.engine).isEmpty)
        #expect(try Self.ids("post", in: store.engine).isEmpty)
        #expect(try StoreDoctor(store.engine).examine().allSatisfy { result in result.status == .ok })
    }

    /// A pause that the user has added to an imported habit is not deleted with it.
    @Test func habitWithPauseIsKept() throws {
        let store = try Self.store()
        var pause = PauseRecord(id: "rest", user: "ann", from: try #require(Day("2026-07-01")))
        pause.habit = .value("new")
        try store.write([.pause(pause)])
        let result = try Self.undo(in: store.engine)
        #expect(result.habits == 0)
        #expect(result.kept == 1)
        #expect(try Self.ids("habit", in: store.engine) == ["new", "old"])
        #expect(try Self.ids("pause", in: store.engine) == ["rest"])
    }

    /// Another program changes a record without a version of its own.
    @Test func changeByOtherProgramIsKept() throws {
        let store = try Self.store()
        try store.engine.write { session in
            _ = try session.run("UPDATE event SET comment = 'x', comment_folded = 'x' WHERE external_id = 'b'")
        }
        let result = try Self.undo(in: store.engine)
        // A cluster has no triggers on events.
        #expect(result.events == (TestServer.isCluster ? 3 : 2))
        #expect(result.kept == (TestServer.isCluster ? 0 : 1))
    }

    @Test func recordsOfOneImportStayAfterUndoOfAnother() throws {
        let store = try Self.store()
        try Self.load([.event("old", "2026-06-09", id: "d")], into: store.engine)
        let ids = try store.engine.read { session in
            var ids: [String] = []
            try session.query("SELECT external_id FROM import_run ORDER BY id") { row in
                ids.append(row.text(0) ?? "")
                return true
            }
            return ids
        }
        try #require(ids.count == 2)
        let result = try store.engine.write { session in try ImportUndo(.operator, in: session).undo(ids[0]) }
        #expect(result.events == 3)
        #expect(try Self.ids("event", in: store.engine) == ["d"])
    }

    /// Each deletion has the row in the log that the deletion of one record has.
    @Test func deletionsAreLogged() throws {
        let store = try Self.store()
        let last = try store.engine.read { session in
            try session.first("SELECT max(number) FROM change") { row in row.integer(0) }
        }
        _ = try Self.undo(in: store.engine)
        let rows = try store.engine.read { session in
            var rows: [String] = []
            let sql: SQL = """
                SELECT kind, record_id, audience FROM change WHERE number > \(.integer(last ?? 0), as: "last")
                ORDER BY kind, record_id
                """
            try session.query(sql) { row in
                rows.append("\(row.text(0) ?? "") \(row.text(1) ?? "*") \(row.integer(2))")
                return true
            }
            return rows
        }
        #expect(rows == ["events a 1", "events b 2", "events c 2", "habits new 2", "posts view 2"])
    }

    @Test func importOfACopyCanBeUndone() throws {
        let store = try Self.store()
        try store.write([.event("old", "2026-06-02", id: "b", comment: "later")])
        let copy = try TestStore()
        _ = try StoreCopy(from: store.engine, to: copy.engine).run()
        let result = try Self.undo(in: copy.engine)
        #expect([result.habits, result.events, result.posts, result.kept] == [1, 2, 1, 1])
        #expect(try Self.ids("event", in: copy.engine) == ["b"])
        #expect(try Self.ids("event", in: store.engine) == ["a", "b", "c"])
    }

    @Test func importWithoutChangesIsNotRecorded() throws {
        let store = try Self.store()
        try Self.load([.event("old", "2026-06-01", id: "a")], into: store.engine)
        #expect(try Self.ids("import_run", in: store.engine).count == 1)
    }

    @Test func importsOfDeletedAccountAreDeleted() throws {
        let store = try Self.store()
        try store.engine.write { session in _ = try AccountActions(.operator, in: session).delete("ann") }
        #expect(try Self.ids("import_run", in: store.engine).isEmpty)
    }

    /// Returns the statements that undo an import of a number of events.
    private static func statements(ofEvents count: Int) throws -> [String] {
        let store = try TestStore()
        try store.write([.user("ann"), .habit("old", of: "ann")])
        let first = try #require(Day("2000-01-01"))
        let events = (0..<count).map { number in Record.event("old", first.advanced(by: number).description) }
        try load(events, into: store.engine)
        let id = try #require(try ids("import_run", in: store.engine).last)
        let recording = RecordingEngine(store.engine)
        let result = try recording.write { session in try ImportUndo(.operator, in: session).undo(id) }
        #expect(result.events == count)
        #expect(try ids("event", in: store.engine).isEmpty)
        return recording.statements
    }

    /// The undo of many records reads none of them into memory.
    @Test func statementsOfUndoDoNotDependOnNumberOfRecords() throws {
        let few = try Self.statements(ofEvents: 1)
        #expect(try Self.statements(ofEvents: 3000) == few)
    }
}
