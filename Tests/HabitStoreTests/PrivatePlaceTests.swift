import Base
import Geo
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests the positions that each viewer sees of events and posts of users with private places, in every path that reads
/// positions (C-33).
@Suite struct PrivatePlaceTests {
    typealias Scene = PrivatePlaceScene

    private static let boxes = ["12.497,41.897,12.503,41.903", "12.4,41.8,12.6,42.0", "-180,-90,180,90"]
    private static let point = Queryable(Queryable.geometry, .point)

    /// The IDs and positions of rows or of records.
    private typealias Positions = [String: Position?]

    private static func positions(_ records: [Scene.Record]) -> Positions {
        Dictionary(uniqueKeysWithValues: records.map { record in (record.id, record.position) })
    }

    private static func positions(_ rows: [[String]]) -> Positions {
        var positions: Positions = [:]
        for row in rows {
            var position: Position?
            if let longitude = Double(row[1]), let latitude = Double(row[2]) {
                position = Position(longitude: longitude, latitude: latitude)
            }
            positions[row[0]] = .some(position)
        }
        return positions
    }

    private static func events(
        _ scene: Scene,
        as viewer: String?,
        _ change: (inout EventQuery) -> Void = { _ in }
    ) throws -> Positions {
        let rows = try scene.store.rows(as: viewer, columns: ["id", "longitude", "latitude"]) { session, viewer in
            var query = EventQuery(viewer: viewer)
            change(&query)
            return try query.selection(in: session)
        }
        return positions(rows)
    }

    private static func posts(
        _ scene: Scene,
        as viewer: String?,
        _ change: (inout PostQuery) -> Void = { _ in }
    ) throws -> Positions {
        let rows = try scene.store.rows(as: viewer, columns: ["id", "longitude", "latitude"]) { session, viewer in
            var query = PostQuery(viewer: viewer)
            change(&query)
            return try query.selection(in: session)
        }
        return positions(rows)
    }

    private static func read<Result>(
        _ scene: Scene,
        as viewer: String?,
        _ body: (any Session, Viewer) throws -> Result
    ) throws -> Result {
        try scene.store.engine.read { session in
            let viewer = try viewer.map { id in try Viewer.user(named: id, in: session) } ?? .operator
            return try body(session, viewer)
        }
    }

    private static func sql(_ scene: Scene, as viewer: String?, _ sql: String) throws -> [[String]] {
        try scene.store.analyze(as: viewer, clock: Scene.clock) { session, viewer in
            var rows: [[String]] = []
            try AnalysisQuery(sql, viewer: viewer, clock: Scene.clock).run(in: session) { shape in
                { row in rows.append(shape.columns.indices.map { index in row.text(index) ?? "∅" }) }
            }
            return rows
        }
    }

    // MARK: Lists

    @Test(arguments: Scene.Order.allCases) func listsShowNoPrivatePositionsToOthers(order: Scene.Order) throws {
        let scene = try Scene(order)
        for viewer in Scene.viewers {
            #expect(try Self.events(scene, as: viewer) == Self.positions(scene.events(for: viewer)), "\(viewer ?? "-")")
            #expect(try Self.posts(scene, as: viewer) == Self.positions(scene.posts(for: viewer)), "\(viewer ?? "-")")
        }
        #expect(try StoreDoctor(scene.store.engine).examine().allSatisfy { check in check.status == .ok })
    }

    @Test func singleRecordsShowNoPrivatePositionsToOthers() throws {
        let scene = try Scene()
        for viewer in Scene.viewers {
            for event in scene.events(for: viewer) {
                #expect(try Self.events(scene, as: viewer) { $0.filter.id = event.id } == [event.id: event.position])
            }
            for post in scene.posts(for: viewer) {
                #expect(try Self.posts(scene, as: viewer) { $0.id = post.id } == [post.id: post.position])
            }
        }
    }

    @Test func newestEventsOfFriendsStayWithoutPosition() throws {
        let scene = try Scene()
        let found = try Self.events(scene, as: "latest") { query in query.scope = .friends }
        #expect(found["run-40"] == .some(nil))
        #expect(found["walk-18"] == scene.events.first { event in event.id == "walk-18" }?.position)
        #expect(found.count == 2)
    }

    /// A client without a token sees the records in the name of the operator.
    @Test func publicRowsShowNoPrivatePositions() throws {
        let scene = try Scene()
        let all = scene.events.map { event -> Scene.Record in
            var event = event
            if event.isPrivate { event.position = nil }
            return event
        }
        #expect(try Self.events(scene, as: nil) { $0.isPublic = true } == Self.positions(all))
        let located = all.filter { event in event.position != nil }
        let near = try Self.events(scene, as: nil) { query in
            query.isPublic = true
            query.filter.near = Near(center: Scene.center, within: .meters(100_000))
        }
        #expect(near == Self.positions(located))
        let posts = try Self.posts(scene, as: nil) { $0.isPublic = true }
        let locatedPosts = scene.posts.filter { post in post.position != nil && !post.isPrivate }
        #expect(posts.values.filter { position in position != nil }.count == locatedPosts.count)
        #expect(locatedPosts.count < scene.posts.count { post in post.position != nil })
        try Self.read(scene, as: nil) { session, viewer in
            var query = EventQuery(viewer: viewer)
            query.isPublic = true
            let clusters = try MapQuery(.events(query)).clusters(in: .world, zoom: 6, limit: 1000, in: session)
            #expect(clusters?.reduce(0) { sum, cluster in sum + cluster.count } == located.count)
        }
    }

