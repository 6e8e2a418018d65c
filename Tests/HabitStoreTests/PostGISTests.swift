import Base
import Foundation
import HabitModel
import HabitTestSupport
import Synchronization
import Testing

@testable import HabitStore
@testable import StoreEngine
@testable import StorePostGIS

/// Tests of behavior that only a PostgreSQL store has.
@Suite struct PostGISTests {
    // MARK: Without a server

    @Test(arguments: [
        ("postgresql://ann:secret@db/h?sslmode=require", "postgresql://ann@db/h"),
        ("postgres://db/h", "postgres://db/h"),
        ("postgresql://ann@db:5433/h", "postgresql://ann@db:5433/h"),
        ("postgresql://ann:p%40ss@db/h", "postgresql://ann@db/h"), ("habitat.db", "habitat.db"),
        ("postgresql://ann:pa?ss@db/h?a=b", "postgresql://ann@db/h"),
        ("postgresql://db:5432/h", "postgresql://db:5432/h"),
        ("postgresql://ann:p@ss:w@db/h", "postgresql://ann@db/h"), ("postgresql:///h?password=x@y", "postgresql:///h"),
        ("postgresql://ann@/h", "postgresql://ann@/h"),
        ("./postgresql:x", "./postgresql:x"),
    ])
    func descriptionOmitsPassword(location: String, description: String) {
        #expect(StoreLocation(location).description == description)
    }

