import Base
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
                    var query = AnalysisQuery(sql, viewer: viewer, clock: Clock(now: .now))
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
            try AnalysisQuery(sql, viewer: viewer, clock: Clock(now: .now)).run(in: session) { _ in
                { counts.append($0.text(0) ?? "") }
            }
        }
        #expect(counts == ["1"])
    }

    /// The function finds words in the comments of all users for the queries of the program.
    @Test func functionOverAllCommentsCannotBeCalled() throws {
        let store = try TestStore()
        try Self.fill(store.engine)
        let viewer = try store.engine.read { session in try Viewer.user(named: "attacker", in: session) }
        try store.engine.analyze(as: viewer, clock: Clock(now: .now)) { session in
            let sql = "SELECT count(*) FROM rows_with_words('secret')"
            let query = AnalysisQuery(sql, viewer: viewer, clock: Clock(now: .now))
            let error = #expect(throws: HabitError.self) {
                try query.run(in: session) { _ in
                    { _ in }
                }
            }
            #expect(error?.code == .reportInvalid)
            #expect(error?.message.contains("rows_with_words") == true)
        }
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
        let analyst = AnalystLogin(url: TestServer.url(of: database, as: TestServer.analystRole))
        _ = try location.open(.create, wait: .seconds(5), analyst: analyst)
        for statement in try location.openStatements(for: analyst) {
            try TestServer.execute(statement, in: database)
        }
        #expect(try location.openStatements(for: analyst) == [])
        return (try location.open(.write, wait: .seconds(5), analyst: analyst), database)
    }

    @Test(.serverStoreOnly) func hostileStatementsFailWhenProgramIsPlainOwner() throws {
        let owned = try Self.plainOwnerStore()
        let engine = owned.engine
        let database = owned.database
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
                // The role cannot execute the function that reads the locks.
                let process = try connection.execute("SELECT pg_backend_pid()").text ?? ""
                let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = \(process)"
                #expect(try TestServer.execute(locks, in: "postgres") == "0")
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
                _ = try AnalysisQuery("SELECT 1", viewer: viewer, clock: Clock(now: .now)).run(in: session) { _ in
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
            "GRANT EXECUTE ON FUNCTION ts_stat(text) TO PUBLIC", "GRANT EXECUTE ON FUNCTION xpath(text, xml) TO PUBLIC",
            "GRANT EXECUTE ON FUNCTION st_estimatedextent(text, text) TO PUBLIC",
            // A new extension has such functions.
            "CREATE FUNCTION public.http_get(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1'",
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

    /// The role executes the functions that the views and SQL over them need, and in `pg_catalog` no others than those without
    /// side effects.
    @Test(.serverStoreOnly) func roleExecutesOnlyNeededFunctions() throws {
        let store = try TestStore()
        // The database is dropped with the store.
        defer { withExtendedLifetime(store) {} }
        guard case .database(let url) = store.location, let name = url.split(separator: "/").last else { return }
        for database in [String(name), try Self.plainOwnerStore().database] {
            func names(_ condition: String) throws -> [String] {
                let sql = """
                    SELECT string_agg(DISTINCT nspname || '.' || proname, ' ' ORDER BY nspname || '.' || proname)
                    FROM pg_proc
                    JOIN pg_namespace ON pg_namespace.oid = pronamespace
                    WHERE has_function_privilege('\(TestServer.analystRole)', pg_proc.oid, 'EXECUTE') AND (\(condition))
                    """
                return try TestServer.execute(sql, in: database)?.split(separator: " ").map(String.init) ?? []
            }
            let dialect = PostGISDialect(StoreSchema.postGIS.declaration, postgis: "public", isDistributed: false)
            let functions = AnalystViews(.postGIS, dialect).functions
            let needed = functions.own.map { "habitat_functions.\($0)" } + functions.ofPostGIS.map { "public.\($0)" }
            #expect(try names("nspname <> 'pg_catalog'") == needed.sorted())
            #expect(
                functions.ofPostGIS.sorted() == [
                    "st_boundary", "st_covers", "st_distancespheroid", "st_dumppoints", "st_geomfromtext",
                    "st_intersects",
                    "st_makeenvelope", "st_makepoint", "st_setsrid", "st_x", "st_y",
                ])
            #expect(functions.own.isSuperset(of: ["rfc3339", "distance", "in_area", "percentile", "day_number"]))
            #expect(!functions.own.contains("fold"))
            #expect(try names("nspname = 'pg_catalog' AND provolatile = 'v'") == ["pg_catalog.set_config"])
            #expect(
                try names("proname ~ 'xml|xpath' OR proname = 'ts_stat' OR 'xml'::regtype = ANY (proargtypes::oid[])")
                    == [])
        }
    }

    /// The time limit would not end these expressions: libxml2 does not look at interrupts.
    @Test(.serverStoreOnly) func expressionsWithoutTimeLimitAreRefused() throws {
        let store = try TestStore()
        try Self.fill(store.engine)
        let viewer = try store.engine.read { try Viewer.user(named: "attacker", in: $0) }
        let xml = "(''<r>''||repeat(''<a/>'',1200)||''</r>'')::xml"
        let path = "xpath(''count(//a[count(//a[count(//a)>0])>0])'', \(xml))"
        for sql in [
            "SELECT l.ts_stat FROM trim('select array_to_tsvector(array[\(path)::text])') AS l",
            "SELECT l.xml FROM trim('<r/>') AS l", "SELECT l.xml_is_well_formed FROM trim('<r/>') AS l",
            "SELECT l.xmlcomment FROM trim('a') AS l", "SELECT l.pg_sleep FROM sqrt(81) AS l",
        ] {
            try store.engine.analyze(as: viewer, clock: Clock(now: .now)) { session in
                let error = #expect(throws: HabitError.self, "\(sql)") {
                    var query = AnalysisQuery(sql, viewer: viewer, clock: Clock(now: .now))
                    query.limits.timeout = .seconds(5)
                    try query.run(in: session) { _ in { _ in } }
                }
                #expect(error?.code == .reportInvalid, "\(sql): \(String(describing: error))")
            }
        }
    }

    /// The author of the SQL can prevent errors of these classes.
    @Test(arguments: ["22012", "22P02", "34000", "42601", "42883", "55000", "55P02", "55P03", "54001"])
    func errorsOfSQLAreReportInvalid(state: String) {
        #expect(PostGISStatement.isFaultOfSQL(state))
        for other in ["08006", "57P01", "53100", "58030", "40001"] { #expect(!PostGISStatement.isFaultOfSQL(other)) }
    }

    /// The views are empty in a session that the program has not registered.
    @Test(.serverStoreOnly) func viewsAreEmptyWithoutRegisteredSession() throws {
        let store = try TestStore()
        try Self.fill(store.engine)
        guard case .database(let url) = store.location, let name = url.split(separator: "/").last else { return }
        let connection = try PostGISConnection(TestServer.url(of: String(name), as: TestServer.analystRole))
        for schema in [AnalystViews.forReaders, AnalystViews.forOperator] {
            for view in ["users", "habits", "pauses", "events", "items", "posts", "follows", "claims", "messages"] {
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
                try AnalysisQuery("SELECT user FROM events", viewer: viewer, clock: Clock(now: .now)).run(in: session) {
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
            let plan = try AnalysisQuery(
                "SELECT id FROM events WHERE user = 'attacker'", viewer: viewer, clock: Clock(now: .now)
            ).plan(in: session).joined(separator: "\n")
            #expect(plan.contains("Index Cond: (user_id ="), "\(plan)")
        }
    }
}
