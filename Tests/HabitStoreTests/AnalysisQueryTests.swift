import Base
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests that user-supplied SQL reads only the views.
@Suite struct AnalysisQueryTests {
    private static func store() throws -> TestStore {
        let store = try TestStore()
        try store.write([
            .user("a"),
            .user("b"),
            .habit("a-run", of: "a", days: 127),
            .habit("b-run", of: "b"),
            .event("a-run", "2026-11-19", comment: "secret"),
            .event("b-run", "2026-11-20"),
        ])
        return store
    }

    private static func run(_ sql: String, as user: String? = nil, _ values: [String: Value] = [:]) throws -> [[String]]
    {
        var rows: [[String]] = []
        let clock = Clock(now: try #require(OffsetInstant("2026-11-20T12:00:00Z")).instant)
        try store().analyze(as: user, clock: clock) { session, viewer in
            let query = AnalysisQuery(sql, viewer: viewer, clock: clock, parameters: values)
            try query.run(in: session) { shape in
                { row in rows.append(shape.columns.indices.map { row.text($0) ?? "∅" }) }
            }
        }
        return rows
    }

    /// The server evaluates the arguments before the query.
    @Test(.serverStoreOnly) func columnAsArgumentOfTableFunctionIsRefusedWithReason() {
        #expect {
            try Self.run("SELECT n.id FROM events AS e, events_near(e.longitude, e.latitude, 5) AS n ORDER BY n.id")
        } throws: {
            let error = $0 as? HabitError
            return error?.code == .reportInvalid
                && error?.message.contains("must be values or parameters, not columns of other tables") == true
        }
    }

    @Test(arguments: [
        ("SELECT count(*) FROM events", [["2"]]), ("SELECT count(*) FROM users", [["2"]]),
        ("SELECT id FROM events WHERE day = :day", [["b-run@2026-11-20"]]),
        (
            "WITH n AS (SELECT user, count(*) AS c FROM events GROUP BY user) SELECT user, c FROM n ORDER BY user",
            [["a", "1"], ["b", "1"]]
        ),
        ("SELECT upper(title) FROM habits ORDER BY id LIMIT 1", [["A-RUN"]]),
        ("SELECT streak_current, status FROM habits WHERE id = 'a-run'", [["1", "On track"]]),
        ("SELECT 1 AS event", [["1"]]),
        ("WITH c AS (SELECT user FROM events GROUP BY user) SELECT count(*) FROM c", [["2"]]),
        ("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 5) SELECT count(*) FROM c", [["5"]]),
        ("WITH d AS (SELECT 1) SELECT count(*) FROM d, users", [["2"]]),
        ("SELECT rfc3339(9223372036854775807, 60), rfc3339(-9223372036854775808, -60)", [["∅", "∅"]]),
    ])
    func queryReturnsRowsOfViews(sql: String, expected: [[String]]) throws {
        let values: [String: Value] = sql.contains(":day") ? ["day": .text("2026-11-20")] : [:]
        #expect(try Self.run(sql, values) == expected)
    }

    /// Only functions of SQLite without side effects are allowed.
    @Test(.fileStoreOnly) func jsonFunctionsAreAllowed() throws {
        #expect(try Self.run("SELECT value FROM json_each('[1,2]') ORDER BY value") == [["1"], ["2"]])
    }

    private static func run(_ sql: String, _ values: [String: Value]) throws -> [[String]] {
        try run(sql, as: nil, values)
    }

    /// A view contains only the columns that the SQL names, in any form.
    @Test(
        .fileStoreOnly,
        arguments: [
            ("SELECT \"day\" FROM events WHERE \"habit\" = 'a-run'", [["2026-11-19"]]),
            ("SELECT `day` FROM [events] WHERE [habit] = 'a-run'", [["2026-11-19"]]),
            ("SELECT events.'day' FROM 'events' WHERE events.\"HABIT\" = 'a-run'", [["2026-11-19"]]),
            ("SELECT DAY FROM Events WHERE hAbIt = 'a-run'", [["2026-11-19"]]),
            ("SELECT title FROM (SELECT * FROM events) WHERE user = 'b'", [["b-run"]]),
            ("SELECT e.title FROM events AS e NATURAL JOIN habits AS h", []),
            ("SELECT count(*) FROM events NATURAL JOIN claims", [["0"]]),
            ("SELECT count(*), sum(events.amount IS NULL) * 1 FROM events", [["2", "2"]]),
            ("SELECT count(*) FROM events JOIN habits USING (title, user)", [["2"]]),
            ("SELECT following FROM users WHERE id = 'b'", [["none"]]),
        ])
    func columnIsFoundInAnyNotation(sql: String, expected: [[String]]) throws {
        #expect(try Self.run(sql, as: nil, [:]) == expected)
    }

