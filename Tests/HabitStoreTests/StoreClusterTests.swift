import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine
@testable import StoreSpatiaLite

/// Tests that a sharded store returns the results of a single database and commits changes completely or not at all.
@Suite(.serverStoreOnly) struct StoreClusterTests {
    private static let users = (0..<12).map { "u\($0)" }

    private static func records() throws -> [Record] {
        var records: [Record] = users.map { .user($0) }
        let first = try #require(Day("2026-01-01"))
        for (number, user) in users.enumerated() {
            records += [.habit("h\(number)", of: user), .follow(user, users[(number + 5) % users.count])]
            for day in 0..<5 {
                let position = Position(longitude: Double(number) / 100, latitude: Double(day) / 100)
                records.append(
                    .event(
                        "h\(number)", first.advanced(by: day).description, id: "e\(number)-\(day)",
                        comment: "day \(day) of læsning", at: position))
            }
        }
        return records
    }

    private static func sampleStore(shards: Int) throws -> TestStore {
        let store = try TestStore(shards: shards)
        try store.write(try records())
        return store
    }

    @Test(arguments: [1, 2, 4, 8]) func filledStoreIsDistributedOverShards(count: Int) throws {
        let (store, databases) = (try Self.sampleStore(shards: 0), try TestStore(shards: count))
        let before = try store.engine.contents()
        let shards = try databases.shards
        for shard in shards { try TestServer.execute("DROP SCHEMA habitat CASCADE", in: shard) }
        let cluster = try StoreCluster(store.engine)
        #expect(try cluster.status().isEmpty)
        var messages: [String] = []
        try cluster.distribute(over: shards.map(TestServer.url(of:))) { messages.append($0) }
        #expect(messages.count == count)
        #expect(try store.engine.contents() == before)
        let status = try cluster.status()
        #expect(status.map(\.problem) == [String?](repeating: nil, count: count))
        #expect(status.compactMap(\.contents?.events).reduce(0, +) == 60)
        #expect(try cluster.check().filter { !$0.isOK }.isEmpty)
        #expect(try StoreDoctor(store.engine).examine().filter { $0.status != .ok } == [])
        #expect(throws: HabitError.self) { try cluster.distribute(over: shards.map(TestServer.url(of:))) { _ in } }
    }

    /// The same queries and changes on a single database and on several shards.
    @Test(arguments: [2, 4]) func shardedStoreReturnsSameResultsAsSingleDatabase(count: Int) throws {
        let (single, cluster) = (try Self.sampleStore(shards: 0), try Self.sampleStore(shards: count))
        #expect(try cluster.engine.contents() == single.engine.contents())
        let clock = Clock(now: .now)
        for store in [single, cluster] {
            try store.write([
                .event("h3", "2026-01-02", comment: "changed"), .event("h4", "2026-01-20", comment: "new"),
                .user("late"),
            ])
            try store.engine.write { session in
                try session.run(SQL("DELETE FROM habit WHERE external_id = 'h5'"))
                try session.run(SQL("DELETE FROM account WHERE external_id = 'u6'"))
                try session.run(SQL("UPDATE event SET comment = NULL, comment_folded = NULL WHERE day = '2026-01-03'"))
            }
        }
        #expect(try cluster.engine.contents() == single.engine.contents())
        var queries: [(String?, EventQuery)] = []
        for user in [nil, "u0", "u7"] as [String?] {
            for scope in EventQuery.Scope.allCases where user != nil || scope == .all {
                var plain = EventQuery(viewer: .operator)
                plain.scope = scope
                var near = plain
                near.filter.near = Near(center: .origin)
                var comment = plain
                comment.filter.comment = "læs"
                queries += [plain, near, comment].map { (user, $0) }
            }
        }
        for (user, query) in queries {
            func rows(_ store: TestStore) throws -> [[String]] {
                try store.rows(as: user) { session, viewer in
                    var query = query
                    query.viewer = viewer
                    return try query.selection(in: session)
                }
            }
            let expected = try rows(single)
            #expect(try rows(cluster) == expected, "\(user ?? "operator") \(query)")
        }
        let sql = "SELECT user, count(*) AS n, max(day) AS last FROM events GROUP BY user ORDER BY user"
        func rowsOfReport(_ store: TestStore) throws -> [String] {
            var rows: [String] = []
            try store.engine.read { session in
                _ = try AnalystQuery(sql, viewer: .operator, clock: clock).run(in: session) { _ in
                    { rows.append("\($0.text(0) ?? "") \($0.integer(1)) \($0.text(2) ?? "")") }
                }
            }
            return rows
        }
        #expect(try rowsOfReport(single).count == 10)
        #expect(try rowsOfReport(cluster) == rowsOfReport(single))
        #expect(try StoreDoctor(cluster.engine).examine().filter { $0.status != .ok } == [])
    }

