import Base
import Foundation
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of the table functions of reports for every viewer, with invalid calls, and with limits.
@Suite struct TableFunctionTests {
    // MARK: Visibility

    @Test(.userSQL) func functionsReturnOnlyVisibleRows() throws {
        let store = try TestStore()
        let place = try #require(Position(longitude: 10, latitude: 50))
        try store.write([
            .user("me"), .user("friend"), .user("latest"), .user("stranger"), .follow("me", "friend"),
            .follow("me", "latest", share: .latest), .habit("m", of: "me"), .habit("f", of: "friend"),
            .habit("l", of: "latest"), .habit("s", of: "stranger"),
            .event("m", "2026-11-19", at: place), .event("f", "2026-11-19", at: place),
            .event("f", "2026-11-18", at: place), .event("l", "2026-11-19", at: place),
            .event("l", "2026-11-18", at: place), .event("s", "2026-11-19", at: place),
        ])
        let near = "SELECT id FROM events_near(10, 50, 0) ORDER BY id"
        #expect(
            try ReportQuery.run(near, on: store, as: "me").map { $0[0] }
                == ["f@2026-11-18", "f@2026-11-19", "l@2026-11-19", "m@2026-11-19"])
        #expect(try ReportQuery.run(near, on: store).count == 6)
        let standings = try ReportQuery.run(
            "SELECT habit, days, status, completion_rate, streak_longest, score FROM habit_standings(NULL) ORDER BY habit",
            on: store, as: "me")
        #expect(standings.map { $0[0] } == ["f", "l", "m"])
        #expect(Array(standings[0][3...]) == ["∅", "∅", "∅"], "only the status of another user's habit")
        try #require(standings[0][2] == "On track")
        #expect(standings[2][4] == "1")
        #expect(
            try ReportQuery.run("SELECT * FROM user_standings('2026-11-20') ORDER BY user", on: store, as: "me") == [
                ["friend", "∅", "∅", "∅", "∅", "∅", "∅", "∅"],
                ["latest", "∅", "∅", "∅", "∅", "∅", "∅", "∅"],
                ["me", "1", "1", "1.0", "0", "0", "1", "m"],
            ], "only the id of another user")
        let days = try ReportQuery.run(
            "SELECT DISTINCT habit FROM habit_days('2026-11-01', '2026-11-20') ORDER BY habit", on: store, as: "me")
        #expect(days == [["m"]])
        #expect(
            try ReportQuery.run("SELECT * FROM habit_days('2026-11-01', NULL) WHERE habit = 's'", on: store, as: "me")
                == [])
        #expect(try ReportQuery.run("SELECT * FROM habit_standings(NULL) WHERE habit = 's'", on: store, as: "me") == [])
    }

    // MARK: Invalid calls

    @Test(arguments: [
        ("SELECT * FROM events_near(1, 2)", ErrorCode.reportInvalid), ("SELECT * FROM events_near", .reportInvalid),
        ("SELECT * FROM events_near(1, 2, 3, 4)", .reportInvalid),
        ("SELECT * FROM events_near('a', 2, 3)", .parameterInvalid),
        ("SELECT * FROM items_near(181, 0, 3)", .parameterInvalid),
        ("SELECT * FROM posts_near(0, 0, -1)", .parameterInvalid),
        ("SELECT * FROM events_near(NULL, NULL, NULL)", .parameterInvalid),
        ("SELECT * FROM habit_standings('yesterday')", .parameterInvalid),
        ("SELECT * FROM habit_days(20261120, NULL)", .parameterInvalid),
        ("SELECT * FROM user_standings('yesterday')", .parameterInvalid),
        ("SELECT * FROM user_standings", .reportInvalid),
        ("SELECT date('now')", .reportInvalid), ("SELECT strftime('%s', 'now')", .reportInvalid),
        ("SELECT unixepoch()", .reportInvalid), ("SELECT habitat_spatialite_version()", .reportInvalid),
        (
            "WITH RECURSIVE t(s) AS (SELECT 'abcdefgh' UNION ALL SELECT s || s FROM t) SELECT max(length(s)) FROM t",
            .reportInvalid
        ),
    ])
    func invalidCallIsRefused(sql: String, code: ErrorCode) throws {
        let store = try TestStore()
        try store.write([.user("u"), .habit("h", of: "u")])
        #expect { _ = try ReportQuery.run(sql, on: store) } throws: { ($0 as? HabitError)?.code == code }
    }

    @Test func endlessQueryStopsAtTimeout() throws {
        let store = try TestStore()
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        try store.engine.read { session in
            var query = AnalysisQuery(endless, viewer: .operator, clock: Clock(now: .now))
            query.limits.timeout = .milliseconds(50)
            #expect { try query.run(in: session) { _ in { _ in } } } throws: { ($0 as? HabitError)?.code == .timeout }
            // The session is still usable.
            query.text = "SELECT 1"
            query.limits.timeout = .seconds(600)
            var rows = 0
            try query.run(in: session) { _ in { _ in rows += 1 } }
            #expect(rows == 1)
        }
    }

    /// The time of the row handler does not count as time of the query.
    ///
    /// The handler takes longer than the limit, and the query ends within the limit also on a busy machine.
    @Test func timeOfReaderDoesNotCountForTimeout() throws {
        let store = try TestStore()
        try store.engine.read { session in
            var query = AnalysisQuery(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n",
                viewer: .operator, clock: Clock(now: .now))
            query.limits.timeout = .seconds(5)
            var rows = 0
            try query.run(in: session) { _ in
                { _ in
                    rows += 1
                    if rows % 2000 == 0 { usleep(600_000) }
                }
            }
            #expect(rows == 20000)
        }
    }

    @Test func resultReportsThatRowsWereCut() throws {
        let store = try TestStore()
        try store.write([.user("a"), .user("b")])
        try store.engine.read { session in
            var query = AnalysisQuery("SELECT id FROM users ORDER BY id", viewer: .operator, clock: Clock(now: .now))
            for (limit, isCut) in [(1, true), (2, false), (3, false)] {
                query.rowLimit = limit
                var rows = 0
                let wasCut = try query.run(in: session) { _ in { _ in rows += 1 } }
                #expect(wasCut == isCut)
                #expect(rows == min(limit, 2))
            }
        }
    }
}
