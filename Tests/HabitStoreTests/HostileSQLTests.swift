import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine
@testable import StorePostGIS

/// Tests that user-supplied SQL reads only the user's views and has no other effect.
@Suite(.userSQL) struct HostileSQLTests {
    private static func fill(_ engine: any Engine) throws {
        try engine.write { session in
            var owner = UserRecord(id: "owner")
            owner.email = .value("secret@example.org")
            var habit = HabitRecord(id: "owner-run", user: "owner", title: "run", schedule: .everyDay)
            habit.reason = .value("secret-reason")
            var item = ItemRecord(id: "chair", user: "owner", name: "Chair")
            item.state = .value(.available)
            let message = MessageRecord(item: "chair", sender: "owner", recipient: "other", text: "secret-message")
            let records: [Record] = [
                .user(owner), .user("other"), .user("attacker"), .habit(habit), .habit("attacker-run", of: "attacker"),
                .event("owner-run", "2026-11-20", comment: "secret-comment"),
                .event("attacker-run", "2026-11-20", comment: "own-comment"), .item(item), .message(message),
            ]
            try session.writeRecords { writer in
                for record in records { _ = try writer.write(record) }
            }
            try session.run(
                SQL(
                    "INSERT INTO token (external_id, user_id, sha256, label, created_at, expires_at) SELECT 't', id, :digest, NULL, 0, 1 FROM account WHERE external_id = 'owner'",
                    ["digest": .blob([0x5e, 0xc2, 0xe7] + [UInt8](repeating: 7, count: 29))]))
        }
    }

    /// Runs each statement as the attacker and returns the statements whose result contains a secret.
    private static func leakingStatements(_ statements: [String], in engine: any Engine) throws -> [String] {
        let viewer = try engine.read { try Viewer.user(named: "attacker", in: $0) }
        return try engine.analyze(as: viewer, clock: Clock(now: .now)) { session in
            try statements.filter { sql in
                var result = ""
                do {
                    var query = AnalystQuery(sql, viewer: viewer, clock: Clock(now: .now))
                    query.limits.timeout = .seconds(5)
                    try query.run(in: session) { shape in
                        { row in for index in shape.columns.indices { result += (row.text(index) ?? "") + " " } }
                    }
                } catch let error as HabitError {
                    result = error.message
                }
                // The session still works and sees the same rows.
                #expect(try session.first("SELECT count(*) FROM event") { $0.integer(0) } == 2, "\(sql)")
                return HostileSQL.secrets.contains { result.contains($0) && !sql.contains($0) }
            }
        }
    }

