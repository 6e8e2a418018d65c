import Base
import CSQLite
import Geo
import HabitModel
import HabitTestSupport
import Synchronization
import Testing

@testable import HabitStore
@testable import StoreEngine
@testable import StoreSpatiaLite

/// Tests that the work of a user's request does not depend on records that the user cannot see.
///
/// A file counts the steps of SQLite's virtual machine, which are exact where times are noise.
@Suite(.fileStoreOnly, .serialized) struct HiddenRecordTests {
    private static let place = Position(longitude: 12.5, latitude: 41.9) ?? .nullIsland
    private static let now = Instant(microseconds: 1_795_000_000_000_000)
    private static let clock = Clock(now: now)

    /// The records that `me` can see: own events, and those of followed users.
    private static func visibleRecords() throws -> [Record] {
        let day = try #require(Day("2026-09-01"))
        var records: [Record] = ["me", "friend", "latest", "hidden", "last"].map { id in .user(id) }
        records += [.follow("me", "friend"), .follow("me", "latest", share: .latest)]
        // Entries of `last` follow the other ones in each index, so that a search ends at an entry and not at the end.
        for user in ["me", "friend", "latest", "hidden", "last"] {
            records.append(.habit("\(user)-run", of: user, title: "Run"))
            guard user != "hidden" else { continue }
            for number in 0..<50 {
                let position = Position(longitude: 12.5 + Double(number) * 0.003, latitude: 41.9)
                records.append(
                    .event(
                        "\(user)-run", day.advanced(by: number).description,
                        comment: number % 2 == 0 ? "Dr Smith" : "rain", at: position))
            }
            var post = PostRecord(id: "post-\(user)", user: user)
            post.position = .value(place)
            records.append(.post(post))
        }
        return records
    }

    /// A user with records that `me` cannot see, at the same place.
    enum Hidden: CaseIterable {
        /// A user whom `me` does not follow, with 10,000 events and 100 posts.
        case stranger
        /// A followed user who shares only the newest event, with 1,000 older events.
        case latest

        func records() throws -> [Record] {
            let day = try #require(Day("1996-01-01"))
            let habit = self == .stranger ? "hidden-run" : "latest-run"
            var records: [Record] = (0..<(self == .stranger ? 10_000 : 1000)).map { number in
                .event(habit, day.advanced(by: number).description, comment: "Dr Smith \(number)", at: place)
            }
            guard self == .stranger else { return records }
            records += (0..<1000).map { number in .habit("hidden-run-\(number)", of: "hidden", title: "Run") }
            for number in 0..<100 {
                var post = PostRecord(id: "hidden-post-\(number)", user: "hidden")
                post.position = .value(place)
                records.append(.post(post))
            }
            return records
        }
    }

    private typealias Request = @Sendable (any Session, Viewer) throws -> Void

