import Base
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

/// Tests of the events that an actor can see with any filter.
@Suite struct VisibilityTests {
    /// Creates a store.
    ///
    /// `me` follows `open` with the share `all` and `shy` with the share `latest`, has a pending request to `waiting`
    /// and was rejected by `closed`.
    private static func store() throws -> TestStore {
        let store = try TestStore()
        let place = try #require(Position(longitude: 10, latitude: 50))
        let far = try #require(Position(longitude: 20, latitude: 50))
        var records: [Record] = ["me", "open", "shy", "waiting", "closed", "stranger"].map { .user($0) }
        for user in ["me", "open", "shy", "waiting", "closed", "stranger"] {
            records.append(.habit("\(user)-run", of: user, title: "Run"))
            records.append(
                .event("\(user)-run", "2026-11-01", id: "\(user)-old", comment: "old morning run", at: place))
            records.append(.event("\(user)-run", "2026-11-02", id: "\(user)-new", comment: "new", at: far))
        }
        records.append(.follow("me", "open"))
        records.append(.follow("me", "shy", share: .latest))
        records.append(.follow("me", "waiting", status: .pending))
        records.append(.follow("me", "closed", status: .rejected))
        records.append(.follow("stranger", "me"))
        try store.write(records)
        return store
    }

    private static func ids(
        _ store: TestStore, as user: String?, _ change: (inout EventQuery) throws -> Void = { _ in }
    ) throws -> [String] {
        try store.rows(as: user, columns: ["id"]) { session, viewer in
            var query = EventQuery(viewer: viewer)
            try change(&query)
            return try query.selection(in: session)
        }.flatMap(\.self)
    }

    @Test func scopeDeterminesVisibleEvents() throws {
        let store = try Self.store()
        #expect(try Self.ids(store, as: "me") { $0.scope = .mine } == ["me-new", "me-old"])
        #expect(try Self.ids(store, as: "me") { $0.scope = .friends } == ["shy-new", "open-new"])
        #expect(
            try Self.ids(store, as: "me") { $0.scope = .all } == [
                "shy-new", "open-new", "me-new", "open-old", "me-old",
            ])
        #expect(try Self.ids(store, as: "closed") == ["closed-new", "closed-old"])
        #expect(try Self.ids(store, as: nil).count == 12)
    }

    @Test func filtersFindOnlyVisibleEvents() throws {
        let store = try Self.store()
        let place = try #require(Position(longitude: 10, latitude: 50))
        let box = try #require(BoundingBox(west: 9, south: 49, east: 11, north: 51))
        let day = try #require(Day("2026-11-01"))
        let visible = ["open-old", "me-old"]
        #expect(try Self.ids(store, as: "me") { $0.filter.near = Near(center: place) } == visible)
        #expect(try Self.ids(store, as: "me") { $0.filter.box = box } == visible)
        #expect(try Self.ids(store, as: "me") { $0.filter.comment = "MORNING" } == visible)
        #expect(try Self.ids(store, as: "me") { $0.filter.commentWord = "run" } == visible)
        #expect(try Self.ids(store, as: "me") { $0.filter.to = day } == visible)
        #expect(
            try Self.ids(store, as: "me") {
                $0.filter.habits = ["run"]; $0.filter.to = day
            } == visible)
        #expect(
            try Self.ids(store, as: "me") {
                $0.filter.users = ["shy"]; $0.filter.to = day
            } == [])
        for scope in [EventQuery.Scope.friends, .mine, .all] {
            let near = try Self.ids(store, as: "me") {
                $0.scope = scope; $0.filter.near = Near(center: place, within: .farthest)
            }
            #expect(near == (try Self.ids(store, as: "me") { $0.scope = scope }), "\(scope)")
        }
        #expect(
            try Self.ids(store, as: "me") {
                $0.scope = .friends; $0.filter.near = Near(center: place)
            } == [])
    }

    @Test func invisibleHabitIsNotFound() throws {
        let store = try Self.store()
        for name in ["stranger-run", "waiting-run", "nothing"] {
            #expect {
                _ = try Self.ids(store, as: "me") { $0.filter.habits = [name] }
            } throws: {
                ($0 as? HabitError)?.code == .notFound
            }
        }
        #expect(try Self.ids(store, as: "me") { $0.filter.notHabits = ["open-run", "me-run"] } == ["shy-new"])
    }

    @Test func endedFollowHidesEventsImmediately() throws {
        let store = try Self.store()
        try store.write([.follow("me", "open", status: .rejected)])
        #expect(try Self.ids(store, as: "me") { $0.scope = .friends } == ["shy-new"])
    }

    /// The report views contain the rows of the built-in query.
    @Test(.userSQL, arguments: ["me", "stranger", nil])
    func viewsContainRowsOfBuiltInQuery(user: String?) throws {
        let store = try Self.store()
        var found: [String] = []
        try store.analyze(as: user, clock: Clock(now: .now)) { session, viewer in
            let query = AnalysisQuery(
                "SELECT id FROM events ORDER BY day DESC, id DESC", viewer: viewer, clock: Clock(now: .now))
            try query.run(in: session) { _ in { found.append($0.text(0) ?? "") } }
        }
        #expect(found == (try Self.ids(store, as: user)))
        #expect(!found.isEmpty)
    }
}
