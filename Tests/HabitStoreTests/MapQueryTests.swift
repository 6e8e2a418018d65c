import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests that maps contain exactly the visible events, and that the counts of the store equal the numbers of its events.
@Suite struct MapQueryTests {
    /// Returns records of twelve users.
    ///
    /// `u0` has every relation to others: all events, the newest events, requests and none.
    private static func records(_ random: inout SeededGenerator, users: Range<Int> = 0..<12) -> [Record] {
        var records: [Record] = users.map { .user("u\($0)") }
        for user in users {
            records += (0..<2).map { .habit("u\(user)-\($0)", of: "u\(user)") }
            switch user % 5 {
            case 1: records.append(.follow("u0", "u\(user)"))
            case 2: records.append(.follow("u0", "u\(user)", share: .latest))
            case 3: records.append(.follow("u0", "u\(user)", status: .pending))
            default: break
            }
        }
        return records + events(of: users, days: 0..<40, &random)
    }

    private static func events(of users: Range<Int>, days: Range<Int>, _ random: inout SeededGenerator) -> [Record] {
        let first = Day("2026-01-01") ?? .first
        var records: [Record] = []
        for user in users {
            let home = position(&random)
            for day in days {
                let habit = "u\(user)-\(day % 2)"
                let id = "u\(user)-\(day)"
                let place = day % 9 == 0 ? nil : day % 4 == 0 ? position(&random) : near(home, &random)
                records.append(.event(habit, "\(first.advanced(by: day))", id: id, at: place))
            }
        }
        return records
    }

    private static func position(_ random: inout SeededGenerator) -> Position {
        let edges: [(longitude: Double, latitude: Double)] = [
            (180, 90),
            (-180, -90),
            (180, 0),
            (-180, 5),
            (0, 89.5),
            (7, -86),
        ]
        let edge = edges.randomElement(using: &random) ?? (0, 0)
        if Int.random(in: 0..<8, using: &random) == 0 {
            return Position(longitude: edge.longitude, latitude: edge.latitude) ?? .nullIsland
        }
        let longitude = Double.random(in: -180...180, using: &random)
        let latitude = Double.random(in: -90...90, using: &random)
        return Position(longitude: longitude, latitude: latitude) ?? .nullIsland
    }

    private static func near(_ home: Position, _ random: inout SeededGenerator) -> Position {
        Geodesic.destination(
            from: home, azimuth: .random(in: 0..<360, using: &random),
            distance: .meters(.random(in: 0...3000, using: &random)))
    }

    private struct Visible {
        var id: String
        var position: Position
        var point: MapPoint { MapPoint(position) }
    }

    /// Returns the events with a position that the query of a list finds.
    private static func list(_ query: EventQuery, in session: any Session) throws -> [Visible] {
        var query = query
        query.filter.isLocated = true
        query.sort = .newest
        let selection = try query.selection(in: session)
        guard case .point(let geometry)? = selection.shape.geometry else { return [] }
        let id = try #require(selection.shape.identity.first?.index)
        var events: [Visible] = []
        try session.query(selection.sql) { row in
            if let position = row.position(geometry) {
                events.append(Visible(id: row.text(id) ?? "", position: position))
            }
            return true
        }
        return events
    }

    private static func check(_ clusters: [MapCluster], _ events: [Visible], zoom: Int) {
        let cells = Dictionary(grouping: events) { $0.point.tile(at: zoom) }
        #expect(clusters.map(\.cell.code) == cells.keys.map(\.code).sorted())
        for cluster in clusters {
            let inside = cells[cluster.cell] ?? []
            let only = inside.count == 1 ? inside[0] : nil
            #expect(cluster.count == inside.count)
            #expect(cluster.id == only?.id)
            #expect(cluster.position == only?.position ?? cluster.cell.center)
        }
    }

    @Test func mapContainsVisibleEvents() throws {
        var random = SeededGenerator(seed: 31)
        let store = try TestStore()
        try store.write(Self.records(&random))
        try store.engine.read { session in
            for user in [nil, "u0", "u1", "u4"] as [String?] {
                let viewer = try user.map { try Viewer.user(named: $0, in: session) } ?? .operator
                for scope in EventQuery.Scope.allCases {
                    for users in [[], ["u1", "u2"]] {
                        var query = EventQuery(viewer: viewer)
                        query.scope = scope
                        query.filter.users = users
                        try Self.compare(query, in: session)
                    }
                }
            }
        }
    }

    private static func compare(_ query: EventQuery, in session: any Session) throws {
        let events = try list(query, in: session)
        let pointLimits = [
            (0, 1000),
            (0, 5),
            (1, 20),
            (4, 5),
            (9, 3),
            (11, 1000),
            (14, 0),
            (19, 2),
        ]
        for (zoom, pointLimit) in pointLimits {
            var map = MapQuery(.events(query))
            map.pointLimit = pointLimit
            try compare(map, events, zoom: zoom, in: session)
        }
    }