    // MARK: Atomic commits

    /// postgres_fdw commits on one server after the other.
    ///
    /// If the second commit fails, the first shard has a partial change.
    @Test func commitThatFailsOnOneShardIsUndoneOnOthers() throws {
        let store = try Self.sampleStore(shards: 2)
        #expect(try [0, 1].filter { try Self.leavesPartialChange(failing: $0, store) }.count == 1)
        let before = try store.engine.contents()
        try Self.change(store)
        #expect(try store.engine.contents() != before)
        #expect(try StoreDoctor(store.engine).examine().filter { $0.status != .ok } == [])
    }

    private static func leavesPartialChange(failing: Int, _ store: TestStore) throws -> Bool {
        let (before, change) = (try store.engine.contents(), try store.engine.dataVersion())
        let shards = try store.shards
        try TestServer.execute(
            """
            CREATE FUNCTION habitat.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
            CREATE CONSTRAINT TRIGGER fail AFTER UPDATE ON habitat.shard DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION habitat.fail()
            """, in: shards[failing])
        #expect(throws: HabitError.self) { try Self.change(store) }
        let reached = try shards.map {
            try TestServer.execute("SELECT change FROM habitat.shard", in: $0).flatMap { Int64($0) }
        }
        #expect(reached[failing] == change)
        try TestServer.execute("DROP TRIGGER fail ON habitat.shard; DROP FUNCTION habitat.fail", in: shards[failing])
        let isPartial = reached[1 - failing] != change
        if isPartial {
            // The partial change exists until the store is opened.
            #expect(reached[1 - failing] == change + 1)
            let status = try StoreCluster(store.engine).status()
            #expect(status[1 - failing].problem?.contains("cut short") ?? false)
        }
        #expect(try store.engine.contents() == before)
        #expect(try StoreCluster(store.engine).status().allSatisfy { $0.problem == nil })
        return isPartial
    }

    /// Inserts, changes and deletes rows of every shard.
    private static func change(_ store: TestStore) throws {
        try store.engine.write { session in
            try session.run(SQL("DELETE FROM event WHERE day = '2026-01-01'"))
            try session.run(
                SQL("UPDATE event SET comment = 'other', comment_folded = 'other' WHERE day = '2026-01-02'"))
            try session.run(
                SQL("UPDATE event SET comment = 'again', comment_folded = 'again' WHERE day = '2026-01-02'"))
            try session.writeRecords { writer in
                for number in users.indices { _ = try writer.write(.event("h\(number)", "2026-02-01", comment: "new")) }
            }
            try session.run(
                SQL("UPDATE event SET comment = 'newer', comment_folded = 'newer' WHERE day = '2026-02-01'"))
            try session.run(SQL("DELETE FROM event WHERE day = '2026-01-02' AND external_id LIKE 'e1%'"))
        }
    }

    /// A shard may have committed before the store's own server failed.
    ///
    /// The additional change of the shard is undone.
    @Test(arguments: [true, false]) func changesOfShardAheadOfStoreAreUndone(byReading: Bool) throws {
        let store = try Self.sampleStore(shards: 2)
        let before = try store.engine.contents()
        let shard = try #require(try store.shards.first)
        try TestServer.execute(
            """
            UPDATE habitat.shard SET change = change + 1;
            INSERT INTO habitat.event SELECT (new).* FROM (
              SELECT jsonb_populate_record(event, jsonb_build_object('id', id + 1000, 'external_id', 'new' || id, 'day', '2027-01-01')) AS new
              FROM habitat.event WHERE day = '2026-01-01') AS rows;
            UPDATE habitat.event SET day = '2025-12-31', geometry = NULL WHERE day = '2026-01-05';
            DELETE FROM habitat.event WHERE day = '2026-01-02'
            """, in: shard)
        if !byReading { try store.write([.user("later")]) }
        let after = try store.engine.contents()
        #expect(byReading ? after == before : after.replacing(#/.*"later".*\n/#, with: "") == before)
    }