    // MARK: Filters

    @Test func distancesAndBoxesFindNoPrivatePositionsOfOthers() throws {
        let scene = try Scene()
        for viewer in Scene.viewers {
            let events = scene.events(for: viewer)
            let posts = scene.posts(for: viewer)
            for meters in [100.0, 450, 3000, 100_000] {
                let near = Near(center: Scene.center, within: .meters(meters))
                func isNear(_ record: Scene.Record) -> Bool {
                    guard let position = record.position else { return false }
                    return Geodesic.distance(from: Scene.center, to: position).meters <= meters
                }
                let expected = Self.positions(events.filter(isNear))
                #expect(try Self.events(scene, as: viewer) { $0.filter.near = near } == expected, "\(meters)")
                let nearPosts = Self.positions(posts.filter(isNear))
                #expect(try Self.posts(scene, as: viewer) { $0.near = near } == nearPosts, "\(meters)")
                let call = "(\(Scene.center.longitude), \(Scene.center.latitude), \(meters))"
                let ofFunction = try Self.sql(scene, as: viewer, "SELECT id FROM events_near\(call)")
                #expect(Set(ofFunction.map { row in row[0] }) == Set(expected.keys))
                let ofPosts = try Self.sql(scene, as: viewer, "SELECT id FROM posts_near\(call)")
                #expect(Set(ofPosts.map { row in row[0] }) == Set(nearPosts.keys))
            }
            for text in Self.boxes {
                let box = try #require(BoundingBox(text))
                let inside = events.filter { event in event.position.map(box.contains) == true }
                let unlocated = events.filter { event in event.position == nil }
                #expect(try Self.events(scene, as: viewer) { $0.filter.box = box } == Self.positions(inside))
                let open = try Self.events(scene, as: viewer) { $0.filter.boxOrUnlocated = box }
                #expect(open == Self.positions(inside + unlocated))
                let filtered = try Self.events(scene, as: viewer) { query in
                    query.filter.condition = .spatial(.intersects, Self.point, .box(box))
                }
                #expect(filtered == Self.positions(inside))
                let ofPosts = posts.filter { post in post.position.map(box.contains) == true }
                #expect(try Self.posts(scene, as: viewer) { $0.box = box } == Self.positions(ofPosts))
            }
            let located = events.filter { event in event.position != nil }
            #expect(try Self.events(scene, as: viewer) { $0.filter.isLocated = true } == Self.positions(located))
        }
    }

    // MARK: Maps, extents, functions and views

    @Test(arguments: Scene.Order.allCases) func mapsCountNoPrivatePositionsOfOthers(order: Scene.Order) throws {
        let scene = try Scene(order)
        for viewer in Scene.viewers {
            let located = scene.events(for: viewer).filter { event in event.position != nil }
            try Self.read(scene, as: viewer) { session, viewer in
                let map = MapQuery(.events(EventQuery(viewer: viewer)))
                for zoom in [0, 6, 12, 16] {
                    let clusters = try map.clusters(in: .world, zoom: zoom, limit: 1000, in: session) ?? []
                    #expect(clusters.reduce(0) { sum, cluster in sum + cluster.count } == located.count, "\(zoom)")
                }
                let tile = MapPoint(Scene.center).tile(at: 10)
                guard case .points(let points) = try map.content(of: tile, properties: [], in: session) else {
                    Issue.record("the tile has clusters")
                    return
                }
                let inTile = located.filter { event in event.position.map { tile.contains(MapPoint($0)) } == true }
                #expect(Set(points.map(\.id)) == Set(inTile.map(\.id)))
            }
        }
    }

    @Test func extentsContainNoPrivatePositionsOfOthers() throws {
        let scene = try Scene()
        for viewer in Scene.viewers {
            for (kind, records) in [(RecordKind.events, scene.events(for: viewer)), (.posts, scene.posts(for: viewer))]
            {
                let box = try Self.read(scene, as: viewer) { session, viewer in
                    try ExtentQuery(kind, viewer: viewer).extent(in: session)?.box
                }
                let latitudes = records.compactMap { record in record.position?.latitude }
                #expect(box?.south == latitudes.min())
                #expect(box?.north == latitudes.max())
            }
        }
    }

    @Test func functionsAndViewsShowNoPrivatePositionsToOthers() throws {
        let scene = try Scene()
        for viewer in Scene.viewers {
            let events = scene.events(for: viewer)
            let located = events.filter { event in event.position != nil }
            let cells = try Self.sql(
                scene, as: viewer, "SELECT coalesce(sum(events), 0) FROM event_cells(0.01, NULL, NULL, NULL, NULL)")
            #expect(cells.first?.first == "\(located.count)")
            let places = try Self.sql(
                scene, as: viewer, "SELECT coalesce(sum(visits), 0) FROM habit_places(0.01, NULL, NULL, NULL, NULL)")
            #expect(places.first?.first == "\(located.count)")
            let rows = try Self.sql(scene, as: viewer, "SELECT id FROM events WHERE longitude IS NOT NULL")
            #expect(Set(rows.map { row in row[0] }) == Set(located.map(\.id)))
            let posts = try Self.sql(scene, as: viewer, "SELECT id FROM posts WHERE latitude IS NOT NULL")
            let locatedPosts = scene.posts(for: viewer).filter { post in post.position != nil }
            #expect(Set(posts.map { row in row[0] }) == Set(locatedPosts.map(\.id)))
        }
    }
}