    private static func compare(_ map: MapQuery, _ events: [Visible], zoom: Int, in session: any Session) throws {
        var tiles = Dictionary(grouping: events) { $0.point.tile(at: zoom) }
        tiles[try #require(MapTile(zoom: zoom, row: 0, column: 0)), default: []] += []
        for (tile, inside) in tiles {
            switch try map.content(of: tile, properties: ["day", "user", "nothing"], in: session) {
            case .points(let records):
                #expect(inside.count <= map.pointLimit)
                #expect(records.map(\.id).sorted() == inside.map(\.id).sorted())
                for record in records {
                    #expect(record.values.map { value in value == nil } == [false, false, true])
                }
            case .clusters(let clusters):
                #expect(inside.count > map.pointLimit)
                check(clusters, inside, zoom: zoom + MapQuery.cellZooms)
            }
        }
        let all = try map.clusters(in: .world, zoom: zoom, limit: 10_000, in: session)
        check(try #require(all), events, zoom: zoom + MapQuery.cellZooms)
        let cells = Set(events.map { $0.point.tile(at: zoom + MapQuery.cellZooms) }).count
        guard cells > 1 else { return }
        #expect(try map.clusters(in: .world, zoom: zoom, limit: cells - 1, in: session) == nil)
        #expect(try map.clusters(in: .world, zoom: zoom, limit: cells, in: session)?.count == cells)
    }

    /// Returns the records of `bo`, who hides the place of one event, and of `cy`, with events that are alone in their cells.
    ///
    /// `ana` sees all events of both, and `dan` only the newest of each habit.
    ///
    /// - Parameters:
    ///   - singles: The number of cells with one event.
    ///   - others: The number of other events of `bo`, which share a cell.
    ///   - cellZoom: The zoom of the cells.
    /// - Returns: The records, users first.
    /// - Throws: An error if a cell or the place is invalid.
    private static func lonelyEvents(_ singles: Int, others: Int, cellZoom: Int) throws -> [Record] {
        let first = Day("2026-01-01") ?? .first
        var bo = UserRecord(id: "bo")
        var places = PrivatePlaces()
        var events: [Record] = []
        for index in 0..<singles {
            let habit = index % 3 == 0 ? "cy-run" : "bo-run"
            let tile = MapTile(zoom: cellZoom, row: 20 + index / 8, column: 20 + 2 * (index % 8))
            let place = try #require(tile).center
            if index == 1 { try places.set(PrivatePlace(name: "home", position: place, radius: .meters(300))) }
            events.append(.event(habit, "\(first.advanced(by: index))", id: "single-\(index)", at: place))
        }
        for index in 0..<others {
            let day = first.advanced(by: 100 + index)
            events.append(.event("bo-run", "\(day)", id: "other-\(index)", at: .nullIsland))
        }
        bo.privatePlaces = .value(places)
        let users: [Record] = [.user("ana"), .user(bo), .user("cy"), .user("dan")]
        let habits: [Record] = [.habit("bo-run", of: "bo"), .habit("cy-run", of: "cy")]
        let follows: [Record] = [
            .follow("ana", "bo"),
            .follow("ana", "cy"),
            .follow("dan", "bo", share: .latest),
            .follow("dan", "cy", share: .latest),
        ]
        return users + habits + follows + events
    }

    /// A cluster of one event has the ID of the event, for any number of such clusters.
    ///
    /// The map looks up the events of 16 cells at a time. If the viewer sees few events, it reads all of them instead.
    @Test(arguments: [1, 15, 16, 17, 33], [0, 600])
    func clusterOfOneEventHasItsID(singles: Int, others: Int) throws {
        let zoom = 2
        let store = try TestStore()
        try store.write(Self.lonelyEvents(singles, others: others, cellZoom: zoom + MapQuery.cellZooms))
        try store.engine.read { session in
            for user in [nil, "ana", "bo", "cy", "dan"] as [String?] {
                let viewer = try user.map { id in try Viewer.user(named: id, in: session) } ?? .operator
                var map = MapQuery(.events(EventQuery(viewer: viewer)))
                let found = try #require(try map.clusters(in: .world, zoom: zoom, limit: 1000, in: session))
                map.usesCounts = false
                let plain = try #require(try map.clusters(in: .world, zoom: zoom, limit: 1000, in: session))
                #expect(Self.text(.clusters(found)) == Self.text(.clusters(plain)), "\(user ?? "operator")")
                guard user == "ana" || user == nil else { continue }
                // A follower does not see the event in the private place.
                let visible = (0..<singles).filter { index in index != 1 || user == nil }
                let ids = visible.map { index in "single-\(index)" }
                #expect(found.compactMap(\.id).sorted() == ids.sorted(), "\(user ?? "operator")")
            }
        }
    }

    private static func text(_ content: MapQuery.Content) -> String {
        switch content {
        case .points(let records): "points " + records.map { record in "\(record)" }.joined(separator: " ")
        case .clusters(let clusters): "clusters " + clusters.map { cluster in "\(cluster)" }.joined(separator: " ")
        }
    }

    /// A tile with exactly as many events as the limit contains points, and clusters with one event more.
    ///
    /// The counts of the store do not change the contents.
    @Test(arguments: [41, 42] as [UInt64]) func tileAtPointLimitContainsPoints(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = try TestStore()
        try store.write(Self.records(&random))
        try store.engine.read { session in
            for user in [nil, "u0", "u1"] as [String?] {
                let viewer = try user.map { try Viewer.user(named: $0, in: session) } ?? .operator
                for scope in EventQuery.Scope.allCases {
                    var query = EventQuery(viewer: viewer)
                    query.scope = scope
                    try Self.compareAtLimit(query, &random, in: session)
                }
            }
        }
    }

    /// Compares up to ten tiles of several zoom levels.
    private static func compareAtLimit(
        _ query: EventQuery, _ random: inout SeededGenerator, in session: any Session
    ) throws {
        let events = try list(query, in: session)
        for zoom in [0, 2, 9, 13] {
            let tiles = Dictionary(grouping: events) { event in event.point.tile(at: zoom) }
            for (tile, inside) in tiles.shuffled(using: &random).prefix(10) {
                try compareAtLimit(query, tile, count: inside.count, in: session)
            }
        }
    }

    private static func compareAtLimit(
        _ query: EventQuery,
        _ tile: MapTile,
        count: Int,
        in session: any Session
    ) throws {
        for pointLimit in [count - 1, count, count + 1] where pointLimit > 0 {
            var map = MapQuery(.events(query))
            map.pointLimit = pointLimit
            let content = try map.content(of: tile, properties: ["day", "title", "outcome"], in: session)
            map.usesCounts = false
            let plain = try map.content(of: tile, properties: ["day", "title", "outcome"], in: session)
            #expect(text(content) == text(plain), "\(tile) \(pointLimit)")
            if case .points(let records) = content {
                #expect(records.count == count, "\(tile) \(pointLimit)")
                #expect(count <= pointLimit, "\(tile)")
            } else {
                #expect(count > pointLimit, "\(tile)")
            }
        }
    }

    /// Checks that the counts of the store equal the numbers of its events.
    private static func checkCounts(_ store: TestStore) throws {
        try store.engine.read { session in
            guard session.dialect.traits.hasTileCounts else { return }
            var expected: [[Int64]: Int64] = [:]
            try session.query("SELECT user_id, geometry FROM event") { row in
                guard let position = row.position(1) else { return true }
                let point = MapPoint(position)
                for zoom in [0, 4, 8, 12, 16] {
                    for user in [row.integer(0), 0] { expected[[user, point.tile(at: zoom).code], default: 0] += 1 }
                }
                return true
            }
            var found: [[Int64]: Int64] = [:]
            try session.query("SELECT user_id, cell, events FROM event_map") { row in
                found[[row.integer(0), row.integer(1)]] = row.integer(2)
                return true
            }
            #expect(found == expected)
            #expect(!found.isEmpty)
            for check in session.checks where ["event-index", "event-map"].contains(check.name) {
                let damage = try check.find(session)
                #expect(damage.count == 0, "\(damage)")
            }
        }
    }

    @Test func countsAreThoseOfEventsAfterEachChange() throws {
        var random = SeededGenerator(seed: 32)
        let store = try TestStore()
        try store.write(Self.records(&random))
        try Self.checkCounts(store)
        try store.write(Self.events(of: 2..<7, days: 5..<20, &random))
        try Self.checkCounts(store)
        for change in [
            "DELETE FROM event WHERE day > '2026-01-30'",
            "UPDATE event SET geometry = NULL WHERE day BETWEEN '2026-01-12' AND '2026-01-14'",
            "DELETE FROM account WHERE external_id IN ('u3', 'u5')",
        ] {
            try store.engine.write { _ = try $0.run(SQL(change)) }
            try Self.checkCounts(store)
        }
        try? store.engine.write { session in
            try session.run(SQL("DELETE FROM event"))
            throw HabitError(.internal, "the transaction is rolled back")
        }
        try Self.checkCounts(store)
    }

    @Test func countsAreThoseOfEventsAfterEachLoad() throws {
        var random = SeededGenerator(seed: 33)
        let store = try TestStore()
        let parts = [
            Self.records(&random), Self.events(of: 3..<5, days: 40..<42, &random),
            Self.events(of: 0..<12, days: 30..<90, &random),
        ]
        for part in parts {
            try store.engine.load { writer in
                for record in part { _ = try writer.write(record) }
            }
            try Self.checkCounts(store)
        }
        let refused = Self.events(of: 0..<3, days: 100..<110, &random)
        try? store.engine.load { writer in
            for record in refused { _ = try writer.write(record) }
            throw HabitError(.internal, "the load is rolled back")
        }
        try Self.checkCounts(store)
    }
}
