import Base
import Foundation
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of the table functions of reports against brute force, for every viewer, and with invalid calls.
@Suite struct TableFunctionTests {
    private static let now = OffsetInstant("2026-11-20T12:00:00Z")

    private static func run(
        _ sql: String, on store: TestStore, as user: String? = nil, today: Day? = nil, isOver: Bool = false,
        _ values: [String: Value] = [:]
    ) throws -> [[String]] {
        var rows: [[String]] = []
        var clock = Clock(now: try #require(now).instant, today: today)
        clock.countsTodayAsOver = { _ in isOver }
        try store.analyze(as: user, clock: clock) { session, viewer in
            let query = AnalysisQuery(sql, viewer: viewer, clock: clock, parameters: values)
            try query.run(in: session) { shape in
                { row in
                    rows.append(
                        shape.columns.indices.map {
                            row.storage($0) == .number ? "\(row.number($0))" : row.text($0) ?? "∅"
                        })
                }
            }
        }
        return rows
    }

    // MARK: Statistics and days

    /// Creates a store of habits with random events, changed schedules, starts, ends, skipped days and unplanned
    /// events.
    private static func randomStore(
        seed: UInt64
    ) throws -> (store: TestStore, habits: [String: (ScheduleHistory, [Day: Outcome])]) {
        var random = SeededGenerator(seed: seed)
        let store = try TestStore()
        var records: [Record] = [.user("u")]
        var habits: [String: (ScheduleHistory, [Day: Outcome])] = [:]
        let last = try #require(Day("2026-11-20"))
        for number in 0..<12 {
            let id = "h\(number)"
            let schedule = try Self.randomSchedule(&random)
            let start = Bool.random(using: &random) ? last.advanced(by: -Int.random(in: 0...900, using: &random)) : nil
            let end =
                Int.random(in: 0...3, using: &random) == 0
                ? last.advanced(by: -Int.random(in: 0...200, using: &random)) : nil
            guard start.map({ first in end.map { first <= $0 } ?? true }) ?? true else { continue }
            var habit = HabitRecord(id: id, user: "u", title: id, schedule: schedule)
            habit.start = start.map { .value($0) } ?? .absent
            habit.end = end.map { .value($0) } ?? .absent
            records.append(.habit(habit))
            var changes: [(from: Day, schedule: Schedule)] = []
            if Bool.random(using: &random) {
                let from = last.advanced(by: -Int.random(in: 0...60, using: &random))
                let changed = try Self.randomSchedule(&random)
                changes.append((from, changed))
                records.append(.schedule(ScheduleRecord(habit: id, from: from, schedule: changed)))
            }
            var outcomes: [Day: Outcome] = [:]
            let density = Int.random(in: 1...9, using: &random)
            for back in 0..<Int.random(in: 1...1000, using: &random)
            where Int.random(in: 0..<10, using: &random) < density {
                let day = last.advanced(by: -back)
                let outcome: Outcome = Int.random(in: 0..<8, using: &random) == 0 ? .skipped : .done
                outcomes[day] = outcome
                var event = EventRecord(habit: id)
                event.day = day
                event.outcome = .value(outcome)
                records.append(.event(event))
            }
            habits[id] = (ScheduleHistory(start: start, end: end, schedule: schedule, changes: changes), outcomes)
        }
        try store.write(records)
        return (store, habits)
    }

    private static func randomSchedule(_ random: inout SeededGenerator) throws -> Schedule {
        guard Bool.random(using: &random) else {
            return .weekdays(try #require(Weekdays(mask: Int.random(in: 1...127, using: &random))))
        }
        let period = Int.random(in: 1...12, using: &random)
        return .target(try Target(times: Int.random(in: 1...period, using: &random), periodDays: period))
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func habitStatisticsMatchFullHistory(seed: UInt64) throws {
        let (store, habits) = try Self.randomStore(seed: seed)
        for text in ["2026-11-20", "2026-11-16", "2026-09-06"] {
            let day = try #require(Day(text))
            let isOver = text != "2026-11-20"
            let rows = try Self.run(
                """
                SELECT habit, due, done, completion_rate, streak_current, streak_longest, score
                FROM habit_standings(:day) ORDER BY habit
                """, on: store, ["day": .text(text)])
            #expect(rows.map { $0[0] } == habits.keys.sorted(), "\(day), seed \(seed)")
            for row in rows {
                let (history, outcomes) = try #require(habits[row[0]])
                let naive = NaiveStatistics(history, outcomes, on: day)
                let (due, done) = naive.completion(in: HabitStatistics.currentWeeks(of: day), isOver: isOver)
                let streaks = naive.streaks(upTo: day, isOver: isOver)
                let expected = [
                    "\(due)", "\(done)", due == 0 ? "∅" : "\(Double(done) / Double(due))", "\(streaks.current)",
                    "\(streaks.longest)",
                ]
                #expect(Array(row[1...5]) == expected, "habit \(row[0]), \(day), seed \(seed)")
                let score = try #require(Double(row[6]))
                #expect(abs(score - naive.score(on: day)) < 1e-12, "habit \(row[0]), \(day), seed \(seed)")
            }
        }
    }

    /// `habit_completions` returns the sums of `habit_days`.
    @Test(arguments: [(21, false), (22, true)] as [(UInt64, Bool)])
    func completionsMatchHabitDays(seed: UInt64, isOver: Bool) throws {
        let (store, _) = try Self.randomStore(seed: seed)
        try store.write([
            .user("v"), .habit("v-new", of: "v", title: "h0"), .user("w"), .follow("w", "u"), .follow("w", "v"),
        ])
        let ranges: [(from: Value, to: Value)] = [
            (.text("2025-12-29"), .text("2026-11-20")), (.text("2024-02-10"), .null), (.null, .null),
            (.text("0001-01-01"), .text("2026-03-01")), (.text("2026-11-25"), .text("2026-11-20")),
        ]
        let filters: [(user: Value, habit: Value)] = [
            (.null, .null), (.text("u"), .null), (.null, .text("h3")), (.text("v"), .text("h3")), (.text("x"), .null),
        ]
        let names = [
            "day": "days.day", "week": "week_start(days.day)", "month": "month(days.day)", "habit": "habits.id",
            "user": "habits.user",
        ]
        var count = 0
        for (grouping, name) in names {
            let expectedSQL = """
                SELECT \(name) AS name, \(grouping == "habit" ? "habits.title" : "NULL") AS title, sum(days.due) AS due,
                  sum(days.done) AS done
                FROM habits
                JOIN habit_days(:from, :to) AS days ON days.habit = habits.id
                WHERE days.due = 1 AND (:user IS NULL OR habits.user = :user) AND (:habit IS NULL OR habits.id = :habit)
                GROUP BY 1, 2
                ORDER BY 1
                """
            let sql = "SELECT * FROM habit_completions('\(grouping)', :from, :to, :user, :habit) AS f ORDER BY name"
            for (from, to) in ranges {
                for (user, habit) in filters {
                    for viewer in [nil, "u", "w"] as [String?] {
                        let values = ["from": from, "to": to, "user": user, "habit": habit]
                        let expected = try Self.run(expectedSQL, on: store, as: viewer, isOver: isOver, values)
                        let rows = try Self.run(sql, on: store, as: viewer, isOver: isOver, values)
                        #expect(rows == expected, "by \(grouping), \(values), as \(viewer ?? "operator"), seed \(seed)")
                        count += rows.count
                    }
                }
            }
        }
        #expect(count > 1000)
    }

    /// The habits have 150 million days.
    ///
    /// The engine does not check the time limit while the function adds them.
    @Test func completionsEndAfterTimeLimit() throws {
        let store = try TestStore()
        let daily = Schedule.weekdays(try #require(Weekdays(mask: 127)))
        let habits: [Record] = (0..<200).map {
            var habit = HabitRecord(id: "h\($0)", user: "u", title: "h\($0)", schedule: daily)
            habit.start = .value(.first)
            return .habit(habit)
        }
        try store.write([.user("u")] + habits)
        let clock = Clock(now: try #require(Self.now).instant)
        try store.analyze(clock: clock) { session, viewer in
            var query = AnalysisQuery(
                "SELECT * FROM habit_completions('day', '0001-01-01', NULL, NULL, NULL) AS f", viewer: viewer,
                clock: clock)
            query.limits = QueryLimits(timeout: .milliseconds(300))
            #expect {
                try query.run(in: session) { _ in { _ in } }
            } throws: {
                ($0 as? HabitError)?.code == .timeout
            }
        }
    }

    @Test func unknownGroupingOfCompletionsHasNoRows() throws {
        let (store, _) = try Self.randomStore(seed: 21)
        for grouping in ["'year'", "NULL", "1"] {
            let sql = "SELECT * FROM habit_completions(\(grouping), '2026-01-01', NULL, NULL, NULL) AS f"
            #expect(try Self.run(sql, on: store) == [])
        }
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func habitDaysMatchStatisticsOfEachDay(seed: UInt64) throws {
        let (store, habits) = try Self.randomStore(seed: seed)
        let today = try #require(Day("2026-11-20"))
        let from = today.advanced(by: -40)
        let rows = try Self.run(
            """
            SELECT habit, day, due, done, outcome, streak, score FROM habit_days(:from, '2027-01-01') ORDER BY habit, day
            """, on: store, ["from": .text(from.description)])
        var expected: [[String]] = []
        for (id, (history, outcomes)) in habits.sorted(by: { $0.key < $1.key }) {
            let start = [history.start, outcomes.keys.min()].compactMap(\.self).min() ?? today
            for day in from...today where day >= start {
                let exists = (history.start.map { day >= $0 } ?? true) && (history.end.map { day <= $0 } ?? true)
                guard exists || outcomes[day] != nil else { continue }
                let naive = NaiveStatistics(history, outcomes, on: today)
                let isDue = naive.isDue(day)
                let isDone = isDue && naive.isAccomplished(day)
                let streak = naive.streaks(upTo: day, isOver: day < today).current
                expected.append([
                    id, day.description, isDue && (isDone || day < today) ? "1" : "0", isDone ? "1" : "0",
                    naive.outcome(on: day), "\(streak)",
                ])
            }
        }
        #expect(rows.map { Array($0[0...5]) } == expected)
        for row in rows {
            let (history, outcomes) = try #require(habits[row[0]])
            let score = NaiveStatistics(history, outcomes, on: today).score(on: try #require(Day(row[1])))
            #expect(abs((Double(row[6]) ?? -1) - score) < 1e-12, "\(row)")
        }
    }

    /// The statistics of users follow from those of their habits.
    @Test(arguments: [21, 22, 23] as [UInt64]) func userStatisticsMatchStatisticsOfTheirHabits(seed: UInt64) throws {
        let (store, _) = try Self.randomStore(seed: seed)
        try store.write([
            .user("none"), .user("second"), .habit("b", of: "second"), .habit("a", of: "second"),
            .habit("never", of: "second"), .event("a", "2026-11-19"), .event("b", "2026-11-19"),
            .event("a", "2026-11-17"),
        ])
        for day in ["2026-11-20", "2026-11-17", "2026-10-04", "2026-11-22"] {
            let rows = try Self.run("SELECT * FROM user_standings(:day) ORDER BY user", on: store, ["day": .text(day)])
            let expected = try Self.run(
                """
                SELECT habits.user, sum(standing.due), sum(standing.done),
                  CAST(sum(standing.done) AS DOUBLE PRECISION) / nullif(sum(standing.due), 0),
                  coalesce(sum(days.due), 0), coalesce(sum(days.done), 0), max(standing.streak_current),
                  CASE WHEN max(standing.streak_current) > 0 THEN min(CASE WHEN standing.streak_current = (
                    SELECT max(other.streak_current) FROM habits AS mine
                    JOIN habit_standings(:day) AS other ON other.habit = mine.id
                    WHERE mine.user = habits.user
                  ) THEN habits.title END) END
                FROM habits
                JOIN habit_standings(:day) AS standing ON standing.habit = habits.id
                LEFT JOIN habit_days(:day, :day) AS days ON days.habit = habits.id
                GROUP BY habits.user
                ORDER BY habits.user
                """, on: store, ["day": .text(day)])
            #expect(rows == expected, "\(day), seed \(seed)")
            #expect(rows.map { $0[0] } == ["second", "u"], "a user without habits has no row")
            if day == "2026-11-20" { #expect(rows[0] == ["second", "4", "3", "0.75", "0", "0", "1", "a"]) }
        }
    }

    /// The rows are the same for every join order.
    @Test func habitFilterDoesNotChangeRows() throws {
        let (store, habits) = try Self.randomStore(seed: 7)
        let all = try Self.run(
            "SELECT habit, status, score FROM habit_standings('2026-10-01') ORDER BY habit", on: store)
        let joined = try Self.run(
            """
            SELECT h.id, s.status, s.score FROM habits h JOIN habit_standings('2026-10-01') s ON s.habit = h.id
            WHERE h.user = 'u' ORDER BY h.id
            """, on: store)
        #expect(all == joined)
        #expect(all.count == habits.count)
        let one = try Self.run(
            "SELECT habit, status, score FROM habit_standings('2026-10-01') WHERE habit = 'h3'", on: store)
        #expect(one == all.filter { $0[0] == "h3" })
        #expect(one.count == 1)
        #expect(
            try Self.run("SELECT day FROM habit_days('2026-11-01', '2026-11-02') WHERE habit = 'none'", on: store) == []
        )
    }

    @Test func pastDayCountsAsEnded() throws {
        let store = try TestStore()
        try store.write([.user("u"), .habit("h", of: "u"), .event("h", "2026-11-18"), .event("h", "2026-11-19")])
        let day = try #require(Day("2026-11-20"))
        let sql = "SELECT streak_current, due FROM habit_standings(NULL)"
        #expect(try Self.run(sql, on: store, today: day) == [["2", "2"]])
        #expect(try Self.run(sql, on: store, today: day, isOver: true) == [["0", "3"]])
        let days = "SELECT outcome FROM habit_days('2026-11-20', '2026-11-20')"
        #expect(try Self.run(days, on: store, today: day) == [["open"]])
        #expect(try Self.run(days, on: store, today: day, isOver: true) == [["missed"]])
    }

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
            try Self.run(near, on: store, as: "me").map { $0[0] }
                == ["f@2026-11-18", "f@2026-11-19", "l@2026-11-19", "m@2026-11-19"])
        #expect(try Self.run(near, on: store).count == 6)
        let standings = try Self.run(
            "SELECT habit, days, status, completion_rate, streak_longest, score FROM habit_standings(NULL) ORDER BY habit",
            on: store, as: "me")
        #expect(standings.map { $0[0] } == ["f", "l", "m"])
        #expect(Array(standings[0][3...]) == ["∅", "∅", "∅"], "only the status of another user's habit")
        try #require(standings[0][2] == "On track")
        #expect(standings[2][4] == "1")
        #expect(
            try Self.run("SELECT * FROM user_standings('2026-11-20') ORDER BY user", on: store, as: "me") == [
                ["friend", "∅", "∅", "∅", "∅", "∅", "∅", "∅"], ["latest", "∅", "∅", "∅", "∅", "∅", "∅", "∅"],
                ["me", "1", "1", "1.0", "0", "0", "1", "m"],
            ], "only the id of another user")
        let days = try Self.run(
            "SELECT DISTINCT habit FROM habit_days('2026-11-01', '2026-11-20') ORDER BY habit", on: store, as: "me")
        #expect(days == [["m"]])
        #expect(
            try Self.run("SELECT * FROM habit_days('2026-11-01', NULL) WHERE habit = 's'", on: store, as: "me") == [])
        #expect(try Self.run("SELECT * FROM habit_standings(NULL) WHERE habit = 's'", on: store, as: "me") == [])
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
        #expect { _ = try Self.run(sql, on: store) } throws: { ($0 as? HabitError)?.code == code }
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
            var rows = 0
            try query.run(in: session) { _ in { _ in rows += 1 } }
            #expect(rows == 1)
        }
    }

    /// The time of the row handler does not count as time of the query.
    @Test func timeOfReaderDoesNotCountForTimeout() throws {
        let store = try TestStore()
        try store.engine.read { session in
            var query = AnalysisQuery(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n",
                viewer: .operator, clock: Clock(now: .now))
            query.limits.timeout = .milliseconds(400)
            var rows = 0
            try query.run(in: session) { _ in
                { _ in
                    rows += 1
                    if rows % 2000 == 0 { usleep(60_000) }
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

    @Test(arguments: [
        ("weekday('2026-11-20')", "5"), ("weekday('2026-11-22')", "7"), ("weekday('2026-11-31')", "∅"),
        ("weekday(NULL)", "∅"), ("week_start('2026-11-22')", "2026-11-16"), ("week_start('2026-11-16')", "2026-11-16"),
        ("day_add('2026-02-28', 1)", "2026-03-01"), ("day_add('2026-01-01', -1)", "2025-12-31"),
        ("day_add('9999-12-31', 1)", "∅"), ("day_add('2026-01-01', 9223372036854775807)", "∅"),
        ("day_diff('2026-03-01', '2026-02-28')", "1"),
        ("day_diff('2026-01-01', '2026-01-02')", "-1"), ("local_hour('2026-11-20T23:59:59+09:00')", "23"),
        ("local_hour('2026-11-20T00:00:00-03:30')", "0"), ("local_hour('1969-12-31T22:30:00Z')", "22"),
        ("local_hour('noon')", "∅"), ("microseconds('1970-01-01T00:00:01+00:00')", "1000000"),
        ("microseconds('1970-01-01T01:00:00+01:00')", "0"), ("month('2026-11-20')", "2026-11"),
        ("month('0007-02-03')", "0007-02"), ("month('2026-13-01')", "∅"), ("year('2026-11-20')", "2026"),
        ("year('0007-02-03')", "7"), ("year(NULL)", "∅"), ("iso_week('2026-11-20')", "2026-W47"),
        ("iso_week('2021-01-03')", "2020-W53"), ("iso_week('2024-12-30')", "2025-W01"), ("iso_week('x')", "∅"),
        ("distance(0, 0, 0, 0)", "0.0"), ("distance(0, 0, 181, 0)", "∅"), ("distance(0, NULL, 1, 0)", "∅"),
        ("round(distance(-9.1393, 38.7223, -0.1278, 51.5074))", "1585156.0"),
    ])
    func calendarFunctionsReturnExpectedValues(expression: String, expected: String) throws {
        #expect(try Self.run("SELECT \(expression)", on: TestStore()) == [[expected]])
    }

    private static let square = #"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4],[0,0]]]}"#
    private static let hole =
        #"{"type":"MultiPolygon","coordinates":[[[[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[2,1],[2,2],[1,2],[1,1]]],[[[9,9],[10,9],[10,10],[9,9]]]]}"#

    /// The border, also that of a hole, is part of the area.
    @Test(arguments: [
        ("2, 3", "1"), ("5, 3", "0"), ("4, 4", "1"), ("0, 2", "1"), ("1.5, 1.5", "0"), ("1, 1.5", "1"),
        ("9.75, 9.5", "1"),
        ("9.25, 9.5", "0"), ("181, 0", "∅"), ("NULL, 0", "∅"),
    ])
    func areaContainsItsBorder(position: String, expected: String) throws {
        let store = try TestStore()
        let feature = #"{"type":"Feature","properties":{},"geometry":\#(Self.hole)}"#
        let collection = #"{"type":"GeometryCollection","geometries":[\#(Self.hole)]}"#
        for area in [Self.hole, feature, collection, #"{"type":"FeatureCollection","features":[\#(feature)]}"#] {
            #expect(try Self.run("SELECT in_area(\(position), '\(area)')", on: store) == [[expected]], "\(area)")
        }
    }

    /// The positions are on borders or close to them, so rounding would decide for them.
    @Test func positionsNearBordersAreDecidedAsInSwift() throws {
        var random = SeededGenerator(seed: 20_261_125)
        for _ in 0..<8 {
            let (area, positions) = try AreaSample.positionsNearBorders(using: &random)
            let rows = positions.enumerated().map { "(\($0), \($1.longitude), \($1.latitude))" }
            let sql = """
                WITH p (n, x, y) AS (VALUES \(rows.joined(separator: ", ")))
                SELECT in_area(x, y, '\(area.geoJSON)') FROM p ORDER BY n
                """
            let expected = positions.map { [area.contains($0) ? "1" : "0"] }
            #expect(try Self.run(sql, on: TestStore()) == expected, "\(area.geoJSON)")
            #expect(Set(expected).count == 2)
        }
    }

    /// A text that is not an area, and the error.
    private static let invalidAreas: [(area: String, error: AreaError)] = [
        (#"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4]]]}"#, .ringInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],[4,0],[0,0]]]}"#, .ringInvalid),
        (#"{"type":"Polygon","coordinates":[[]]}"#, .ringInvalid),
        (
            #"{"type":"MultiPolygon","coordinates":[[[[0,0],[4,0],[4,4],[0,0]],[[1,1],[2,1],[2,2],[1,2]]]]}"#,
            .ringInvalid
        ),
        (#"{"type":"Polygon","coordinates":[[[0,0],[181,0],[4,4],[0,0]]]}"#, .positionInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],[4,90.5],[4,4],[0,0]]]}"#, .positionInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],[4],[4,4],[0,0]]]}"#, .positionInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],["4",0],[4,4],[0,0]]]}"#, .positionInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],[true,0],[4,4],[0,0]]]}"#, .positionInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],{"0":1},[4,4],[0,0]]]}"#, .positionInvalid),
        (#"{"type":"Polygon","coordinates":[]}"#, .notPolygons), (#"{"type":"Polygon"}"#, .notPolygons),
        (#"{"type":"Polygon","coordinates":[7]}"#, .notPolygons),
        (#"{"type":"MultiPolygon","coordinates":[]}"#, .notPolygons),
        (#"{"type":"MultiPolygon","coordinates":{}}"#, .notPolygons),
        (#"{"type":"Point","coordinates":[1,2]}"#, .notPolygons), ("{}", .notPolygons), ("[]", .notPolygons),
        ("7", .notPolygons), (#"{"type":"Feature","geometry":null}"#, .notPolygons),
        (#"{"type":"FeatureCollection","features":[]}"#, .notPolygons),
        (#"{"type":"FeatureCollection","features":[\#(square),{"type":"Point","coordinates":[1,2]}]}"#, .notPolygons),
        (#"{"type":"GeometryCollection","geometries":[{"type":"GeometryCollection","geometries":[]}]}"#, .notPolygons),
    ]

    /// Both engines have the same conditions and the same errors.
    @Test(arguments: invalidAreas)
    func invalidAreaIsRefusedWithReason(area: String, error: AreaError) throws {
        #expect {
            try Self.run("SELECT in_area(1, 2, '\(area)')", on: TestStore())
        } throws: {
            let found = $0 as? HabitError
            return found?.code == .reportInvalid && found?.message == "the SQL cannot be run: \(error)"
        }
    }

    /// PostgreSQL has its own error for a text that is not JSON.
    @Test func areaThatIsNotJSONIsRefused() throws {
        #expect {
            try Self.run("SELECT in_area(1, 2, 'x')", on: TestStore())
        } throws: {
            ($0 as? HabitError)?.code == .reportInvalid
        }
    }

    @Test func areaWithTooManyPositionsIsRefused() throws {
        let positions = String(repeating: "[0,0],", count: Area.maximumPositions) + "[0,0]"
        #expect {
            try Self.run(
                #"SELECT in_area(1, 2, '{"type":"Polygon","coordinates":[[\#(positions)]]}')"#, on: TestStore())
        } throws: {
            ($0 as? HabitError)?.message == "the SQL cannot be run: \(AreaError.tooLarge)"
        }
    }

    private static let numbers = "(SELECT 3.5 AS x UNION ALL SELECT 1 UNION ALL SELECT NULL UNION ALL SELECT 10) AS n"

    @Test(arguments: [
        ("median(n.x)", "3.5"), ("percentile(n.x, 0)", "1.0"), ("percentile(n.x, 1)", "10.0"),
        ("percentile(n.x, 0.25)", "2.25"), ("percentile(n.x, 0.75)", "6.75"), ("median(n.x + NULL)", "∅"),
    ])
    func aggregateReturnsExpectedValue(expression: String, expected: String) throws {
        #expect(try Self.run("SELECT \(expression) FROM \(Self.numbers)", on: TestStore()) == [[expected]])
    }

    @Test func aggregatesComputeValueOfEachGroup() throws {
        let sql = """
            SELECT n.g, median(n.x), percentile(n.x, 0.5)
            FROM (SELECT 1 AS g, 4.0 AS x UNION ALL SELECT 2, 8 UNION ALL SELECT 1, 6 UNION ALL SELECT 3, NULL) AS n
            GROUP BY n.g ORDER BY n.g
            """
        #expect(try Self.run(sql, on: TestStore()) == [["1", "5.0", "5.0"], ["2", "8.0", "8.0"], ["3", "∅", "∅"]])
    }

    @Test(arguments: ["percentile(n.x, 1.5)", "percentile(n.x, NULL)", "percentile(n.x, -0.1)"])
    func invalidFractionIsRefused(expression: String) throws {
        #expect {
            try Self.run("SELECT \(expression) FROM \(Self.numbers)", on: TestStore())
        } throws: {
            ($0 as? HabitError)?.code == .reportInvalid
        }
    }

    @Test func schemaListsColumnsAndFunctionsOfReports() throws {
        let store = try TestStore()
        let rows = try store.engine.read { try ReportSchema.rows(in: $0) }.map { row in
            (0..<4).map { row.text($0) ?? "" }
        }
        let views = Dictionary(grouping: rows.filter { $0[0] == "view" }, by: { $0[1] })
        #expect(views.count == 9)
        for (view, columns) in views {
            // The names of some columns are words of SQL.
            let names = columns.map { column in "\(view).\"\(column[2])\"" }
            let list = names.joined(separator: ", ")
            #expect(try Self.run("SELECT \(list) FROM \(view) LIMIT 0", on: store) == [])
        }
        let values = [
            "day": "'2026-11-20'", "days": "1", "later": "'2026-11-20'", "earlier": "'2026-11-19'",
            "at": "'2026-11-20T08:00:00Z'", "longitude": "1", "latitude": "2", "to_longitude": "3", "to_latitude": "4",
            "number": "5.0", "fraction": "0.5", "area": "'\(Self.square)'",
        ]
        for call in rows.filter({ $0[0] == "value" }).map({ $0[1] }) {
            let sql = call.replacing(#/[(, ]([a-z_]+)(?=[,)])/#) {
                "\($0.output.0.first ?? " ")\(values[String($0.output.1)] ?? "?")"
            }
            #expect(try Self.run("SELECT \(sql)", on: store).first?.first != "∅", "\(sql)")
        }
        #expect(rows.contains { $0[0] == "rows" && $0[1] == "event_hours(from_day, to_day, of_user, of_habit)" })
        #expect(rows.filter { $0[1] == "local_times(kind)" }.map { $0[2] } == ["id", "day", "hour", "user"])
    }

    /// PostgreSQL has no function for values of other types.
    @Test(.fileStoreOnly, arguments: ["day_add('2026-01-01', 'x')", "microseconds(5)"])
    func valueOfOtherTypeReturnsNull(expression: String) throws {
        #expect(try Self.run("SELECT \(expression)", on: TestStore()) == [["∅"]])
    }
}

/// A direct implementation of rules M-01 to M-06, day by day, each from all events.
private struct NaiveStatistics {
    let history: ScheduleHistory
    let outcomes: [Day: Outcome]
    let last: Day
    let report: Day
    /// The first day of the habit.
    let begin: Day

    /// Creates statistics.
    ///
    /// A habit without a start and without events begins on `today`.
    init(_ history: ScheduleHistory, _ outcomes: [Day: Outcome], on report: Day, today: Day? = nil) {
        self.history = history
        self.outcomes = outcomes
        self.report = report
        last = min(report, history.end ?? report)
        begin = history.start ?? outcomes.keys.min() ?? today ?? report
    }

    func isDue(_ day: Day) -> Bool {
        day >= begin && day <= last && history.includes(day) && outcomes[day] != .skipped
    }

    private func isRecorded(_ day: Day) -> Bool { isDue(day) && outcomes[day] == .done }

    /// Whether the day is done, or is in a period with enough done days.
    func isAccomplished(_ day: Day) -> Bool {
        guard let target = history.schedule(on: day).target else { return outcomes[day] == .done }
        // The days around this one, without the skipped days.
        let around =
            counted(target.periodDays - 1, from: day, by: -1).reversed() + [day]
            + counted(target.periodDays - 1, from: day, by: 1)
        return (0..<target.periodDays).contains { first in
            around[first..<first + target.periodDays].count(where: isExistingDone) >= target.times
        }
    }

    /// Returns the next `count` days before or after a day that are not skipped.
    private func counted(_ count: Int, from day: Day, by step: Int) -> [Day] {
        var days: [Day] = []
        var day = day
        while days.count < count {
            day = day.advanced(by: step)
            if outcomes[day] != .skipped { days.append(day) }
        }
        return days
    }

    private func isExistingDone(_ day: Day) -> Bool {
        day <= last && history.exists(on: day) && outcomes[day] == .done
    }

    func outcome(on day: Day) -> String {
        switch outcomes[day] {
        case .skipped: "skipped"
        case .done: history.includes(day) ? "done" : "unplanned"
        case nil where !isDue(day) || isAccomplished(day): "none"
        case nil: day == report ? "open" : "missed"
        }
    }

    func completion(in days: ClosedRange<Day>, isOver: Bool) -> (due: Int, done: Int) {
        let due = days.filter { isDue($0) && (isAccomplished($0) || isOver || $0 != report) }
        return (due.count, due.count(where: isAccomplished))
    }

    func streaks(upTo day: Day, isOver: Bool) -> (current: Int, longest: Int) {
        guard let first = outcomes.keys.min(), first <= last else { return (0, 0) }
        var (current, longest) = (0, 0)
        let start = first.advanced(by: -1000)
        guard start <= day else { return (0, 0) }
        for day in start...day where isDue(day) {
            if isAccomplished(day) { current += 1 } else if day != report || isOver { current = 0 }
            longest = max(longest, current)
        }
        return (current, longest)
    }

    func score(on report: Day) -> Double {
        guard let first = outcomes.keys.min() else { return 0 }
        var score = 0.0
        let last = min(report, history.end ?? report)
        guard first <= last else { return 0 }
        for day in first...last where outcomes[day] != .skipped {
            let schedule = history.schedule(on: day)
            let n = Double(schedule.weekdays?.daysPerWeek ?? schedule.target?.times ?? 0)
            let f = schedule.weekdays.map { Double($0.daysPerWeek) / 7 } ?? n / Double(schedule.target?.periodDays ?? 1)
            let m = pow(0.5, sqrt(f) / 13)
            let window = 2 * (schedule.target?.periodDays ?? 7)
            let r = Double((0..<window).filter { isRecorded(day.advanced(by: -$0)) }.count)
            let c = f == 1 ? (isRecorded(day) ? 1 : 0) : min(1, r / (2 * n))
            score = score * m + c * (1 - m)
        }
        return score
    }
}