    @Test func unreachableServerCausesErrorWithoutPassword() {
        #expect {
            _ = try StoreLocation("postgresql://127.0.0.1:1/h?user=ann&password=secret").open(.read, wait: .zero)
        } throws: { error in
            guard let error = error as? HabitError else { return false }
            return error.code == .storeUnavailable && error.message.contains("cannot be reached")
                && !error.message.contains("secret")
        }
    }

    @Test(arguments: [
        "postgresql://u:s3c ret@[::bad/x", "postgresql://u:s3%ZZcret@127.0.0.1/x",
        "postgresql://u:x@s3cret@127.0.0.1:1/x",
    ])
    func errorOfInvalidURLContainsNoPassword(url: String) {
        #expect {
            _ = try StoreLocation(url).open(.read, wait: .zero)
        } throws: { error in
            guard let error = error as? HabitError else { return false }
            return error.code == .storeUnavailable && !error.message.contains("s3")
        }
    }

    @Test func environmentReplacesConnectionTimeout() {
        let environments: [([String: String], String)] = [
            ([:], "10"), (["PGCONNECT_TIMEOUT": ""], "10"), (["PGCONNECT_TIMEOUT": "3"], "3"),
        ]
        for (environment, timeout) in environments {
            let settings = PostGISConnection.settings(environment: environment)
            #expect(settings["connect_timeout"] == timeout)
        }
    }

    /// The rows of all lists are sorted only by the list.
    @Test func selectThatSortsRowsRunsForEachList() {
        let lookup = "SELECT id FROM event WHERE habit_id = :habit"
        #expect(PostGISTranslation(lookup, functions: [:]).forLists?.hasSuffix("ORDER BY list.number") == true)
        #expect(PostGISTranslation(lookup + " ORDER BY day", functions: [:]).forLists == nil)
    }

    private static var twoColumnFunction: TableFunction {
        TableFunction(
            "two",
            columns: [.init("a", .text), .init("b", .integer)],
            parameters: ["x", "y"]
        ) { _, _ in
            throw HabitError(.internal, "not called")
        }
    }

    @Test(
        arguments: [
            (
                "SELECT :a, ':b', \":c\" -- :d\nFROM t WHERE x = :a AND y = :e",
                "SELECT $1, ':b', \":c\"\nFROM t WHERE x = $1 AND y = $2", ["a", "e"]
            ),
            ("SELECT user, t.user AS user FROM t /* user */", "SELECT \"user\", t.\"user\" AS \"user\" FROM t", []),
            ("SELECT 1 WHERE :a IS NULL OR x = :a", "SELECT 1 WHERE $1 OR x = $2", ["a"]),
            ("SELECT 1 WHERE :a IS NOT NULL", "SELECT 1 WHERE (NOT $1)", ["a"]),
            ("SELECT [odd] name FROM `t`", "SELECT \"odd\" name FROM \"t\"", []),
            (
                "SELECT b FROM two(:p, f(1, 2)) WHERE b > :q",
                "SELECT b FROM (SELECT rows.\"b\" FROM unnest($1) AS rows(\"b\")) AS two  WHERE b > $2", ["p", "q"]
            ),
            (
                "SELECT t.a FROM two(1, 2) AS t",
                "SELECT t.a FROM (SELECT rows.\"a\" COLLATE \"C\" AS \"a\" FROM unnest($1) AS rows(\"a\")) AS t", []
            ),
            ("SELECT two FROM t", "SELECT two FROM t", []),
        ] as [(String, String, [String])])
    func builtInSQLIsTranslatedForPostgreSQL(sql: String, expected: String, parameters: [String]) {
        let text = PostGISTranslation(sql, functions: ["two": Self.twoColumnFunction])
        #expect(text.sql == expected)
        #expect(text.parameters == parameters)
        let expectedArguments: [[String]]
        if sql.contains("two(:p") {
            expectedArguments = [[":p", "f(1, 2)"]]
        } else if sql.contains("two(") {
            expectedArguments = [["1", "2"]]
        } else {
            expectedArguments = []
        }
        #expect(text.calls.map(\.arguments) == expectedArguments)
    }

    // MARK: With a server

    /// Attempts to read data outside the views: tables by schema, the catalog, functions that read files or wait, and
    /// other statements.
    @Test(
        .serverStoreOnly,
        arguments: [
            "SELECT email FROM habitat.account", "SELECT email FROM account", "SELECT email FROM \"habitat\".account",
            "SELECT email FROM habitat . account", "TABLE account", "SELECT 1 FROM pg_class",
            "SELECT 1 FROM \"pg_class\"",
            "SELECT 1 FROM information_schema.tables", "SELECT * FROM pg_catalog.pg_authid", "SELECT pg_sleep(1)",
            "SELECT pg_read_file('/etc/passwd')", "SELECT \"pg_read_file\"('/etc/passwd')",
            "SELECT lo_import('/etc/passwd')",
            "SELECT query_to_xml('SELECT * FROM habitat.account', true, true, '')", "SELECT current_user",
            "SELECT now()",
            "SELECT set_config('search_path', 'habitat', false)", "SELECT current_setting('search_path')",
            "DELETE FROM habitat.event", "WITH d AS (DELETE FROM habitat.event RETURNING 1) SELECT * FROM d",
            "SELECT 1; SELECT 2", "SELECT 1 INTO other", "COPY (SELECT 1) TO '/tmp/x'", "SET search_path TO habitat",
            "SELECT E'\\' || email FROM account -- '", "SELECT $$ ' $$, email FROM account",
            "SELECT U&\"\\0061ccount\" FROM t",
            "SELECT 1 /* /* */ FROM account */", "SELECT nextval('habitat.event_id')", "SELECT * FROM habitat.token",
            "SELECT * FROM habit_days((SELECT max(email) FROM account), NULL)",
            "SELECT * FROM habit_days((SELECT max(email) FROM habitat.account), NULL)",
            "SELECT count(*) FROM events TABLESAMPLE SYSTEM (1)", "SELECT id FROM users FOR UPDATE",
            "SELECT * FROM habit_days(events.day, NULL), events", "SELECT 'account'::regclass",
            "SELECT count(*) FROM events, public.spatial_ref_sys", "SELECT * FROM postgis.spatial_ref_sys",
            "SELECT ('/etc/passwd'::text).pg_read_file", "SELECT (comment).length FROM events",
            "SELECT (SELECT '/etc/passwd'::text).\"pg_read_file\"", "SELECT (ARRAY['a'])[1].upper",
            "SELECT public.events.id FROM events", "SELECT a.events.id FROM events",
            "WITH account AS (SELECT 1) SELECT email FROM habitat.account", "SELECT version()", "SELECT random()",
        ])
    func forbiddenSQLIsRefused(sql: String) throws {
        let store = try TestStore()
        try store.write([.user("u"), .habit("h", of: "u"), .event("h", "2026-11-20")])
        let before = try store.engine.dataVersion()
        try store.engine.read { session in
            #expect {
                try AnalysisQuery(sql, viewer: .operator, clock: Clock(now: .now)).run(in: session) { _ in { _ in } }
            } throws: { ($0 as? HabitError)?.code == .reportInvalid }
            // The session continues.
            let count = try session.first("SELECT count(*) FROM event") { $0.integer(0) }
            #expect(count == 1)
        }
        #expect(try store.engine.dataVersion() == before)
    }

    /// Valid statements that resemble forbidden ones, and numbers of any size.
    @Test(
        .serverStoreOnly,
        arguments: [
            ("WITH a(x) AS (SELECT 1), b AS NOT MATERIALIZED (SELECT x FROM a) SELECT x FROM b", "1"),
            ("SELECT x FROM (VALUES (1)) AS v(x)", "1"), ("SELECT (SELECT count(*) FROM users) AS date", "1"),
            ("SELECT count(day) FROM habit_days('2026-01-01', '2026-01-02')where day IS NOT NULL", "0"),
            ("SELECT CAST(2 AS DOUBLE PRECISION) + 1::bigint", "3"),
            ("WITH events AS (SELECT 7 AS n) SELECT n FROM events", "7"), ("SELECT 1e20 AS a", "100000000000000000000"),
            ("SELECT sum(n) FROM (VALUES (9223372036854775807), (1)) AS v(n)", "9223372036854775808"),
        ])
    func allowedSQLReturnsValue(sql: String, expected: String) throws {
        let store = try TestStore()
        try store.write([.user("u")])
        var texts: [String] = []
        try store.engine.read { session in
            _ = try AnalysisQuery(sql, viewer: .operator, clock: Clock(now: .now)).run(in: session) { _ in
                { texts.append($0.text(0) ?? "") }
            }
        }
        #expect(texts == [expected])
    }

    /// Each transaction that changes rows counts once.
    @Test(.serverStoreOnly) func dataVersionCountsTransactions() throws {
        let store = try TestStore()
        let first = try store.engine.dataVersion()
        try store.write([
            .user("u"),
            .habit("h", of: "u"),
            .event("h", "2026-11-20"),
            .event("h", "2026-11-21"),
        ])
        let second = try store.engine.dataVersion()
        #expect(second == first + 1)
        try store.engine.write { _ = try $0.run("DELETE FROM event WHERE id < 0") }
        #expect(try store.engine.dataVersion() == second)
    }

    /// Citus reports a lost worker by an internal error, an I/O error or a savepoint that does not exist.
    @Test(.serverStoreOnly, arguments: ["XX000", "58030", "3B001"])
    func internalErrorOfClusterIsReportedAsLostServer(state: String) throws {
        let store = try TestStore()
        #expect {
            try store.engine.read { session in
                let connection = try #require(session as? PostGISSession).connection
                try connection.execute("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '\(state)'; END $$")
            }
        } throws: { error in
            (error as? HabitError)?.code == (TestServer.isCluster ? .storeUnavailable : .internal)
        }
        let users = try store.rows(columns: ["id"]) { session, viewer in
            try UserQuery(viewer: viewer).selection(in: session)
        }
        #expect(users.isEmpty)
    }

    /// If the server closes a connection, the next query opens a new one.
    @Test(.serverStoreOnly) func lostConnectionIsReplaced() throws {
        let store = try TestStore()
        guard case .database(let url) = store.location, let name = url.split(separator: "/").last else { return }
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'"
        try TestServer.execute(end, in: "postgres")
        #expect { try store.write([.user("u")]) } throws: { ($0 as? HabitError)?.code == .storeUnavailable }
        try store.write([.user("u")])
        let users = try store.rows(columns: ["id"]) { session, viewer in
            try UserQuery(viewer: viewer).selection(in: session)
        }
        #expect(users == [["u"]])
    }

    /// The functions of a query retain the session, so the session must not retain the owner of the functions.
    @Test(.serverStoreOnly, arguments: [LeakCase.habits, .todo, .following]) func sessionOfQueryWithFunctionsIsReleased(
        query: LeakCase
    ) throws {
        let store = try TestStore()
        try store.write([
            .user("ann"),
            .user("bob"),
            .habit("run", of: "bob"),
            .event("run", "2026-11-20"),
            .follow("ann", "bob"),
        ])
        weak var session: PostGISSession?
        weak var connection: PostGISConnection?
        for user in ["ann", "bob"] {
            _ = try store.rows(as: user) { found, viewer in
                session = found as? PostGISSession
                connection = session?.connection
                #expect(connection != nil)
                return try query.selection(viewer: viewer, in: found)
            }
            #expect(session == nil)
            #expect(connection == nil)
        }
    }

    /// A query that calls functions for the statistics of habits.
    enum LeakCase {
        case habits, todo, following

        func selection(viewer: Viewer, in session: any Session) throws -> Selection {
            let clock = Clock(now: Instant(microseconds: 1_795_000_000_000_000))
            switch self {
            case .habits: return try HabitQuery(viewer: viewer, clock: clock).selection(in: session)
            case .todo: return try TodoQuery(viewer: viewer, clock: clock).selection(in: session)
            case .following: return try FollowingQuery(viewer: viewer, clock: clock).selection(in: session)
            }
        }
    }

    /// A connection lost during a load undoes the load, and its replacement can be interrupted.
    @Test(.serverStoreOnly) func lostConnectionUndoesLoadAndNewOneCanBeInterrupted() throws {
        let store = try TestStore()
        guard case .database(let url) = store.location, let name = url.split(separator: "/").last else { return }
        let records = (0..<3000).map { Record.user("user-with-a-long-name-\($0)") }
        #expect {
            try store.engine.write { session in
                try session.writeRecords { writer in
                    try writer.withPrefetch(Array(records.prefix(300))) {
                        for record in records.prefix(300) { _ = try writer.write(record) }
                    }
                    try TestServer.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'",
                        in: "postgres")
                    // The first statement is refused, and the following ones cannot be sent.
                    _ = try? session.first("SELECT 1") { $0.integer(0) }
                    try writer.withPrefetch(records) {}
                }
            }
        } throws: {
            ($0 as? HabitError)?.code == .storeUnavailable
        }
        let users = try store.rows(columns: ["id"]) { session, viewer in
            try UserQuery(viewer: viewer).selection(in: session)
        }
        #expect(users.isEmpty)

        let engine = store.engine
        let isOver = Mutex(false)
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) {
                engine.interrupt()
                usleep(100_000)
            }
        }
        #expect {
            try engine.read { session in _ = try session.first("SELECT pg_sleep(600)") { $0.isNull(0) } }
        } throws: {
            ($0 as? HabitError)?.code == .timeout
        }
        isOver.withLock { $0 = true }
    }

    /// Pending rows are buffered when another statement runs between them.
    @Test(.serverStoreOnly) func statementsCanBeInterleaved() throws {
        let store = try TestStore()
        try store.write((0..<500).map { .user("u\($0)") })
        try store.engine.read { session in
            let one = try session.prepare("SELECT external_id FROM account WHERE id = :id")
            var count = 0
            try session.query("SELECT id, external_id FROM account ORDER BY id") { row in
                let id = row.text(1)
                try one.bind([.integer(row.integer(0))])
                #expect(try one.firstRow { $0.text(0) } == id)
                count += 1
                return true
            }
            #expect(count == 500)
            // A partly read result does not block later statements.
            try session.query("SELECT id FROM account") { _ in false }
            #expect(try session.first("SELECT 7") { $0.integer(0) } == 7)
        }
    }

    @Test(.singleServerOnly) func nearUsesSpatialIndex() throws {
        let store = try TestStore()
        let plan = try store.engine.read { session in
            _ = try session.run("SET LOCAL enable_seqscan TO off")
            var query = EventQuery(viewer: .operator)
            query.filter.near = Near(center: .origin)
            return try session.plan(query.selection(in: session).sql)
        }
        #expect(plan.contains { $0.contains("geometry_idx") && $0.contains("Index") }, "\(plan)")
        #expect(plan.contains { $0.contains("Append") }, "\(plan)")
    }

    /// The test removes everything that later versions have added to the first version.
    @Test(.singleServerOnly) func earlierStoreIsMigratedByWriter() throws {
        let store = try TestStore()
        guard case .database(let url) = store.location else { return }
        try store.write([.user("u"), .habit("h", of: "u")])
        let name = url.split(separator: "/").last.map(String.init) ?? ""
        try TestServer.execute(
            """
            \(EarlierSchema.removingSessions)
            \(EarlierSchema.removingVersions)
            DROP INDEX habitat.event_place, habitat.post_place, habitat.event_user_comment, habitat.event_user_long_comment;
            \(EarlierSchema.removingPrivatePositions)
            \(EarlierSchema.removingHabitFields)
            DROP FUNCTION habitat.count_events CASCADE;
            DROP FUNCTION habitat.add_to_event_map, habitat.fill_event_map, habitat.expected_event_map, habitat.map_cell,
              habitat.count_events_after;
            DROP TABLE habitat.event_map, habitat.change;
            ALTER TABLE habitat.store DROP COLUMN log_id;
            ALTER TABLE habitat.item DROP COLUMN shown CASCADE;
            ALTER TABLE habitat.event DROP CONSTRAINT event_habit_id_user_id_fkey, DROP COLUMN amount CASCADE;
            ALTER TABLE habitat.habit_schedule
              DROP COLUMN user_id CASCADE, DROP COLUMN period_days CASCADE, DROP COLUMN times CASCADE,
              ADD PRIMARY KEY (id), ADD UNIQUE (habit_id, from_day);
            DROP INDEX habitat.habit_external_id;
            DROP INDEX habitat.habit_user;
            ALTER TABLE habitat.habit
              DROP CONSTRAINT habit_pkey, DROP COLUMN unit CASCADE, DROP COLUMN target_amount CASCADE,
              DROP COLUMN times CASCADE, DROP COLUMN period_days CASCADE, ADD PRIMARY KEY (id), ADD UNIQUE (external_id);
            CREATE INDEX habit_user ON habitat.habit (user_id);
            ALTER TABLE habitat.event
              ADD CONSTRAINT event_habit_id_fkey FOREIGN KEY (habit_id) REFERENCES habitat.habit ON DELETE CASCADE;
            ALTER TABLE habitat.habit_schedule
              ADD CONSTRAINT habit_schedule_habit_id_fkey FOREIGN KEY (habit_id) REFERENCES habitat.habit ON DELETE CASCADE;
            ALTER TABLE habitat.store ADD COLUMN changed_by XID8, DROP COLUMN is_distributed;
            CREATE FUNCTION habitat_functions.note_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
            DROP INDEX habitat.account_time_zone;
            DROP TABLE habitat.used_id_token;
            ALTER TABLE habitat.identity DROP COLUMN email;
            ALTER TABLE habitat.token DROP COLUMN is_session, DROP COLUMN is_calendar;
            UPDATE habitat.store SET schema_version = 1
            """, in: name)
        #expect {
            _ = try store.location.open(.read, wait: .zero)
        } throws: { ($0 as? HabitError)?.remedies == [.take(.migrateStore)] }
        let engine = try store.location.open(.write, wait: .seconds(5))
        let before = try engine.dataVersion()
        try engine.write { session in
            _ = try session.writeRecords { try $0.write(.event("h", "2026-11-20")) }
        }
        #expect(try engine.dataVersion() == before + 1)
        _ = try store.location.open(.read, wait: .zero)
        try TestServer.execute("UPDATE habitat.store SET schema_version = 99", in: name)
        #expect {
            _ = try store.location.open(.read, wait: .zero)
        } throws: { ($0 as? HabitError)?.code == .storeNotHabitat }
    }

    /// A writer that failed because of another writer can write after that one has finished.
    @Test(.serverStoreOnly) func writerContinuesAfterBusyError() async throws {
        let store = try TestStore()
        let impatient = try store.location.open(.write, wait: .milliseconds(50))
        _ = try await TestServer.withWriteLock(storeAt: store.folder.file("habitat.db"), while: "SELECT 1") {
            #expect {
                try impatient.write { _ in }
            } throws: { ($0 as? HabitError)?.code == .busy }
        }
        try impatient.write { _ = try $0.run("UPDATE account SET name = NULL") }
        #expect(try impatient.read { try $0.first("SELECT count(*) FROM account") { $0.integer(0) } } == 0)
    }

    /// A server discards cached responses and tokens after a change of any table.
    @Test(.serverStoreOnly) func changeOfAnyTableIncrementsDataVersion() throws {
        let engine = try TestStore().engine
        let digest = "sha256('\\x00')"
        let rows = [
            "setting": "VALUES ('a', 'b')", "account": "(id, external_id) VALUES (1, 'u'), (2, 'v')",
            "follow": "(follower_id, followee_id, status, share) VALUES (1, 2, 'accepted', 'all')",
            "block": "(blocker_id, blocked_id) VALUES (1, 2)",
            "habit": "(id, external_id, user_id, title, title_folded, weekdays) VALUES (1, 'h', 1, 'h', 'h', 127)",
            "habit_schedule": "(user_id, habit_id, from_day, weekdays) VALUES (1, 1, '2026-11-20', 1)",
            "pause": "(external_id, user_id, from_day) VALUES ('z', 1, '2026-11-20')",
            "photo": "(sha256, media_type, bytes) VALUES (\(digest), 'image/png', '\\x00')",
            "event":
                "(external_id, user_id, habit_id, day, outcome, unplanned) VALUES ('e', 1, 1, '2026-11-20', 'done', 0)",
            "item": "(id, external_id, user_id, name, state) VALUES (1, 'i', 1, 'i', 'available')",
            "claim": "(item_id, user_id, state) VALUES (1, 2, 'released')",
            "message": "(external_id, item_id, sender_id, recipient_id, text) VALUES ('m', 1, 1, 2, 't')",
            "read_marker": "(item_id, user_id, read_at) VALUES (1, 2, 1)",
            "post": "(external_id, user_id) VALUES ('p', 1)",
            "identity": "(issuer, subject, user_id) VALUES ('i', 's', 1)",
            "token": "(external_id, sha256, created_at, expires_at) VALUES ('t', \(digest), 0, 0)",
            "used_once": "(sha256, expires_at) VALUES (\(digest), 0)",
            "import_run":
                "(external_id, user_id, imported_at, format, file, habits, events, posts, updated, version) "
                + "VALUES ('r', 1, 0, 'csv', 'a.csv', 0, 1, 0, 0, 1)",
            "passkey":
                "(external_id, user_id, credential, user_handle, public_key, algorithm, counter, created_at) "
                + "VALUES ('k', 1, '\\x00', '\\x00', '\\x00', 'ES256', 0, 0)",
        ]
        for table in StoredTable.all {
            let row = try #require(rows[table.name], "\(table.name)")
            let before = try engine.dataVersion()
            let insertion: SQL = "INSERT INTO \(raw: table.name) \(raw: row)"
            let inserted = try engine.write { session in try session.run(insertion) }
            // A trigger counts each record that another program inserts, too.
            let counted = table.hasVersions && !TestServer.isCluster ? 1 + inserted : 1
            #expect(try engine.dataVersion() == before + Int64(counted), "\(table.name)")
        }
    }

    @Test(.serverStoreOnly) func textWithNULIsRefused() throws {
        let store = try TestStore()
        #expect {
            try store.write([
                .user("u"),
                .habit("h", of: "u"),
                .event("h", "2026-11-20", comment: "a\0b"),
            ])
        } throws: { ($0 as? HabitError)?.code == .textInvalid }
    }
}
