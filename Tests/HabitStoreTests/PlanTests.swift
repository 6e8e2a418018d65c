import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests of the query plans of all built-in queries.
@Suite(.fileStoreOnly) struct PlanTests {
    private static let records: [Record] = [
        .user("me"),
        .user("friend"),
        .habit("run", of: "me"),
        .follow("me", "friend"),
    ]

    @Test func everyPlanMatchesGoldenFile() throws {
        let store = try TestStore()
        try store.write(Self.records)
        var text = ""
        for (name, user, selection) in try Self.queries() {
            let plan = try store.plan(as: user, selection)
            text += "# \(name)\n" + plan.joined(separator: "\n") + "\n\n"
        }
        try expectGolden(text, "plans.txt")
    }

    /// An initial load rebuilds the indexes, and their order of creation decides between equally good plans.
    @Test func plansAreEqualAfterInitialLoad() throws {
        var records = Self.records
        for day in 1...9 { records.append(.event("run", "2026-11-0\(day)")) }
        let written = try TestStore()
        let loaded = try TestStore()
        try written.write(records)
        try loaded.engine.load { writer in
            for record in records { _ = try writer.write(record) }
        }
        for store in [written, loaded] {
            let rows = try store.rows { session, viewer in
                try EventQuery(viewer: viewer).selection(in: session)
            }
            #expect(rows.count == 9)
        }
        for (name, user, selection) in try Self.queries() {
            #expect(try loaded.plan(as: user, selection) == written.plan(as: user, selection), "\(name)")
        }
        for store in [written, loaded] {
            let plan = try store.engine.read { session in
                try session.plan(
                    SQL(HabitHistoryReader.days(session.dialect), ["habit": .integer(1), "from_day": .day(.first)]))
            }
            #expect(
                plan.filter { $0.contains("SEARCH") }.compactMap { $0.split(separator: "USING ").last } == [
                    "COVERING INDEX event_habit_day (habit_id=? AND day>?)",
                    "INDEX event_skipped (habit_id=? AND day>?)",
                ], "\(plan)")
        }
    }

    /// Queries of the operator near a position use the R*Tree, with and without other filters.
    @Test func nearUsesSpatialIndex() throws {
        let store = try TestStore()
        try store.write(Self.records)
        var checked = 0
        for (name, user, selection) in try Self.queries() where name.contains("near") || name.contains("box") {
            guard user == nil || name.hasPrefix("items") else { continue }
            let plan = try store.plan(as: user, selection)
            #expect(
                plan.contains { $0.contains("SCAN idx_") && $0.contains("VIRTUAL TABLE INDEX 2:") }, "\(name): \(plan)")
            // No outer loop precedes the index, which would run it more than once.
            let first = plan.first { $0.contains("SCAN") || $0.contains("SEARCH") }
            #expect(first?.contains("idx_") == true, "\(name): \(plan)")
            #expect(
                !plan.contains { $0.hasSuffix("SCAN event") || $0.hasSuffix("SCAN item") || $0.hasSuffix("SCAN post") })
            checked += 1
        }
        #expect(checked > 10)
    }

    /// The indexes of positions and comments contain the rows of all users.
    @Test(arguments: [false, true]) func queriesOfUserReadNoSharedIndex(isAnalyzed: Bool) throws {
        let store = try TestStore()
        var records = Self.records
        for day in 10...30 { records.append(.event("run", "2026-11-\(day)", comment: "morning")) }
        try store.write(records)
        if isAnalyzed { try store.engine.write { session in _ = try session.run("ANALYZE") } }
        let shared = ["idx_event", "idx_post", "event_cell", "event_comment ", "event_comment_term"]
        var checked = 0
        for (name, user, selection) in try Self.queries() where user != nil {
            let plan = try store.plan(as: user, selection)
            for line in plan where line.contains("SCAN") || line.contains("SEARCH") {
                #expect(!shared.contains { index in "\(line) ".contains(index) }, "\(name): \(plan)")
            }
            #expect(!plan.contains { line in line.hasSuffix("SCAN event") || line.hasSuffix("SCAN post") })
            checked += 1
        }
        #expect(checked > 60)
    }

    /// The operator's page of a long list reads the users in order, and sorts only the rows of each user.
    @Test func pageOfOperatorSortsRowsOfOneUserAtATime() throws {
        let store = try TestStore()
        for selection in [
            { session, viewer in
                var query = HabitQuery(viewer: viewer, clock: Clock(now: Instant(microseconds: 0)))
                query.page = Page(limit: 10)
                return try query.selection(in: session)
            },
            { session, viewer in
                var query = FollowQuery(viewer: viewer)
                query.page = Page(limit: 10)
                return try query.selection(in: session)
            },
        ] as [(any Session, Viewer) throws -> Selection] {
            let plan = try store.plan(as: nil, selection)
            let first = plan.first { $0.contains("SCAN") }
            #expect(first?.hasSuffix("USING COVERING INDEX sqlite_autoindex_account_1") == true, "\(plan)")
            let sorts = plan.filter { $0.contains("ORDER BY") }
            #expect(sorts.allSatisfy { $0.contains("RIGHT PART OF ORDER BY") || $0.contains("LAST") }, "\(plan)")
        }
    }

    /// A query reads no table and computes no statistics for columns that are not selected or that do not belong to
    /// events.
    @Test func unselectedColumnsAreNotRead() throws {
        let tables = ["JOIN habit ON", "JOIN account ON", "habit_standings", "event.geometry", "event.comment"]
        for (columns, read) in [
            (["id", "photo_url", "has_photo"], []), (["title"], ["JOIN habit ON"]), (["user"], ["JOIN account ON"]),
            (["status"], ["JOIN habit ON", "habit_standings"]), (["latitude"], ["event.geometry"]),
            (["comment", "day"], ["event.comment"]), (nil, tables),
        ] as [(Set<String>?, [String])] {
            try TestStore().engine.read { session in
                var query = EventQuery(viewer: .operator)
                query.columns = columns
                query.page = Page(limit: 10)
                query.standing = Clock(now: Instant(microseconds: 0))
                let sql = try query.selection(in: session).sql.text
                #expect(tables.filter(sql.contains) == read, "\(columns ?? []): \(sql)")
            }
        }
    }

    typealias Query = (name: String, user: String?, selection: (any Session, Viewer) throws -> Selection)

    static func queries() throws -> [Query] {
        let place = try #require(Position(longitude: 179.99, latitude: -16.8))
        let near = Near(center: place)
        let box = try #require(BoundingBox(west: 1, south: 2, east: 3, north: 4))
        let world = try #require(BoundingBox(west: -180, south: -90, east: 180, north: 90))
        let day = try #require(Day("2026-11-20"))
        let clock = Clock(now: Instant(microseconds: 0))
        let filters: [(String, (inout EventQuery) -> Void)] = [
            ("all", { _ in }),
            ("limit", { $0.limit = 10 }),
            ("user", { $0.filter.users = ["me"] }),
            ("habit", { $0.filter.habits = ["run"] }),
            ("not habit", { $0.filter.notHabits = ["run"] }),
            ("comment", { $0.filter.comment = "morning" }),
            ("short comment", { $0.filter.comment = "m" }),
            ("comment word", { $0.filter.commentWord = "morning" }),
            (
                "days",
                { query in
                    query.filter.from = day
                    query.filter.to = day
                }
            ),
            ("near", { $0.filter.near = near }),
            (
                "near, by distance",
                { query in
                    query.filter.near = near
                    query.sort = .distance
                }
            ),
            (
                "near and user",
                { query in
                    query.filter.near = near
                    query.filter.users = ["me"]
                }
            ),
            (
                "near and habit",
                { query in
                    query.filter.near = near
                    query.filter.habits = ["run"]
                }
            ),
            (
                "near and comment",
                { query in
                    query.filter.near = near
                    query.filter.comment = "morning"
                }
            ),
            (
                "near and days",
                { query in
                    query.filter.near = near
                    query.filter.from = day
                    query.filter.to = day
                }
            ),
            ("box", { $0.filter.box = box }),
            ("the whole world", { $0.filter.box = world }),
            (
                "the whole world and user",
                { query in
                    query.filter.box = world
                    query.filter.users = ["me"]
                }
            ),
            (
                "near and box",
                { query in
                    query.filter.near = near
                    query.filter.box = box
                }
            ),
        ]
        var queries: [Query] = []
        let scopes: [(user: String?, scope: EventQuery.Scope)] = [
            (nil, .all),
            ("me", .mine),
            ("me", .friends),
            ("me", .all),
        ]
        for (user, scope) in scopes {
            for (name, change) in filters {
                queries.append(
                    (
                        "events, \(user == nil ? "operator" : scope.rawValue), \(name)", user,
                        { session, viewer in
                            var query = EventQuery(viewer: viewer)
                            query.scope = scope
                            change(&query)
                            return try query.selection(in: session)
                        }
                    ))
            }
        }
        for user in [nil, "me"] {
            let who = user == nil ? "operator" : "actor"
            queries += [
                (
                    "items, \(who)", user,
                    { session, viewer in try ItemQuery(viewer: viewer, clock: clock).selection(in: session) }
                ),
                (
                    "items, \(who), near", user,
                    { session, viewer in
                        var query = ItemQuery(viewer: viewer, clock: clock)
                        query.near = near
                        return try query.selection(in: session)
                    }
                ),
                ("pauses, \(who)", user, { session, viewer in try PauseQuery(viewer: viewer).selection(in: session) }),
                ("posts, \(who)", user, { session, viewer in try PostQuery(viewer: viewer).selection(in: session) }),
                (
                    "posts, \(who), near", user,
                    { session, viewer in
                        var query = PostQuery(viewer: viewer)
                        query.near = near
                        return try query.selection(in: session)
                    }
                ),
                (
                    "near, \(who), every kind", user,
                    { session, viewer in
                        try NearQuery(
                            kinds: [.events, .items, .posts], events: EventQuery(viewer: viewer),
                            items: ItemQuery(viewer: viewer, clock: clock), posts: PostQuery(viewer: viewer)
                        ).selection(near: near, in: session)
                    }
                ),
                ("users, \(who)", user, { session, viewer in try UserQuery(viewer: viewer).selection(in: session) }),
                (
                    "follows, \(who)", user,
                    { session, viewer in try FollowQuery(viewer: viewer).selection(in: session) }
                ),
                (
                    "habits, \(who)", user,
                    { session, viewer in try HabitQuery(viewer: viewer, clock: clock).selection(in: session) }
                ),
            ]
        }
        queries.append(
            (
                "calendar", "me",
                { session, viewer in try CalendarQuery(viewer, clock: clock, in: session).events }
            ))
        return queries
    }
}
