import Base
import Geo
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests that the tables of users' records can be distributed by user.
///
/// Each key and each join of these tables includes the user.
@Suite(.serverStoreOnly) struct UserKeyTests {
    private static let tables: Set = ["habit", "habit_schedule", "pause", "event", "post"]

    @Test func catalogHasUserInEveryKey() throws {
        let store = try TestStore()
        let names = Self.tables.map { "'\($0)'" }.joined(separator: ", ")
        let sql = """
            SELECT conname
            FROM pg_constraint
            JOIN pg_class ON pg_class.oid = conrelid
            WHERE relnamespace = 'habitat'::regnamespace AND relname IN (\(names)) AND contype IN ('p', 'u', 'f')
              AND NOT EXISTS (
                SELECT
                FROM pg_attribute
                WHERE attrelid = conrelid AND attname = 'user_id' AND attnum = ANY (conkey))
              AND confrelid <> 'photo'::regclass
            UNION ALL
            SELECT index.relname
            FROM pg_index
            JOIN pg_class ON pg_class.oid = indrelid
            JOIN pg_class AS index ON index.oid = indexrelid
            WHERE pg_class.relnamespace = 'habitat'::regnamespace AND pg_class.relname IN (\(names)) AND indisunique
              AND NOT EXISTS (
                SELECT
                FROM pg_attribute
                WHERE attrelid = indrelid AND attname = 'user_id' AND attnum = ANY (indkey))
            UNION ALL
            SELECT tgname
            FROM pg_trigger
            JOIN pg_class ON pg_class.oid = tgrelid
            WHERE relnamespace = 'habitat'::regnamespace AND relname IN (\(names)) AND NOT tgisinternal
              AND NOT (relname = 'event' AND tgname LIKE 'event_map_%')
              AND tgname NOT LIKE '%_other_%'
            """
        let wrong = try store.engine.read { session in
            var names: [String] = []
            try session.query(SQL(sql)) {
                names.append($0.text(0) ?? "")
                return true
            }
            return names
        }
        #expect(wrong.isEmpty, "keys without the user, and triggers: \(wrong)")
        let hasMap = try store.engine.read { session in
            let triggers: SQL = """
                SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'event_map_%' OR tgname LIKE '%_other_%'
                """
            return try session.first(triggers) { row in row.integer(0) } != 0
        }
        // A cluster has no triggers at all.
        #expect(hasMap == !TestServer.isCluster)
    }

