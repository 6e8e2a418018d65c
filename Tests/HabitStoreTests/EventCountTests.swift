import Base
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of the table functions that count events against SQL over the view `events`.
@Suite struct EventCountTests {
    private static let clock = Clock(now: Instant(microseconds: 1_800_000_000_000_000))

    private static func rows(
        _ sql: String, on store: TestStore, as user: String?, _ values: [String: Value] = [:]
    ) throws -> [[String]] {
        try store.analyze(as: user, clock: clock) { session, viewer in try rows(sql, of: viewer, values, in: session) }
    }

    private static func rows(
        _ sql: String, of viewer: Viewer, _ values: [String: Value], in session: any Session
    ) throws -> [[String]] {
        let names = Set(sql.matches(of: #/:([a-z]+)/#).map { String($0.output.1) })
        let query = AnalysisQuery(
            sql, viewer: viewer, clock: clock, parameters: values.filter { names.contains($0.key) })
        var rows: [[String]] = []
        try query.run(in: session) { shape in
            { row in
                rows.append(
                    shape.columns.indices.map {
                        row.storage($0) == .number ? "\(row.number($0))" : row.text($0) ?? "∅"
                    })
            }
        }
        return rows
    }

    /// Creates a store with random events of `users` users.
    ///
    /// `u0` follows `u1`, who shares all events, and `u2`, who shares the newest event of each habit. `u3` follows all
    /// users. Some events are on the 180th meridian, at a pole, on the edge of a cell, or have no position or time.
    private static func randomStore(seed: UInt64, users: Int) throws -> TestStore {
        var random = SeededGenerator(seed: seed)
        let store = try TestStore()
        let zones = ["UTC", "Asia/Tokyo", "America/St_Johns"]
        var records: [Record] = (0..<users).map { .user("u\($0)", zone: zones[$0 % zones.count]) }
        records += [.follow("u0", "u1"), .follow("u0", "u2", share: .latest)]
        records += (0..<users).filter { $0 != 3 }.map { .follow("u3", "u\($0)") }
        let first = try #require(Day("2026-01-01"))
        let longitudes = [-180, -9.14, -9.139, 0, 0.5, 1, 179.99, 180]
        let latitudes = [-90, -0.25, 0, 38.7, 38.701, 89.999, 90]
        for user in 0..<users {
            for number in 0..<2 {
                let id = "u\(user)-h\(number)"
                records.append(.habit(id, of: "u\(user)", title: "Habit, \(number)"))
                for day in 0..<60 where Int.random(in: 0..<4, using: &random) > 0 {
                    var event = EventRecord(habit: id)
                    event.day = first.advanced(by: day)
                    event.outcome = .value(Int.random(in: 0..<6, using: &random) == 0 ? .skipped : .done)
                    if Bool.random(using: &random) {
                        let second = Int64(day) * 86_400 + Int64.random(in: 0..<86_400, using: &random)
                        let offsets: [Int16?] = [-570, nil, 0, 345]
                        let offset = try #require(offsets.randomElement(using: &random))
                        event.at = .value(
                            OffsetInstant(
                                Instant(microseconds: (Int64(first.number) * 86_400 + second) * 1_000_000),
                                offset: offset.map { UTCOffset(minutes: $0) }))
                    }
                    if Int.random(in: 0..<5, using: &random) > 0 {
                        let longitude = try #require(longitudes.randomElement(using: &random))
                        let latitude = try #require(latitudes.randomElement(using: &random))
                        event.details.position = .value(
                            try #require(Position(longitude: longitude, latitude: latitude)))
                    }
                    records.append(.event(event))
                }
            }
        }
        try store.write(records)
        return store
    }

    private static let conditions = """
        events.day >= coalesce(:from, '0001-01-01') AND events.day <= coalesce(:to, '9999-12-31')
          AND (:user IS NULL OR events.user = :user) AND (:habit IS NULL OR events.habit = :habit)
        """

    /// The same rows from SQL over the view, by function.
    private static let references = [
        "event_cells(:cell, :from, :to, :user, :habit)": """
        SELECT cell_x, cell_y, count(*) AS events, count(DISTINCT owner) AS users, min(day) AS first_day,
          max(day) AS last_day
        FROM (
          SELECT events.user AS owner, events.day,
            floor(CASE WHEN events.longitude >= 180 THEN -180 ELSE events.longitude END / :cell) AS cell_x,
            CASE WHEN events.latitude >= 90 THEN ceil(90.0 / :cell) - 1 ELSE floor(events.latitude / :cell) END AS cell_y
          FROM events
          WHERE events.longitude IS NOT NULL AND \(conditions)
        ) AS located
        GROUP BY cell_x, cell_y
        """,
        "habit_places(:cell, :from, :to, :user, :habit)": """
        SELECT habit, row_number() OVER (PARTITION BY habit ORDER BY visits DESC, cell_x, cell_y) AS place, owner AS user,
          title, visits, CAST(visits AS DOUBLE PRECISION) / sum(visits) OVER (PARTITION BY habit) AS share, first_day,
          last_day, longitude, latitude
        FROM (
          SELECT habit, owner, title, cell_x, cell_y, count(*) AS visits, min(day) AS first_day, max(day) AS last_day,
            CAST(sum(CAST(floor(longitude * 1000000000 + 0.5) AS BIGINT)) AS DOUBLE PRECISION) / count(*)
              / 1000000000 AS longitude,
            CAST(sum(CAST(floor(latitude * 1000000000 + 0.5) AS BIGINT)) AS DOUBLE PRECISION) / count(*)
              / 1000000000 AS latitude
          FROM (
            SELECT events.habit, events.user AS owner, events.title, events.day, events.latitude,
              CASE WHEN events.longitude >= 180 THEN -180 ELSE events.longitude END AS longitude,
              floor(CASE WHEN events.longitude >= 180 THEN -180 ELSE events.longitude END / :cell) AS cell_x,
              CASE
                WHEN events.latitude >= 90 THEN ceil(90.0 / :cell) - 1
                ELSE floor(events.latitude / :cell)
              END AS cell_y
            FROM events
            WHERE events.longitude IS NOT NULL AND events.outcome = 'done' AND \(conditions)
          ) AS located
          GROUP BY habit, owner, title, cell_x, cell_y
        ) AS cells
        """,
        "event_hours(:from, :to, :user, :habit)": """
        SELECT weekday(events.day) AS weekday, local.hour AS hour, count(*) AS events
        FROM events
        JOIN local_times('events') AS local ON local.id = events.id
        WHERE events.outcome = 'done' AND \(conditions)
        GROUP BY weekday(events.day), local.hour
        """,
    ]

    /// In a store with few users, the functions read the table.
    ///
    /// In a store with many users, they read indexes.
    @Test(.userSQL, arguments: [3, 20]) func functionsMatchSQLOverView(users: Int) throws {
        let seed = UInt64(users)
        let store = try Self.randomStore(seed: seed, users: max(users, 4))
        let filters: [[String: Value]] = [
            [:],
            ["from": .text("2026-02-01")],
            ["from": .text("2026-01-20"), "to": .text("2026-01-21")],
            ["user": .text("u1")],
            ["habit": .text("u2-h1"), "to": .text("2026-02-20")],
            ["user": .text("nobody")],
            ["user": .text("u2"), "habit": .text("u1-h0")],
        ]
        for user in [nil, "u0", "u1", "u3"] as [String?] {
            try store.analyze(as: user, clock: Self.clock) { session, viewer in
                for filter in filters {
                    let unfiltered: [String: Value] = ["from": .null, "to": .null, "user": .null, "habit": .null]
                    let values = unfiltered.merging(filter) { _, value in value }
                    try Self.compareWithReferences(viewer, values, in: session)
                }
            }
        }
    }

    /// Compares each function with its reference, a function of cells for several sizes.
    private static func compareWithReferences(
        _ viewer: Viewer, _ values: [String: Value], in session: any Session
    ) throws {
        let isFiltered = values.values.contains { value in value != .null }
        for (function, reference) in references {
            let sizes = [0.5, 7, 0.13, 80, 360]
            let cells: [Value] = function.contains(":cell") ? sizes.map { .number($0) } : [.null]
            for cell in cells {
                let values = values.merging(["cell": cell]) { _, value in value }
                let counted = try rows("SELECT * FROM \(function) AS f", of: viewer, values, in: session)
                let expected = try rows(reference, of: viewer, values, in: session)
                #expect(
                    counted.map(\.description).sorted() == expected.map(\.description).sorted(),
                    "\(function), \(viewer), \(values)")
                #expect(!expected.isEmpty || isFiltered)
            }
        }
    }

    /// Several threads count parts of the events.
    @Test(.userSQL, arguments: [nil, "u3"] as [String?])
    func rowsDoNotDependOnThreads(as user: String?) throws {
        let store = try Self.randomStore(seed: 5, users: 6)
        let viewer = try store.engine.read { session in
            try user.map { try Viewer.user(named: $0, in: session) } ?? .operator
        }
        func open() throws -> any Engine {
            try store.location.open(.read, wait: .seconds(5), analyst: TestServer.analyst(of: store.location))
        }
        func rows(_ sql: String, helpers: Int) throws -> [String] {
            let team = ReadTeam(try open(), helpers: try (0..<helpers).map { _ in try open() })
            return try team.read({ engine, snapshot, body in
                try engine.analyze(as: viewer, clock: Self.clock, at: snapshot, body)
            }) { session, crew in
                #expect(crew.threads == helpers + 1)
                var rows: [String] = []
                let query = AnalysisQuery(sql, viewer: viewer, clock: Self.clock)
                try query.run(in: session, crew: crew) { shape in
                    { row in rows.append("\(shape.columns.map { row.value($0.index) })") }
                }
                return rows.sorted()
            }
        }
        let calls = [
            "event_cells(0.5, NULL, NULL, NULL, NULL)", "event_cells(7, '2026-01-05', NULL, NULL, NULL)",
            "habit_places(0.5, NULL, NULL, NULL, NULL)", "event_hours(NULL, NULL, NULL, NULL)",
            "event_hours(NULL, NULL, 'u1', NULL)", "habit_completions('week', '2026-01-01', NULL, NULL, NULL)",
            "habit_completions('habit', '2026-01-01', '2026-02-02', NULL, NULL)",
            "habit_completions('user', '2026-01-01', NULL, NULL, NULL)",
        ]
        for call in calls {
            let sql = "SELECT * FROM \(call) AS f"
            #expect(AnalysisQuery.canUseThreads(sql), "\(call)")
            let expected = try rows(sql, helpers: 0)
            #expect(try rows(sql, helpers: 3) == expected, "\(call)")
            #expect(!expected.isEmpty || user != nil, "\(call)")
        }
    }

    @Test func cellBelowMinimumHasNoRows() throws {
        let store = try Self.randomStore(seed: 1, users: 4)
        for function in ["event_cells", "habit_places"] {
            let sql = "SELECT count(*) FROM \(function)(0.000001, NULL, NULL, NULL, NULL) AS f"
            #expect(try Self.rows(sql, on: store, as: nil) == [["0"]])
        }
    }

    @Test(arguments: [
        "SELECT * FROM event_cells('x', NULL, NULL, NULL, NULL) AS f",
        "SELECT * FROM event_hours('yesterday', NULL, NULL, NULL) AS f",
        "SELECT * FROM habit_places(1, NULL, NULL, 5, NULL) AS f",
    ])
    func invalidArgumentIsRefused(sql: String) throws {
        let store = try Self.randomStore(seed: 1, users: 4)
        #expect {
            try Self.rows(sql, on: store, as: nil)
        } throws: {
            ($0 as? HabitError)?.code == .parameterInvalid
        }
    }
}