    @Test func failedLoadLeavesNothing() throws {
        struct Stop: Error {}
        let store = try TestStore(shards: 2)
        try store.write(Self.users.map { .user($0) } + Self.users.indices.map { .habit("h\($0)", of: Self.users[$0]) })
        let before = try store.engine.contents()
        #expect(throws: Stop.self) {
            try store.engine.load { writer in
                for record in try Self.records() { _ = try writer.write(record) }
                throw Stop()
            }
        }
        #expect(try store.engine.contents() == before)
        // The indexes exist again.
        for shard in try store.shards {
            let indexes = try TestServer.execute("SELECT count(*) FROM pg_indexes WHERE tablename = 'event'", in: shard)
            #expect(indexes == "9")
        }
    }

    // MARK: Unavailable shards

    @Test func storeIsUnavailableUntilShardReturns() throws {
        let store = try Self.sampleStore(shards: 2)
        let before = try store.engine.contents()
        let shard = try #require(try store.shards.last)
        try TestServer.execute("ALTER DATABASE \(shard) ALLOW_CONNECTIONS false", in: "postgres")
        try TestServer.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(shard)'", in: "postgres")
        for _ in 0..<2 {
            #expect { try store.engine.contents() } throws: { Self.isShardError($0) }
            #expect { try store.write([.user("new")]) } throws: { Self.isShardError($0) }
        }
        let status = try StoreCluster(store.engine).status()
        #expect(status.map { $0.contents == nil } == [false, true])
        try TestServer.execute("ALTER DATABASE \(shard) ALLOW_CONNECTIONS true", in: "postgres")
        #expect(try store.engine.contents() == before)
        try store.write([.user("new")])
    }

    private static func isShardError(_ error: any Error) -> Bool {
        guard let error = error as? HabitError else { return false }
        return error.code == .storeUnavailable && error.message.hasPrefix("shard 1 of ")
    }

    /// A shard that lacks a change, or that has more than one additional change, may have changes that the store lacks.
    @Test(arguments: [-1, 2, 5]) func shardOfOtherVersionIsRefusedAndUnchanged(changes: Int) throws {
        let store = try Self.sampleStore(shards: 2)
        let shard = try #require(try store.shards.first)
        try TestServer.execute(
            """
            ALTER TABLE habitat.shard DISABLE TRIGGER ALL; UPDATE habitat.shard SET change = change + \(changes);
            ALTER TABLE habitat.shard ENABLE TRIGGER ALL
            """, in: shard)
        let rows = "SELECT string_agg(event::text, ' ' ORDER BY id) FROM habitat.event"
        let before = try TestServer.execute(rows, in: shard)
        #expect { try store.engine.contents() } throws: { ($0 as? HabitError)?.code == .storeDamaged }
        #expect { try store.write([.user("new")]) } throws: { ($0 as? HabitError)?.code == .storeDamaged }
        #expect(try StoreCluster(store.engine).status().first?.problem?.contains("not that of the store") ?? false)
        #expect(try TestServer.execute(rows, in: shard) == before)
    }

    /// A copy could undo or change rows of the store on their common shards.
    @Test func copyOfDatabaseOfStoreIsRefused() throws {
        let store = try Self.sampleStore(shards: 2)
        let before = try store.engine.contents()
        try TestServer.execute("UPDATE habitat.shard SET store = store || 'x'", in: try store.shards[1])
        for _ in 0..<2 {
            #expect { try store.engine.contents() } throws: { Self.errorContains("belong to another database", $0) }
            #expect { try store.write([.user("new")]) } throws: { Self.errorContains("belong to another database", $0) }
        }
        #expect(try StoreCluster(store.engine).status().map { $0.problem == nil } == [true, false])
        guard case .database(let url) = store.location, let name = url.split(separator: "/").last else { return }
        try TestServer.execute("UPDATE habitat.shard SET store = habitat_functions.store_place()", in: String(name))
        #expect(try store.engine.contents() == before)
    }

    // MARK: Invalid shards

    @Test func invalidShardsAreRefusedAndUnchanged() throws {
        let (store, other) = (try Self.sampleStore(shards: 0), try Self.sampleStore(shards: 2))
        let before = (try store.engine.contents(), try other.engine.contents())
        let used = try other.shards.map(TestServer.url(of:))
        let cluster = try StoreCluster(store.engine)
        #expect { try cluster.distribute(over: used) { _ in } } throws: {
            Self.errorContains("holds a store already", $0)
        }
        #expect { try cluster.distribute(over: used + used.prefix(1)) { _ in } } throws: {
            Self.errorContains("1, 2, 4 or 8", $0)
        }
        guard case .database(let own) = store.location else { return }
        #expect { try cluster.distribute(over: [own]) { _ in } } throws: {
            Self.errorContains("different databases", $0)
        }
        let empty = try TestStore(shards: 2)
        let two = try empty.shards
        for shard in two { try TestServer.execute("DROP SCHEMA habitat CASCADE", in: shard) }
        let same = ["", "?application_name=other"].map { TestServer.url(of: two[0]) + $0 }
        #expect { try cluster.distribute(over: same) { _ in } } throws: {
            Self.errorContains("different databases", $0)
        }
        #expect {
            try cluster.distribute(over: ["postgresql://127.0.0.1:1/x?password=secret"]) { _ in }
        } throws: { Self.errorContains("cannot be reached", $0) && !Self.errorContains("secret", $0) }
        #expect(try store.engine.contents() == before.0)
        #expect(try other.engine.contents() == before.1)
        #expect(throws: HabitError.self) { _ = try StoreCluster(SpatiaLiteEngine.temporary()) }
    }

    @Test func shardIsRefusedAsStore() throws {
        let store = try TestStore(shards: 1)
        let shard = StoreLocation(TestServer.url(of: try #require(try store.shards.first)))
        for access in [StoreAccess.read, .write, .create] {
            #expect { _ = try shard.open(access, wait: .zero) } throws: {
                ($0 as? HabitError)?.code == .storeNotHabitat
            }
        }
    }

    private static func errorContains(_ text: String, _ error: any Error) -> Bool {
        (error as? HabitError)?.message.contains(text) ?? false
    }

    /// A distribution that was interrupted before the store was updated starts again.
    @Test func leftoversOfInterruptedDistributionAreRemoved() throws {
        let (store, databases) = (try Self.sampleStore(shards: 0), try TestStore(shards: 2))
        let before = try store.engine.contents()
        let place = try #require(
            try store.engine.read { try $0.first("SELECT habitat_functions.store_place()") { $0.text(0) ?? "" } })
        for shard in try databases.shards {
            try TestServer.execute("UPDATE habitat.shard SET store = '\(place)', is_used = false", in: shard)
        }
        let cluster = try StoreCluster(store.engine)
        try cluster.distribute(over: try databases.shards.map(TestServer.url(of:))) { _ in }
        #expect(try store.engine.contents() == before)
    }

    // MARK: Plans

    @Test(
        arguments: [
            ([], true, 0, nil, nil),
            (
                ["->  Foreign Scan on habitat.event_0", "Remote SQL: SELECT id FROM habitat.event WHERE ((a = 1))"],
                true, 1, "((a = 1))", nil
            ),
            (["Foreign Scan on habitat.event_0", "Remote SQL: SELECT id FROM habitat.event"], false, 1, nil, nil),
            (
                [
                    "->  Foreign Scan on habitat.event_1", "Filter: (f(a) > 1)",
                    "Remote SQL: SELECT id FROM habitat.event WHERE ((b OPERATOR(public.&&) 'x'))",
                    "->  Seq Scan on habitat.account", "Filter: c",
                ], false, 1, "((b && 'x'))", "(f(a) > 1)"
            ),
        ] as [([String], Bool, Int, String?, String?)])
    func planIsParsedIntoShardsAndFilters(plan: [String], isOK: Bool, shards: Int, there: String?, here: String?) {
        let check = ClusterCheck(question: "q", plan: plan)
        #expect(check.isOK == isOK && check.shards == shards && check.there == there && check.here == here, "\(check)")
    }
}