    /// The requests, each of which reads its complete result.
    private static let requests: [(name: String, run: Request)] = {
        func events(_ change: @escaping @Sendable (inout EventQuery) -> Void) -> Request {
            { session, viewer in
                var query = EventQuery(viewer: viewer)
                query.scope = .all
                change(&query)
                try session.query(try query.selection(in: session).sql) { _ in true }
            }
        }
        let near = Near(center: place, within: .meters(100))
        let box = BoundingBox(west: 12.49, south: 41.89, east: 12.51, north: 41.91) ?? .world
        let point = Queryable(Queryable.geometry, .point)
        return [
            ("near", events { $0.filter.near = near }),
            (
                "near, newest first",
                events { query in
                    query.filter.near = near
                    query.sort = .newest
                    query.page = Page(limit: 10)
                }
            ),
            (
                "near, friends",
                events { query in
                    query.scope = .friends
                    query.filter.near = near
                }
            ),
            (
                "near, mine",
                events { query in
                    query.scope = .mine
                    query.filter.near = near
                }
            ),
            (
                "box",
                events { query in
                    query.filter.box = box
                    query.page = Page(limit: 1)
                }
            ),
            (
                "box or no position",
                events { query in
                    query.filter.boxOrUnlocated = box
                    query.page = Page(limit: 1000)
                }
            ),
            ("spatial condition", events { $0.filter.condition = .spatial(.intersects, point, .box(box)) }),
            ("comment", events { $0.filter.comment = "Dr Smith" }),
            ("word", events { $0.filter.commentWord = "smith" }),
            ("equal comment", events { $0.filter.exactComment = "Dr Smith" }),
            (
                "comment, newest first",
                events { query in
                    query.filter.comment = "smith"
                    query.page = Page(limit: 10)
                }
            ),
            (
                "own comments",
                events { query in
                    query.scope = .mine
                    query.filter.comment = "smith"
                }
            ),
            ("newest", events { $0.page = Page(limit: 10) }),
            ("habit", events { $0.filter.habitIDs = ["friend-run"] }),
            (
                "habits by title",
                events { query in
                    query.filter.habitTitles = ["run"]
                    query.filter.users = ["friend"]
                }
            ),
            (
                "habits by name",
                events { query in
                    query.filter.habits = ["RUN"]
                    query.filter.users = ["friend"]
                }
            ),
            ("events of a hidden user", events { $0.filter.users = ["hidden"] }),
            (
                "posts near",
                { session, viewer in
                    var query = PostQuery(viewer: viewer)
                    query.near = near
                    try session.query(try query.selection(in: session).sql) { _ in true }
                }
            ),
            (
                "nearest of events and posts",
                { session, viewer in
                    var query = NearQuery(
                        kinds: [.events, .posts], events: EventQuery(viewer: viewer),
                        items: ItemQuery(viewer: viewer, clock: clock), posts: PostQuery(viewer: viewer))
                    query.nearest = 5
                    let far = Near(center: place, within: .meters(1_000_000))
                    try session.query(try query.selection(near: far, in: session).sql) { _ in true }
                }
            ),
            (
                "tile",
                { session, viewer in
                    let map = MapQuery(.events(EventQuery(viewer: viewer)))
                    for zoom in [0, 10, 18] {
                        _ = try map.content(of: MapPoint(place).tile(at: zoom), properties: [], in: session)
                    }
                }
            ),
            (
                "clusters",
                { session, viewer in
                    let map = MapQuery(.events(EventQuery(viewer: viewer)))
                    for zoom in [3, 12, 16] { _ = try map.clusters(in: box, zoom: zoom, limit: 1000, in: session) }
                }
            ),
            ("extent", { session, viewer in _ = try ExtentQuery(.events, viewer: viewer).extent(in: session) }),
        ]
    }()

    /// SQL of users and of reports.
    private static let reports = [
        "SELECT * FROM events_near(12.5, 41.9, 100)",
        "SELECT * FROM posts_near(12.5, 41.9, 100)",
        "SELECT * FROM event_cells(0.01, NULL, NULL, NULL, NULL)",
        "SELECT * FROM habit_places(0.01, NULL, NULL, 'friend', NULL)",
        "SELECT id FROM events WHERE comment = 'Dr Smith'",
    ]

    /// Counts the steps of the virtual machine in the statements that a connection finishes.
    private final class Steps: Sendable {
        let count = Atomic<Int>(0)

        func attach(to engine: SpatiaLiteEngine) {
            let context = Unmanaged.passUnretained(self).toOpaque()
            engine.queue.inDatabase { db in
                _ = sqlite3_trace_v2(
                    db.sqliteConnection, UInt32(SQLITE_TRACE_PROFILE),
                    { _, context, statement, _ in
                        guard let context, let statement else { return SQLITE_OK }
                        let steps = sqlite3_stmt_status(OpaquePointer(statement), SQLITE_STMTSTATUS_VM_STEP, 1)
                        let total = Unmanaged<Steps>.fromOpaque(context).takeUnretainedValue()
                        total.count.add(Int(steps), ordering: .relaxed)
                        return SQLITE_OK
                    }, context)
            }
        }
    }

    private static let steps = Steps()

    /// Returns the steps of each request.
    private static func steps(of store: TestStore) throws -> [(name: String, steps: Int)] {
        let engine = try #require(store.engine as? SpatiaLiteEngine)
        steps.attach(to: engine)
        // The first run also counts the steps of earlier uses of the connection's statements.
        func ofSecondRun(_ run: () throws -> Void) throws -> Int {
            try run()
            steps.count.store(0, ordering: .relaxed)
            try run()
            return steps.count.load(ordering: .relaxed)
        }
        let ofRequests = try requests.map { name, run in
            let count = try ofSecondRun {
                try engine.read { session in try run(session, try Viewer.user(named: "me", in: session)) }
            }
            return (name, count)
        }
        let ofReports = try reports.map { sql in
            let count = try ofSecondRun {
                try store.analyze(as: "me", clock: clock) { session, viewer in
                    let statement = try AnalysisQuery(sql, viewer: viewer, clock: clock).compile(in: session)
                    try statement.forEach { _ in true }
                }
            }
            return (sql, count)
        }
        return ofRequests + ofReports
    }