    @Test func hostileStatementsAreMany() { #expect(HostileSQL.statements.count >= 150) }

    @Test func hostileStatementsReadAndChangeNothing() throws {
        let store = try TestStore()
        try Self.fill(store.engine)
        let before = try store.engine.dataVersion()
        #expect(try Self.leakingStatements(HostileSQL.statements, in: store.engine) == [])
        #expect(try store.engine.dataVersion() == before)
    }

    /// An error that depends on a hidden row would reveal it, so the query must find only the attacker's event.
    @Test func conditionsDoNotRunOnHiddenRows() throws {
        let store = try TestStore()
        try Self.fill(store.engine)
        let viewer = try store.engine.read { try Viewer.user(named: "attacker", in: $0) }
        var counts: [String] = []
        try store.engine.analyze(as: viewer, clock: Clock(now: .now)) { session in
            let sql = """
                SELECT count(*) FROM events
                WHERE CAST(CASE comment WHEN 'own-comment' THEN '1' ELSE comment END AS integer) = 1
                """
            try AnalystQuery(sql, viewer: viewer, clock: Clock(now: .now)).run(in: session) { _ in
                { counts.append($0.text(0) ?? "") }
            }
        }
        #expect(counts == ["1"])
    }

    // MARK: PostgreSQL

    /// Creates a store whose role has no attributes, as an administrator would set it up.
    private static func plainOwnerStore() throws -> (engine: any Engine, database: String) {
        let store = try TestStore()
        guard case .database(let url) = store.location, let name = url.split(separator: "/").last.map(String.init)
        else {
            throw HabitError(.internal, "not a database")
        }
        let owner = "habitat_plain_owner"
        _ = try? TestServer.execute("CREATE ROLE \(owner) LOGIN", in: "postgres")
        let database = "\(name)_plain"
        try TestServer.execute("CREATE DATABASE \(database) OWNER \(owner)", in: "postgres")
        try TestServer.execute("CREATE EXTENSION postgis; CREATE EXTENSION pg_trgm", in: database)
        let location = StoreLocation(TestServer.url(of: database, as: owner))
        let analyst = AnalystStore(url: TestServer.url(of: database, as: TestServer.analystRole))
        _ = try location.open(.create, wait: .seconds(5), analyst: analyst)
        for statement in try location.openStatements(for: analyst) {
            try TestServer.execute(statement, in: database)
        }
        #expect(try location.openStatements(for: analyst) == [])
        return (try location.open(.write, wait: .seconds(5), analyst: analyst), database)
    }

    @Test(.serverStoreOnly) func hostileStatementsFailWhenProgramIsPlainOwner() throws {
        let (engine, database) = try Self.plainOwnerStore()
        try Self.fill(engine)
        let before = try engine.dataVersion()
        #expect(try Self.leakingStatements(HostileSQL.statements, in: engine) == [])
        #expect(try engine.dataVersion() == before)
        #expect(try TestServer.execute("SELECT count(*) FROM pg_largeobject_metadata", in: database) == "0")
    }

    /// Without the check for blocked words, permissions stop the statements.
    @Test(.serverStoreOnly) func permissionsStopHostileStatementsWithoutBlockedWords() throws {
        for engine in [try TestStore().engine, try Self.plainOwnerStore().engine] {
            try Self.fill(engine)
            let before = try engine.dataVersion()
            let viewer = try engine.read { try Viewer.user(named: "attacker", in: $0) }
            try engine.analyze(as: viewer, clock: Clock(now: .now)) { session in
                let session = try #require(session as? PostGISSession)
                let connection = try #require(session.analyst?.connection)
                // Statements that only end the transaction would end the test.
                for sql in HostileSQL.statements where !Self.onlyEndsTransaction(sql) {
                    var text = ""
                    _ = try? session.attempt { text = try connection.execute(Self.textQuery(sql)).text ?? "" }
                    #expect(!HostileSQL.secrets.contains { text.contains($0) && !sql.contains($0) }, "\(sql)")
                }
                #expect(try connection.execute("SELECT count(*) FROM pg_largeobject_metadata").text == "0")
                let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
                #expect(try connection.execute(locks).text == "0")
            }
            #expect(try engine.dataVersion() == before)
        }
    }

    private static func onlyEndsTransaction(_ sql: String) -> Bool {
        ["BEGIN", "COMMIT", "ROLLBACK", "DISCARD ALL"].contains(sql)
    }

    /// Returns a statement for all rows and columns as one text.
    private static func textQuery(_ sql: String) -> String {
        sql.hasPrefix("SELECT") && !sql.contains(";") ? "SELECT string_agg(q::text, ' ') FROM (\(sql)) AS q" : sql
    }

    @Test(.serverStoreOnly) func userSQLIsRefusedWithoutAnalystRole() throws {
        let store = try TestStore()
        try Self.fill(store.engine)
        let engine = try store.location.open(.read, wait: .seconds(5))
        let viewer = try engine.read { try Viewer.user(named: "attacker", in: $0) }
        #expect {
            try engine.analyze(as: viewer, clock: Clock(now: .now)) { session in
                _ = try AnalystQuery("SELECT 1", viewer: viewer, clock: Clock(now: .now)).run(in: session) { _ in
                    { _ in }
                }
            }
        } throws: { error in
            guard let error = error as? HabitError else { return false }
            return error.code == .storeUnavailable && error.remedies.contains(.give(.analystStore))
        }
    }

