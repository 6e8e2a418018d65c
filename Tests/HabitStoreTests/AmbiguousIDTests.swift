import Base
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of claims and follows whose IDs are ambiguous without escapes, because IDs contain slashes.
@Suite struct AmbiguousIDTests {
    private static let clock = Clock(now: Instant(microseconds: 1_795_608_000_000_000))  // 2026-11-25T12:00:00Z

    /// Creates a store with two claims `a/b/c` and two follows `x/y/z` in zones with different days.
    private static func makeStore() throws -> TestStore {
        let store = try TestStore()
        var records: [Record] = [
            .user("owner"),
            .user("c", zone: "UTC"),
            .user("b/c", zone: "Asia/Tokyo"),
            .user("x", zone: "UTC"),
            .user("x/y", zone: "Asia/Tokyo"),
            .user("y/z"),
            .user("z"),
            .item(ItemRecord(id: "a", user: "owner", name: "A")),
            .item(ItemRecord(id: "a/b", user: "owner", name: "A B")),
        ]
        let at = try #require(OffsetInstant("2026-11-20T20:00:00Z"))
        for (item, user) in [("a/b", "c"), ("a", "b/c")] {
            var claim = ClaimRecord(item: item, user: user)
            claim.claimedAt = .value(at)
            records.append(.claim(claim))
        }
        for (follower, followee) in [("x", "y/z"), ("x/y", "z")] {
            var follow = FollowRecord(follower: follower, followee: followee)
            follow.requestedAt = .value(at)
            records.append(.follow(follow))
        }
        try store.write(records)
        return store
    }

    private static func rows(_ sql: String, on store: TestStore, as user: String? = nil) throws -> [String] {
        var rows: [String] = []
        try store.analyze(as: user, clock: clock) { session, viewer in
            _ = try AnalysisQuery(sql, viewer: viewer, clock: clock).run(in: session) { shape in
                { row in rows.append(shape.columns.indices.map { row.text($0) ?? "∅" }.joined(separator: " ")) }
            }
        }
        return rows
    }

    @Test(.userSQL, arguments: [nil, "owner"] as [String?]) func localTimesOfClaimsAreExact(user: String?) throws {
        let rows = try Self.rows(
            """
            SELECT claims.item, claims.user, local.day
            FROM claims
            JOIN local_times('claims') AS local ON local.id = claims.item || '/' || claims.user AND local.user = claims.user
            ORDER BY claims.item
            """, on: Self.makeStore(), as: user)
        #expect(rows == ["a b/c 2026-11-21", "a/b c 2026-11-20"])
    }

    @Test(.userSQL) func localTimesOfFollowsAreExact() throws {
        let rows = try Self.rows(
            """
            SELECT follows.follower, follows.followee, local.day
            FROM follows
            JOIN local_times('follows') AS local
              ON local.id = follows.follower || '/' || follows.followee AND local.user = follows.follower
            ORDER BY follows.follower
            """, on: Self.makeStore())
        #expect(rows == ["x y/z 2026-11-20", "x/y z 2026-11-21"])
    }

    @Test(.userSQL, arguments: ["events", "items", "posts", "messages"])
    func userOfLocalTimeIsUserOfRecord(kind: String) async throws {
        let store = try await TestStore(copyOf: kind == "events" ? .rules : .sharing)
        let user = kind == "messages" ? "sender" : "\"user\""
        if kind == "messages" {
            var message = MessageRecord(item: "i-claimed", sender: "cleo", recipient: "pat", text: "hello")
            message.id = "m1"
            message.sentAt = try .value(#require(OffsetInstant("2026-11-12T10:00:00Z")))
            try store.write([.message(message)])
        }
        let rows = try Self.rows(
            "SELECT id, \(user) AS person FROM \(kind) AS v ORDER BY id", on: store)
        let local = try Self.rows(
            "SELECT l.id, l.\"user\" AS person FROM local_times('\(kind)') AS l ORDER BY id", on: store)
        #expect(local == rows)
        #expect(!rows.isEmpty)
    }

    @Test func changeLogHasDifferentIDs() throws {
        let store = try Self.makeStore()
        var ids: [String: Set<String>] = [:]
        try store.engine.read { session in
            let sql: SQL = "SELECT kind, record_id FROM change WHERE kind IN ('claims', 'follows')"
            try session.query(sql) { row in
                let kind = row.text(0) ?? ""
                let id = row.text(1) ?? "∅"
                ids[kind, default: []].insert(id)
                return true
            }
        }
        #expect(ids == ["claims": ["a%2Fb/c", "a/b/c"], "follows": ["x%2Fy/z", "x/y/z"]])
    }

    @Test func followOfUserWithSlashResetsRecordsOfFollowee() throws {
        let store = try Self.makeStore()
        try store.engine.read { session in
            let last = try LogState(of: .viewer(.operator), in: session).newest.number
            let viewer = try Viewer.user(named: "x/y", in: session)
            let feed = try ChangeFeed(for: viewer, after: 0, upTo: last, in: session)
            #expect(feed.resets.contains(.init(.events, user: "z")))
            #expect(!feed.resets.contains(.init(.events, user: "y/z")))
            #expect(feed.changes.contains { $0.id == "x%2Fy/z" })
        }
    }
}