    @Test func joinsEquateUsers() throws {
        let store = try TestStore()
        let engine = RecordingEngine(store.engine)
        try engine.write { session in
            try session.writeRecords { writer in
                for record in try Self.records() { _ = try writer.write(record) }
            }
        }
        try engine.load { writer in
            for record in try Self.records() { _ = try writer.write(record) }
        }
        let clock = Clock(now: Instant(microseconds: 1_795_000_000_000_000))
        for user in [nil, "me"] as [String?] {
            for (name, owner, selection) in try PlanTests.queries() where owner == user {
                try engine.read { session in
                    let viewer = try user.map { try Viewer.user(named: $0, in: session) } ?? .operator
                    _ = try session.plan(try selection(session, viewer).sql)
                    if name.hasSuffix("all") {
                        try Self.runOthers(as: viewer, clock: clock, in: session)
                    }
                }
            }
        }
        try engine.write { session in
            let user = try ActingUser(Viewer.user(named: "me", in: session), clock: clock, in: session)
            try EventActions(user).edit("e1", EventDraft())
            _ = try EventActions(user).shortfall(of: "e1")
            try EventActions(user).delete("e1")
            _ = try HabitActions(user).delete("run")
        }
        _ = try StoreDoctor(engine).examine()
        let copy = try TestStore()
        _ = try StoreCopy(from: engine, to: RecordingEngine(copy.engine)).run()
        let statements = engine.statements
        #expect(statements.filter { $0.contains("event") }.count > 100)
        for sql in statements { #expect(Self.joinsWithoutUser(in: sql) == [], "\(sql)") }
    }

    /// Runs the queries that have no golden plan.
    private static func runOthers(as viewer: Viewer, clock: Clock, in session: any Session) throws {
        for kind in RecordKind.located { _ = try ExtentQuery(kind, viewer: viewer).extent(in: session) }
        for name in ["events", "habits", "posts", "users"] {
            let sql = "SELECT count(*) FROM \(name)"
            _ = try AnalysisQuery(sql, viewer: .operator, clock: clock).run(in: session) { _ in { _ in } }
        }
        let functions = ["SELECT * FROM habit_standings(NULL)", "SELECT * FROM habit_days('2026-11-01', NULL)"]
        for sql in functions {
            _ = try AnalysisQuery(sql, viewer: .operator, clock: clock).run(in: session) { _ in { _ in } }
        }
        guard viewer != .operator else { return }
        let todo = try TodoQuery(viewer: viewer, clock: clock).selection(in: session)
        try session.query(todo.sql) { _ in true }
        try CalendarQuery(viewer, clock: clock, in: session).forEachDueDays { _ in }
        _ = try ImportAccount("me", in: session)
    }

    private static func records() throws -> [Record] {
        var records: [Record] = [
            .user("me"),
            .user("friend"),
            .habit("run", of: "me"),
            .habit("read", of: "friend"),
        ]
        records.append(.follow("me", "friend"))
        for day in 1...9 {
            let position = Position(longitude: Double(day), latitude: 1)
            records.append(.event("run", "2026-11-0\(day)", id: "e\(day)", comment: "morning", at: position))
            records.append(.event("read", "2026-11-0\(day)", id: "f\(day)"))
        }
        return records
    }

    // MARK: Joins in SQL

    @Test(arguments: [
        ("SELECT 1 FROM event JOIN habit ON habit.id = event.habit_id", ["event.habit_id = habit.id"]),
        ("SELECT 1 FROM event JOIN habit ON habit.id = event.habit_id AND habit.user_id = event.user_id", []),
        (
            "SELECT (SELECT max(n.day) FROM event AS n WHERE n.habit_id = event.habit_id) FROM event",
            ["event.habit_id = n.habit_id"]
        ),
        (
            "SELECT 1 FROM follow JOIN habit ON habit.user_id = follow.id JOIN event ON event.habit_id = habit.id",
            ["event.habit_id = habit.id"]
        ),
        ("SELECT 1 FROM habit JOIN event ON event.day > habit.start_day", ["event"]),
        ("SELECT 1 FROM event JOIN account ON account.id = event.user_id", []),
    ])
    func joinWithoutUserIsFound(sql: String, found: [String]) {
        #expect(Self.joinsWithoutUser(in: sql) == found)
    }

    /// Returns the equalities of two tables whose users are not equated in the same statement, and the
    /// joined tables whose user is not compared with anything.
    private static func joinsWithoutUser(in sql: String) -> [String] {
        let tokens = SQLTokenizer(sql).tokens
        func name(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].name : nil }
        func isSymbol(_ index: Int, _ symbol: String) -> Bool {
            tokens.indices.contains(index) && tokens[index].isSymbol(symbol)
        }
        var aliases: Set<String> = []
        var joined: [String] = []
        for index in tokens.indices where tokens[index].isWord("FROM") || tokens[index].isWord("JOIN") {
            guard let table = name(index + 1), tables.contains(table) else { continue }
            let alias = name(index + 2) == "as" ? name(index + 3) ?? table : table
            if tokens[index].isWord("JOIN"), !aliases.isEmpty { joined.append(alias) }
            aliases.insert(alias)
        }
        var equalities: [(String, String)] = []
        for index in tokens.indices where isSymbol(index, "=") {
            guard let left = name(index - 3), isSymbol(index - 2, "."), let leftColumn = name(index - 1),
                let right = name(index + 1), isSymbol(index + 2, "."), let rightColumn = name(index + 3)
            else { continue }
            equalities.append(("\(left).\(leftColumn)", "\(right).\(rightColumn)"))
        }
        /// Returns the columns that are equal to a column.
        func equal(_ column: String) -> Set<String> {
            var found: Set = [column]
            while true {
                let more = equalities.filter { found.contains($0.0) != found.contains($0.1) }
                guard !more.isEmpty else { return found }
                for (left, right) in more { found.formUnion([left, right]) }
            }
        }
        var wrong: Set<String> = []
        for (left, right) in equalities {
            let names = [left, right].map { String($0.prefix { $0 != "." }) }
            guard names[0] != names[1], names.allSatisfy(aliases.contains) else { continue }
            if !equal("\(names[0]).user_id").contains("\(names[1]).user_id") {
                wrong.insert([left, right].sorted().joined(separator: " = "))
            }
        }
        for alias in joined where wrong.isEmpty && equal("\(alias).user_id").count == 1 { wrong.insert(alias) }
        return wrong.sorted()
    }
}