    /// The program refuses user-supplied SQL if any permission rule is violated.
    @Test(
        .serverStoreOnly,
        arguments: [
            "GRANT EXECUTE ON FUNCTION pg_sleep(double precision) TO PUBLIC",
            "GRANT EXECUTE ON FUNCTION lo_create(oid) TO habitat_analyst", "GRANT CREATE ON SCHEMA public TO PUBLIC",
            "GRANT TEMPORARY ON DATABASE \"DATABASE\" TO PUBLIC", "GRANT USAGE ON SCHEMA habitat TO habitat_analyst",
        ])
    func userSQLIsRefusedWhenRoleHasMorePermissions(grant: String) throws {
        let store = try TestStore()
        guard case .database(let url) = store.location, let name = url.split(separator: "/").last else { return }
        try TestServer.execute(grant.replacing("DATABASE\"", with: "\(name)\""), in: String(name))
        let engine = try store.location.open(
            .read, wait: .seconds(5), analyst: TestServer.analyst(of: store.location))
        #expect {
            try engine.analyze(as: .operator, clock: Clock(now: .now)) { _ in }
        } throws: {
            ($0 as? HabitError)?.code == .storeUnavailable
        }
    }

    /// The views are empty in a session that the program has not registered.
    @Test(.serverStoreOnly) func viewsAreEmptyWithoutRegisteredSession() throws {
        let store = try TestStore()
        try Self.fill(store.engine)
        guard case .database(let url) = store.location, let name = url.split(separator: "/").last else { return }
        let connection = try PostGISConnection(TestServer.url(of: String(name), as: TestServer.analystRole))
        for schema in [AnalystViews.forUsers, AnalystViews.forOperator] {
            for view in ["users", "habits", "events", "items", "posts", "follows", "claims", "messages"] {
                #expect(try connection.execute("SELECT count(*) FROM \(schema).\(view)").text == "0")
            }
        }
    }

    /// A session has no settings of another user's session.
    @Test(.serverStoreOnly) func sessionsOfTwoUsersShareNoSettings() throws {
        let store = try TestStore()
        try Self.fill(store.engine)
        for user in ["owner", "attacker", "owner"] {
            let viewer = try store.engine.read { try Viewer.user(named: user, in: $0) }
            try store.engine.analyze(as: viewer, clock: Clock(now: .now)) { session in
                var users: Set<String> = []
                try AnalystQuery("SELECT user FROM events", viewer: viewer, clock: Clock(now: .now)).run(in: session) {
                    _ in
                    { users.insert($0.text(0) ?? "") }
                }
                #expect(users == [user])
                let connection = try #require((session as? PostGISSession)?.analyst?.connection)
                #expect(try connection.execute("SELECT coalesce(current_setting('mark.user', true), '')").text == "")
                _ = try connection.execute("SELECT set_config('mark.user', '\(user)', false)")
            }
        }
        #expect(
            try store.engine.read {
                try $0.first("SELECT count(*) FROM habitat_views.viewer_session") { $0.integer(0) }
            } == 0)
    }

    /// PostgreSQL finds the rows of a user through the index on the user.
    @Test(.serverStoreOnly) func viewsUseIndexOnUser() throws {
        let store = try TestStore()
        try Self.fill(store.engine)
        let viewer = try store.engine.read { try Viewer.user(named: "attacker", in: $0) }
        try store.engine.analyze(as: viewer, clock: Clock(now: .now)) { session in
            let connection = try #require((session as? PostGISSession)?.analyst?.connection)
            try connection.execute("SET LOCAL enable_seqscan TO off")
            let plan = try AnalystQuery(
                "SELECT id FROM events WHERE user = 'attacker'", viewer: viewer, clock: Clock(now: .now)
            ).plan(in: session).joined(separator: "\n")
            #expect(plan.contains("Index Cond: (user_id ="), "\(plan)")
        }
    }
}
