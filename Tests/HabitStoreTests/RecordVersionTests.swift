import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests of the versions of records, and of the log of changes by other programs.
@Suite struct RecordVersionTests {
    /// A store with one record of each kind, and the versions of its records.
    private struct Fixture {
        let store: TestStore

        init() throws {
            store = try TestStore()
            let readAt = OffsetInstant(Instant(microseconds: 1), offset: .utc)
            let item = ItemRecord(id: "pot", user: "ann", name: "Pot")
            var message = MessageRecord(item: "pot", sender: "bob", recipient: "ann", text: "Hello")
            message.id = "hello"
            try store.write([
                .user("ann"), .user("bob"), .follow("bob", "ann"), .habit("run", of: "ann"),
                .event("run", "2026-11-01", id: "first"), .event("run", "2026-11-02", id: "second"), .item(item),
                .claim(ClaimRecord(item: "pot", user: "bob")), .message(message),
                .post(PostRecord(id: "view", user: "ann")), .user("cat"),
                .block(BlockRecord(blocker: "ann", blocked: "cat")),
                .read(ReadRecord(item: "pot", user: "ann", readAt: readAt)),
                .pause(PauseRecord(id: "rest", user: "ann", from: try #require(Day("2030-01-01")))),
            ])
        }

        /// Returns the version of each record, by table and key.
        func versions() throws -> [String: Int64] {
            try store.engine.read { session in
                var versions: [String: Int64] = [:]
                for kind in RecordKind.allCases where kind != .settings {
                    try session.query("SELECT id, version FROM \(raw: kind.table)") { row in
                        versions["\(kind.table) \(row.integer(0))"] = row.integer(1)
                        return true
                    }
                }
                return versions
            }
        }

        /// Returns the rows of the log after a number, as `kind user record audience`.
        func log(after number: Int64) throws -> [String] {
            try store.engine.read { session in
                var rows: [String] = []
                let sql: SQL = """
                    SELECT change.kind, account.external_id, change.record_id, change.audience
                    FROM change
                    LEFT JOIN account ON account.id = change.user_id
                    WHERE change.number > \(.integer(number), as: "number")
                    ORDER BY change.number
                    """
                try session.query(sql) { row in
                    let user = row.text(1) ?? "-"
                    let record = row.text(2) ?? "*"
                    rows.append("\(row.text(0) ?? "") \(user) \(record) \(row.integer(3))")
                    return true
                }
                return rows
            }
        }

        func last() throws -> Int64 {
            try store.engine.read { session in
                try LogState(of: .viewer(.operator), in: session).newest.number
            }
        }

        /// Runs a statement as a program that knows neither versions nor the log.
        func run(_ sql: SQL) throws {
            _ = try store.engine.write { session in try session.run(sql) }
        }
    }

    @Test func everyWrittenRecordHasVersion() throws {
        let versions = try Fixture().versions()
        #expect(versions.count == 14)
        for (record, version) in versions {
            #expect(version > 0, "\(record)")
        }
    }

    @Test func changedRecordHasOtherVersionAndOthersKeepTheirs() throws {
        let fixture = try Fixture()
        let before = try fixture.versions()
        try fixture.store.write([.event("run", "2026-11-01", id: "first", comment: "rain")])
        let after = try fixture.versions()
        let changed = before.keys.filter { record in before[record] != after[record] }
        #expect(changed == ["event 1"])
    }

    @Test func unchangedRecordKeepsItsVersion() throws {
        let fixture = try Fixture()
        let before = try fixture.versions()
        try fixture.store.write([
            .event("run", "2026-11-01", id: "first"),
            .user("ann"),
            .follow("bob", "ann"),
        ])
        #expect(try fixture.versions() == before)
    }

    /// A schedule is a part of its habit.
    @Test func newScheduleReplacesVersionOfHabit() throws {
        let fixture = try Fixture()
        let before = try fixture.versions()
        try fixture.store.write([
            .schedule(ScheduleRecord(habit: "run", from: try #require(Day("2026-12-01")), schedule: .everyDay))
        ])
        let after = try fixture.versions()
        let changed = before.keys.filter { record in before[record] != after[record] }
        #expect(changed == ["habit 1"])
    }

    /// The keys of the habit and of its owner differ.
    @Test func scheduleReplacesVersionOfItsHabitOnly() throws {
        let fixture = try Fixture()
        try fixture.store.write([
            .habit("read", of: "bob"),
            .habit("swim", of: "ann"),
            .habit("walk", of: "bob"),
        ])
        for (habit, key) in [("read", 2), ("swim", 3), ("walk", 4)] {
            let before = try fixture.versions()
            let from = try #require(Day("2026-12-01"))
            try fixture.store.write([.schedule(ScheduleRecord(habit: habit, from: from, schedule: .everyDay))])
            let after = try fixture.versions()
            let changed = before.keys.filter { record in before[record] != after[record] }
            #expect(changed == ["habit \(key)"])
        }
    }

    /// A change of a schedule can change the mark of an event.
    @Test func changedMarkReplacesVersionOfEvent() throws {
        let fixture = try Fixture()
        let before = try fixture.versions()
        // 2026-11-01 is a Sunday, and the habit is due on Mondays.
        try fixture.store.write([.habit("run", of: "ann", days: 1)])
        let after = try fixture.versions()
        let changed = before.keys.filter { record in before[record] != after[record] }
        #expect(changed.sorted() == ["event 1", "habit 1"])
    }

    // MARK: Other programs

    /// A statement of another program, and the rows of the log that it causes.
    struct OtherChange: Sendable, CustomTestStringConvertible {
        var sql: SQL
        var log: [String]
        var testDescription: String { log.joined(separator: ", ") }
    }

    static let otherChanges = [
        OtherChange(
            sql: "UPDATE account SET name = 'Ann' WHERE external_id = 'ann'",
            log: ["users ann ann 3", "users ann ann 3"]),
        OtherChange(
            sql: "UPDATE event SET comment = 'rain', comment_folded = 'rain' WHERE external_id = 'first'",
            log: ["events ann first 2", "events ann first 2"]),
        OtherChange(
            sql: "UPDATE habit SET title = 'Walk', title_folded = 'walk' WHERE external_id = 'run'",
            log: ["habits ann run 2", "habits ann run 2"]),
        OtherChange(
            sql: "UPDATE pause SET to_day = '2030-02-01' WHERE external_id = 'rest'",
            log: ["pauses ann rest 2", "pauses ann rest 2"]),
        OtherChange(
            sql: "UPDATE item SET description = 'blue' WHERE external_id = 'pot'",
            log: ["items ann pot 3", "items ann pot 3"]),
        OtherChange(
            sql: "UPDATE post SET caption = 'sea' WHERE external_id = 'view'",
            log: ["posts ann view 2", "posts ann view 2"]),
        OtherChange(
            sql: "UPDATE message SET text = 'Bye' WHERE external_id = 'hello'",
            log: ["messages bob hello 0", "messages ann hello 0", "messages bob hello 0", "messages ann hello 0"]),
        OtherChange(
            sql: "UPDATE claim SET state = 'released' WHERE state = 'claimed'",
            log: ["claims bob pot/bob 0", "claims ann pot/bob 0", "claims bob pot/bob 0", "claims ann pot/bob 0"]),
        OtherChange(
            sql: "UPDATE follow SET share = 'latest'",
            log: ["follows bob bob/ann 0", "follows ann bob/ann 0", "follows bob bob/ann 0", "follows ann bob/ann 0"]),
        OtherChange(
            sql: "UPDATE block SET blocked_at = 1",
            log: ["ann", "cat", "ann", "cat"].flatMap { user in
                ["users", "items", "claims", "messages", "reads"].map { kind in "\(kind) \(user) * 0" }
            }),
        OtherChange(
            sql: "UPDATE read_marker SET read_at = 2",
            log: ["reads ann pot/ann 0", "reads ann pot/ann 0"]),
    ]

    @Test(.disabled(if: TestServer.isCluster, "a cluster has no triggers"), arguments: otherChanges)
    func changeOfOtherProgramIsLoggedAndReplacesVersion(change: OtherChange) throws {
        let fixture = try Fixture()
        let before = try fixture.versions()
        let last = try fixture.last()
        try fixture.run(change.sql)
        #expect(try fixture.log(after: last).sorted() == change.log.sorted())
        let after = try fixture.versions()
        let changed = before.keys.filter { record in before[record] != after[record] }
        #expect(changed.count == 1)
    }

    @Test(.disabled(if: TestServer.isCluster, "a cluster has no triggers"))
    func insertOfOtherProgramIsLoggedAndGetsVersion() throws {
        let fixture = try Fixture()
        let last = try fixture.last()
        try fixture.run(
            """
            INSERT INTO event (external_id, user_id, habit_id, day, outcome, unplanned)
            SELECT 'third', user_id, id, '2026-11-03', 'done', 0 FROM habit
            """)
        #expect(try fixture.log(after: last) == ["events ann third 2"])
        let versions = try fixture.versions()
        #expect(versions.values.allSatisfy { version in version > 0 })
    }

    @Test(.disabled(if: TestServer.isCluster, "a cluster has no triggers"))
    func scheduleOfOtherProgramReplacesVersionOfHabit() throws {
        let fixture = try Fixture()
        let before = try fixture.versions()
        let last = try fixture.last()
        try fixture.run(
            """
            INSERT INTO habit_schedule (user_id, habit_id, from_day, weekdays)
            SELECT user_id, id, '2026-12-01', 1 FROM habit
            """)
        #expect(try fixture.log(after: last).contains("habits ann run 2"))
        let after = try fixture.versions()
        #expect(before["habit 1"] != after["habit 1"])
    }

    /// The deletion of a habit deletes its events.
    @Test(.disabled(if: TestServer.isCluster, "a cluster has no triggers"))
    func deletionsOfOtherProgramAreLogged() throws {
        let fixture = try Fixture()
        let last = try fixture.last()
        try fixture.run("DELETE FROM habit")
        let log = Set(try fixture.log(after: last))
        #expect(log == ["events ann first 2", "events ann second 2", "habits ann run 2"])
    }

    /// The program logs its deletions itself, so that no trigger logs them again.
    @Test func deletionOfProgramIsLoggedOnce() throws {
        let fixture = try Fixture()
        let last = try fixture.last()
        try fixture.store.engine.write { session in
            let viewer = try Viewer.user(named: "ann", in: session)
            let user = try ActingUser(viewer, clock: Clock(now: .now), in: session)
            _ = try HabitActions(user).delete("run")
        }
        let log = try fixture.log(after: last)
        #expect(log.sorted() == ["events ann first 1", "events ann second 2", "habits ann run 2"])
    }

    // MARK: Versions of a viewer

    @Test func viewerReadsVersionsOfOwnRecordsAndOfRelations() throws {
        let fixture = try Fixture()
        let expected: [RecordKind: [String: [String]]] = [
            .users: ["ann": ["ann"], "bob": ["bob"]],
            .habits: ["ann": ["run"], "bob": []],
            .pauses: ["ann": ["rest"], "bob": []],
            .events: ["ann": ["first", "second"], "bob": []],
            .items: ["ann": ["pot"], "bob": []],
            .posts: ["ann": ["view"], "bob": []],
            .follows: ["ann": ["bob/ann"], "bob": ["bob/ann"]],
            .claims: ["ann": ["pot/bob"], "bob": ["pot/bob"]],
            .messages: ["ann": ["hello"], "bob": ["hello"]],
            .reads: ["ann": ["pot/ann"], "bob": []],
        ]
        let ids = [
            "ann", "bob", "run", "first", "second", "pot", "view", "bob/ann", "pot/bob", "pot/ann", "hello",
            "rest", "none",
        ]
        let copied = Set(SyncedCollection.allCases.map(\.kind))
        #expect(Set(expected.keys) == copied)
        try fixture.store.engine.read { session in
            for (kind, users) in expected {
                for (user, own) in users {
                    let viewer = try Viewer.user(named: user, in: session)
                    let versions = try RecordVersions(kind, viewer: viewer, in: session).all(of: ids)
                    #expect(versions.keys.sorted() == own, "\(kind) \(user)")
                }
                let versions = try RecordVersions(kind, viewer: .operator, in: session).all(of: ids)
                #expect(versions.isEmpty)
            }
        }
    }

    /// A migrated store has records without a version, and a trigger for each change of another program.
    @Test(.disabled(if: TestServer.isCluster, "a cluster has no triggers"))
    func eachTableOfRecordsHasTriggers() throws {
        let fixture = try Fixture()
        let tables = RecordKind.allCases.filter { kind in kind != .settings }.map(\.table)
        for table in tables {
            try fixture.run("UPDATE \(raw: table) SET version = 0")
            try fixture.run("UPDATE \(raw: table) SET id = id")
        }
        let versions = try fixture.versions()
        #expect(versions.count == 14)
        #expect(versions.values.allSatisfy { version in version > 0 })
    }
}
