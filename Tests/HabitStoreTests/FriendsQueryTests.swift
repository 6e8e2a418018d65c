import Base
import Geo
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests that one query for the friends of several viewers returns the rows of a query for each viewer.
@Suite struct FriendsQueryTests {
    private static let users = (0..<24).map { "u\($0)" }

    /// Returns a store in which users follow others, with pending requests, skipped habits and equal days.
    private static func filledStore() throws -> TestStore {
        var random = SeededGenerator(seed: 7)
        var records = users.map { Record.user($0) }
        for user in users {
            records += (0..<3).map { .habit("h\($0)-\(user)", of: user, title: "title \($0)") }
        }
        for user in users {
            let count = Int.random(in: 0...8, using: &random)
            for other in users.shuffled(using: &random).prefix(count) where other != user {
                var follow = FollowRecord(follower: user, followee: other)
                follow.status = .value(Int.random(in: 0..<4, using: &random) == 0 ? .pending : .accepted)
                follow.share = .value(Bool.random(using: &random) ? .all : .latest)
                records.append(.follow(follow))
            }
            for habit in 0..<3 where Int.random(in: 0..<4, using: &random) > 0 {
                for day in (1...9).shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)) {
                    records.append(.event("h\(habit)-\(user)", "2026-11-0\(day)"))
                }
            }
        }
        let store = try TestStore()
        try store.write(records)
        return store
    }

    private static func query(_ change: (inout EventQuery) -> Void) -> EventQuery {
        var query = EventQuery(viewer: .operator)
        query.scope = .friends
        change(&query)
        return query
    }

    /// Returns the viewers of a query, labelled by their IDs.
    private static func viewers(_ ids: [String], in session: any Session) throws -> [LabeledViewer] {
        let known = try Viewer.users(named: ids, in: session)
        return try ids.map { id in LabeledViewer(try #require(known[id]), label: Label("viewer", id)) }
    }

    @Test func rowsOfSeveralViewersAreRowsOfEachViewer() throws {
        let store = try Self.filledStore()
        let viewers = Self.users + ["u3", "u3"]
        let queries: [(name: String, query: EventQuery)] = [
            ("all", Self.query { _ in }), ("limit 1", Self.query { $0.limit = 1 }),
            ("limit 5", Self.query { $0.limit = 5 }),
            ("days", Self.query { $0.filter.from = Day("2026-11-05") }),
            (
                "columns",
                Self.query { query in
                    query.columns = ["id", "day", "user"]
                    query.limit = 3
                }
            ),
            ("owner", Self.query { $0.filter.users = ["u2", "u5"] }),
        ]
        for (name, query) in queries {
            let expected = try viewers.flatMap { user in
                try store.rows(as: user) { session, viewer in
                    var single = query
                    single.viewer = viewer
                    single.label = Label("viewer", user)
                    return try single.selection(in: session)
                }
            }
            let friends = try #require(FriendsQuery(query))
            let rows = try store.rows { session, _ in
                try friends.selection(of: Self.viewers(viewers, in: session), in: session)
            }
            #expect(rows == expected, "\(name)")
            #expect(expected.count > 5, "\(name)")
        }
    }

    /// The keys of the habits that a filter finds depend on the viewer, and so does the scope of the spatial index.
    @Test func queryThatDependsOnViewerIsRefused() throws {
        let box = try #require(BoundingBox(west: 0, south: 0, east: 1, north: 1))
        let queries = [
            Self.query { $0.scope = .all }, Self.query { $0.filter.habits = ["run"] },
            Self.query { $0.filter.habitIDs = ["run"] }, Self.query { $0.filter.habitTitles = ["run"] },
            Self.query { $0.filter.notHabits = ["run"] }, Self.query { $0.page = Page(limit: 10) },
            Self.query { $0.filter.box = box },
        ]
        for query in queries { #expect(FriendsQuery(query) == nil, "\(query)") }
    }

    /// A statement on all servers for each viewer would make the query of many viewers slow.
    @Test(.clusterOnly) func numberOfStatementsDoesNotDependOnNumberOfViewers() throws {
        let store = try Self.filledStore()
        let friends = try #require(FriendsQuery(Self.query { _ in }))
        let counts = try [2, Self.users.count].map { count in
            try store.engine.read { session in
                try TestServer.multiShardStatements(in: session) {
                    let viewers = try Self.viewers(Array(Self.users.prefix(count)), in: session)
                    try session.query(try friends.selection(of: viewers, in: session).sql) { _ in true }
                }
            }
        }
        #expect(counts == [1, 1])
    }
}