    /// Reads all pages of the events of a copy from a day on.
    private static func copyEvents(
        from day: Day,
        in session: any Session,
        as viewer: Viewer
    ) throws -> Int {
        let state = try LogState(of: .viewer(viewer), in: session)
        let records = SyncedRecords(
            for: viewer,
            clock: clock,
            tags: LogTags(state),
            filter: SyncFilter([.events], from: day),
            in: session,
            content: { _, _ in })
        let reset = ChangeFeed.Reset(.events, user: nil)
        var count = 0
        var cursor: Cursor?
        repeat {
            let page = try records.all(reset, Page(limit: 20, after: cursor))
            count += page.records.count
            cursor = page.next
        } while cursor != nil
        return count
    }

    /// A copy reads the events by the index of users and days.
    @Test func copyFromDayReadsNoEarlierEvents() throws {
        let first = try #require(Day("2026-09-01"))
        let without = try TestStore()
        let with = try TestStore()
        try without.write(Self.visibleRecords())
        try with.write(Self.visibleRecords())
        let earlier = try #require(Day("2006-01-01"))
        let habits = ["me-run", "friend-run"]
        try with.write(
            (0..<2000).flatMap { number in
                habits.map { habit in Record.event(habit, earlier.advanced(by: number).description) }
            })
        var steps: [Int] = []
        for store in [without, with] {
            let engine = try #require(store.engine as? SpatiaLiteEngine)
            Self.steps.attach(to: engine)
            func copy() throws -> Int {
                try engine.read { session in
                    let viewer = try Viewer.user(named: "me", in: session)
                    return try Self.copyEvents(from: first, in: session, as: viewer)
                }
            }
            _ = try copy()
            Self.steps.count.store(0, ordering: .relaxed)
            let count = try copy()
            #expect(count == 101)
            steps.append(Self.steps.count.load(ordering: .relaxed))
        }
        #expect(steps[1] < steps[0] + 2000, "\(steps)")
    }

    /// Returns the records of a followed user whose positions are all in a private place.
    ///
    /// - Parameter center: The center of the place.
    /// - Returns: The account with the place, a follow of `me`, events and posts.
    /// - Throws: The error of an invalid place.
    private static func privateRecords(at center: Position) throws -> [Record] {
        var account = UserRecord(id: "secret")
        var places = PrivatePlaces()
        try places.set(PrivatePlace(name: "home", position: center, radius: .meters(2000)))
        account.privatePlaces = .value(places)
        let day = try #require(Day("1996-01-01"))
        var records: [Record] = [
            .user(account), .follow("me", "secret"), .habit("secret-run", of: "secret", title: "Run"),
        ]
        for number in 0..<1000 {
            records.append(.event("secret-run", day.advanced(by: number).description, at: center))
        }
        for number in 0..<50 {
            var post = PostRecord(id: "secret-post-\(number)", user: "secret")
            post.position = .value(center)
            records.append(.post(post))
        }
        return records
    }

    /// The events are visible without a position, at every place.
    @Test func stepsDoNotDependOnPrivatePositions() throws {
        let far = try #require(Position(longitude: -60, latitude: -30))
        let here = try TestStore()
        let there = try TestStore()
        for store in [here, there] { try store.write(Self.visibleRecords()) }
        try here.write(Self.privateRecords(at: Self.place))
        try there.write(Self.privateRecords(at: far))
        let expected = try Self.steps(of: there)
        let found = try Self.steps(of: here)
        #expect(expected.count == found.count)
        for (expected, found) in zip(expected, found) {
            #expect(found.steps == expected.steps, "\(expected.name)")
        }
    }

    /// The view of events is an exception.
    ///
    /// It reads all events of followed users. With statistics, SQLite may read the table of a small store from its
    /// beginning to its end.
    @Test(arguments: Hidden.allCases, [false, true])
    func stepsDoNotDependOnHiddenRecords(hidden: Hidden, isAnalyzed: Bool) throws {
        let without = try TestStore()
        let with = try TestStore()
        try without.write(Self.visibleRecords())
        try with.write(Self.visibleRecords())
        try with.write(hidden.records())
        if isAnalyzed {
            for store in [without, with] { try store.engine.write { session in _ = try session.run("ANALYZE") } }
        }
        let expected = try Self.steps(of: without)
        let found = try Self.steps(of: with)
        #expect(expected.count == found.count)
        for (expected, found) in zip(expected, found) {
            let readsView = expected.name.contains("FROM events ")
            if readsView, hidden == .latest || isAnalyzed { continue }
            #expect(expected.steps > 0, "\(expected.name)")
            if isAnalyzed {
                // With other statistics, SQLite can read the small tables in another order, or the habits of all users.
                // That is less than a step for each hidden event.
                #expect(found.steps < expected.steps + 10_000, "\(expected.name)")
            } else {
                #expect(found.steps == expected.steps, "\(expected.name)")
            }
        }
    }
}