    /// A statement reads only the tables of the columns that it names.
    @Test(
        .fileStoreOnly,
        arguments: [
            ("SELECT count(*) FROM events", ["account", "habit "]), ("SELECT day FROM events", ["account", "habit "]),
            ("SELECT user, count(*) FROM events GROUP BY user", ["habit "]),
            ("SELECT title, count(*) FROM events GROUP BY title", ["account"]),
            ("SELECT count(*) FROM items", ["account", "claim"]), ("SELECT status FROM follows", ["account"]),
        ])
    func unnamedColumnsCostNoJoin(sql: String, unread: [String]) throws {
        let clock = Clock(now: Instant(microseconds: 0))
        try Self.store().analyze(as: nil, clock: clock) { session, viewer in
            let plan = try AnalysisQuery(sql, viewer: viewer, clock: clock).plan(in: session).joined(separator: "\n")
            for table in unread { #expect(!"\(plan) ".contains(" \(table)"), "\(plan)") }
        }
    }

    @Test(.userSQL) func actorReadsOnlyVisibleRecords() throws {
        #expect(try Self.run("SELECT count(*), max(comment) FROM events", as: "b") == [["1", "∅"]])
        #expect(try Self.run("SELECT id FROM habits", as: "b") == [["b-run"]])
    }

    @Test(arguments: [
        "SELECT * FROM event", "SELECT count(*) FROM event", "SELECT 1 FROM main.event",
        "SELECT comment FROM main.events",
        "SELECT count(*) FROM main.events", "SELECT 1 FROM main.items", "SELECT * FROM \"main\".posts",
        "SELECT count(*) FROM event, events",
        "SELECT name FROM sqlite_schema", "SELECT count(*) FROM sqlite_master",
        "SELECT * FROM pragma_table_info('event')",
        "SELECT count(*) FROM pragma_table_info('event')", "SELECT count(*) FROM dbstat", "SELECT * FROM \"event\"",
        "SELECT (SELECT comment FROM event LIMIT 1)", "SELECT * FROM idx_event_geometry", "SELECT * FROM event_comment",
        "SELECT id FROM users WHERE EXISTS (SELECT 1 FROM account)", "DELETE FROM events",
        "INSERT INTO account (id) VALUES (9)",
        "UPDATE event SET comment = 'x'", "DROP TABLE event", "ATTACH 'x.db' AS x", "PRAGMA user_version = 5",
        "PRAGMA table_info(event)", "VACUUM INTO 'x.db'", "SELECT load_extension('x')",
        "SELECT BlobFromFile('/etc/passwd')",
        "SELECT readfile('/etc/passwd')", "CREATE TEMP TABLE t (a)", "SELECT 1; SELECT 2", "SELECT", "",
        "SELECT nothing FROM events", "BEGIN", "COMMIT", "EXPLAIN SELECT 1 FROM event", "VALUES (load_extension('x'))",
        "WITH events AS (SELECT * FROM sqlite_master) SELECT name FROM events",
        "WITH events AS (SELECT sql FROM sqlite_temp_master) SELECT sql FROM events",
        "WITH events AS (SELECT * FROM dbstat) SELECT count(*) FROM events",
        "WITH events AS (SELECT spatialite_version() AS v) SELECT v FROM events",
        "SELECT abs(-9223372036854775808)", "SELECT json('{')",
        "SELECT * FROM temp.habit_standing", "SELECT fts5(1)", "SELECT InitSpatialMetaData(1)", "SELECT randomblob(9)",
    ])
    func forbiddenSQLIsRefused(sql: String) throws {
        #expect { _ = try Self.run(sql) } throws: { error in
            (error as? HabitError)?.code == .reportInvalid
        }
    }

    @Test(arguments: [
        ("SELECT tittle FROM habits", "title"), ("SELECT h.Titel FROM habits AS h", "title"),
        ("SELECT standing.colour FROM habit_standings(NULL) AS standing", "color"),
    ])
    func unknownColumnIsReportedWithNearestColumn(sql: String, column: String) throws {
        #expect { _ = try Self.run(sql) } throws: { error in
            (error as? HabitError)?.message.hasSuffix(": did you mean '\(column)'?") == true
        }
    }

    @Test func suggestedColumnBelongsToNamedView() throws {
        #expect { _ = try Self.run("SELECT tittle FROM users") } throws: { error in
            (error as? HabitError)?.message.contains("did you mean") == false
        }
    }

    @Test func missingParameterIsReported() throws {
        #expect { _ = try Self.run("SELECT :x") } throws: { ($0 as? HabitError)?.code == .parameterMissing }
    }
}
