import Base
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of conditions with OR on the columns of table functions and views.
///
/// The expected rows come from the same condition over a subquery with LIMIT, which the engine evaluates first.
@Suite struct FunctionConditionTests {
    private static let clock = Clock(now: Instant(microseconds: 1_795_608_000_000_000))  // 2026-11-25T12:00:00Z

    private static func rows(_ sql: String, on store: TestStore, as user: String?) throws -> [String] {
        try store.analyze(as: user, clock: clock) { session, viewer in try rows(sql, of: viewer, in: session) }
    }

    private static func rows(_ sql: String, of viewer: Viewer, in session: any Session) throws -> [String] {
        var rows: [String] = []
        _ = try AnalysisQuery(sql, viewer: viewer, clock: clock).run(in: session) { shape in
            { row in
                let cells = shape.columns.indices.map { index in
                    row.isNull(index)
                        ? "∅" : row.storage(index) == .number ? "\(row.number(index))" : row.text(index) ?? ""
                }
                rows.append(cells.joined(separator: "|"))
            }
        }
        return rows.sorted()
    }

    private static func makeStore() throws -> TestStore {
        var random = SeededGenerator(seed: 20_261_125)
        let store = try TestStore()
        var records: [Record] = [
            .user("ana", zone: "Asia/Tokyo"), .user("bea"), .user("cem"), .follow("ana", "bea"),
            .follow("ana", "cem", share: .latest),
        ]
        let first = try #require(Day("2026-10-05"))
        let habitsOfUsers = [
            ("ana", ["a1", "a2", "a3"]),
            ("bea", ["b1", "b2"]),
            ("cem", ["c1", "c2"]),
        ]
        for (user, habits) in habitsOfUsers {
            for (number, habit) in habits.enumerated() {
                records.append(.habit(habit, of: user, title: "Habit \(number)", days: UInt8(31 << (number % 3))))
                for day in 0..<50 where Int.random(in: 0..<3, using: &random) <= number {
                    var event = EventRecord(habit: habit)
                    event.day = first.advanced(by: day)
                    event.id = "\(habit)-\(day)"
                    event.outcome = .value(Int.random(in: 0..<6, using: &random) == 0 ? .skipped : .done)
                    let position = Position(
                        longitude: Double.random(in: -1...1, using: &random),
                        latitude: Double.random(in: 0...1, using: &random))
                    event.details.position = position.map { .value($0) } ?? .absent
                    if day % 3 > 0 {
                        let instant = Instant(
                            microseconds: Int64(first.number + Int32(day)) * 86_400_000_000 + Int64(day % 20)
                                * 3_600_000_000)
                        event.at = .value(OffsetInstant(instant, offset: day % 3 == 1 ? nil : UTCOffset(minutes: 60)))
                    }
                    records.append(.event(event))
                }
            }
        }
        for number in 0..<6 {
            var item = ItemRecord(id: "i\(number)", user: "ana", name: "Item \(number)")
            item.position = .value(try #require(Position(longitude: Double(number) / 10, latitude: 0.5)))
            records.append(.item(item))
            var post = PostRecord(id: "p\(number)", user: "bea")
            post.position = .value(try #require(Position(longitude: Double(number) / 10, latitude: 0.5)))
            records.append(.post(post))
        }
        try store.write(records)
        return store
    }

    /// The calls of all table functions, and the views, by name.
    private static let sources = [
        "habit_standings('2026-11-20')", "user_standings('2026-11-20')", "habit_days('2026-11-01', '2026-11-07')",
        "habit_completions('week', '2026-10-05', '2026-11-20', NULL, NULL)", "events_near(0, 0.5, 60000)",
        "items_near(0, 0.5, 40000)", "posts_near(0, 0.5, 40000)", "event_cells(0.25, NULL, NULL, NULL, NULL)",
        "habit_places(0.5, NULL, NULL, NULL, NULL)", "event_hours(NULL, NULL, NULL, NULL)", "local_times('events')",
        "habits", "events",
    ]

    @Test(.userSQL, arguments: [nil, "ana"] as [String?])
    func orSelectsSameRowsAsMaterializedSubquery(as user: String?) throws {
        let store = try Self.makeStore()
        try store.analyze(as: user, clock: Self.clock) { session, viewer in
            for source in Self.sources {
                try Self.compareWithSubquery(source, viewer, in: session)
            }
        }
    }

    private static func compareWithSubquery(_ source: String, _ viewer: Viewer, in session: any Session) throws {
        let seed: UInt64 = 7
        var random = SeededGenerator(seed: seed)
        let columns = try columns(of: source, viewer, in: session, &random)
        var count = 0
        for (name, conditions) in columns {
            let other = try #require(columns.randomElement(using: &random))
            for condition in conditions {
                let second = try #require(
                    (Bool.random(using: &random) ? conditions : other.conditions).randomElement(using: &random))
                let third = try #require(other.conditions.randomElement(using: &random))
                for test in ["\(condition) OR \(second)", "(\(condition) OR \(second)) AND NOT (\(third))"] {
                    let subquery = "(SELECT * FROM \(source) AS f LIMIT 100000) AS f"
                    let expected = try rows("SELECT * FROM \(subquery) WHERE \(test)", of: viewer, in: session)
                    let found = try rows("SELECT * FROM \(source) AS f WHERE \(test)", of: viewer, in: session)
                    #expect(found == expected, "\(source), \(name): \(test), seed \(seed)")
                    count += expected.count
                }
            }
        }
        #expect(count > 0, "\(source)")
    }

    /// Returns conditions on each column of a source, with values that occur in it.
    private static func columns(
        of source: String, _ viewer: Viewer, in session: any Session, _ random: inout SeededGenerator
    ) throws -> [(name: String, conditions: [String])] {
        var names: [String] = []
        var values: [[String]] = []
        let query = AnalysisQuery("SELECT * FROM \(source) AS f", viewer: viewer, clock: clock)
        _ = try query.run(in: session) { shape in
            names = shape.columns.map(\.name)
            values = names.map { _ in [] }
            return { row in
                for index in names.indices where !row.isNull(index) {
                    let isText = row.storage(index) == .text
                    let text = row.storage(index) == .number ? "\(row.number(index))" : row.text(index) ?? ""
                    values[index].append(isText ? "'\(text.replacing("'", with: "''"))'" : text)
                }
            }
        }
        return names.indices.map { index in
            let name = "f.\"\(names[index])\""
            var conditions = ["\(name) IS NULL"]
            let isText = values[index].first?.hasPrefix("'") ?? false
            if let value = values[index].randomElement(using: &random) {
                conditions += ["\(name) = \(value)", "\(name) < \(value)", "\(name) >= \(value)"]
                if isText {
                    conditions.append("\(name) LIKE '%\(value.dropFirst().prefix(2).replacing("'", with: ""))%'")
                }
            }
            return (names[index], conditions)
        }
    }

    /// The condition is in a join, a common table expression and a subquery.
    @Test(
        .userSQL,
        arguments: [
            (
                "SELECT h.id, s.status FROM habits h JOIN habit_standings('2026-11-20') s ON s.habit = h.id AND (s.due = 0 OR s.done > 3)",
                "SELECT h.id, s.status FROM habits h JOIN (SELECT * FROM habit_standings('2026-11-20') AS f LIMIT 1000) AS s ON s.habit = h.id AND (s.due = 0 OR s.done > 3)"
            ),
            (
                "SELECT h.id, s.status FROM habits h LEFT JOIN habit_standings('2026-11-20') s ON s.habit = h.id AND (s.habit = 'a1' OR s.habit = 'b1')",
                "SELECT h.id, s.status FROM habits h LEFT JOIN (SELECT * FROM habit_standings('2026-11-20') AS f LIMIT 1000) AS s ON s.habit = h.id AND (s.habit = 'a1' OR s.habit = 'b1')"
            ),
            (
                "WITH d AS (SELECT * FROM habit_days('2026-11-01', '2026-11-20') AS f WHERE outcome = 'missed' OR streak > 2) SELECT * FROM d WHERE day > '2026-11-10' OR due = 0",
                "WITH d AS MATERIALIZED (SELECT * FROM habit_days('2026-11-01', '2026-11-20') AS f) SELECT * FROM d WHERE (outcome = 'missed' OR streak > 2) AND (day > '2026-11-10' OR due = 0)"
            ),
            (
                "SELECT id FROM events WHERE id IN (SELECT id FROM events_near(0, 0.5, 60000) AS n WHERE distance_m < 20000 OR id = 'a3-1')",
                "SELECT id FROM events WHERE id IN (SELECT id FROM (SELECT * FROM events_near(0, 0.5, 60000) AS n LIMIT 1000) AS n WHERE distance_m < 20000 OR id = 'a3-1')"
            ),
            (
                "SELECT habits.id FROM habits WHERE (status = 'New' OR score > 0.001) AND (streak_longest > 0 OR completion_rate < 0.9 OR color = 'x')",
                "SELECT h.id FROM (SELECT * FROM habits LIMIT 1000) AS h WHERE (status = 'New' OR score > 0.001) AND (streak_longest > 0 OR completion_rate < 0.9 OR color = 'x')"
            ),
        ])
    func orInsideStatementSelectsSameRows(sql: String, reference: String) throws {
        let store = try Self.makeStore()
        for user in [nil, "ana"] as [String?] {
            let expected = try Self.rows(reference, on: store, as: user)
            #expect(try Self.rows(sql, on: store, as: user) == expected)
            #expect(!expected.isEmpty)
        }
    }

    /// The arguments are hidden columns of SQLite, so each term of an OR can have its own.
    @Test(.fileStoreOnly) func termsWithOwnArgumentsReturnRowsOfBothCalls() throws {
        let store = try Self.makeStore()
        let first = "from_day = '2026-11-01' AND to_day = '2026-11-03'"
        let second = "from_day = '2026-11-02' AND to_day = '2026-11-05' AND habit = 'a1'"
        let union = try Self.rows(
            "SELECT from_day, habit, day FROM habit_days WHERE \(first) UNION SELECT from_day, habit, day FROM habit_days WHERE \(second)",
            on: store, as: nil)
        let rows = try Self.rows(
            "SELECT from_day, habit, day FROM habit_days WHERE (\(first)) OR (\(second))", on: store, as: nil)
        #expect(rows == union)
        #expect(rows.count > 4)
    }

    @Test(
        .fileStoreOnly,
        arguments: [
            ("SELECT * FROM habit_days", "(from_day, to_day)"),
            ("SELECT * FROM habit_days('2026-11-01')", "(from_day, to_day)"),
            ("SELECT 1 FROM habits h JOIN habit_standings s ON s.habit = h.id", "(on_day)"),
            (
                "SELECT 1 FROM event_cells WHERE cell_x = 1 OR cell_y = 2",
                "(cell_size, from_day, to_day, of_user, of_habit)"
            ),
            (
                "SELECT 1 FROM habit_days('2026-11-01', '2026-11-02') d, local_times l WHERE d.due = 0 OR d.done = 1",
                "(kind)"
            ),
        ])
    func callWithoutArgumentsIsExplained(sql: String, parameters: String) throws {
        let store = try Self.makeStore()
        #expect { try Self.rows(sql, on: store, as: nil) } throws: {
            let error = $0 as? HabitError
            return error?.code == .reportInvalid && error?.message.hasSuffix(parameters) == true
        }
    }
}
