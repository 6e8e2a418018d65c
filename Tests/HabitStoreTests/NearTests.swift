import Base
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import Rendering
import StoreEngine
import Testing

/// Tests of every result against brute force over all events.
@Suite struct NearTests {
    private struct PositionedEvent {
        var id: String
        var position: Position
    }

    private static let seed: UInt64 = 20_261_121

    /// The store that all tests read.
    private static let sample = Result { try sampleStore() }

    /// Creates a store with 10,000 events.
    ///
    /// A third is at random positions, a third at the antimeridian and the poles, and a third within a centimeter of 5
    /// km from one of 500 centers.
    private static func sampleStore() throws -> (store: TestStore, places: [PositionedEvent], centers: [Position]) {
        var generator = SeededGenerator(seed: seed)
        let centers = (0..<500).map { index in place(hard: index % 3 != 0, &generator) }
        var positions: [Position] = (0..<10_000).map { index in
            switch index % 3 {
            case 0:
                let center = centers[index / 3 % centers.count]
                let meters = 5000 + Double.random(in: -0.01...0.01, using: &generator)
                return Geodesic.destination(
                    from: center, azimuth: .random(in: 0..<360, using: &generator), distance: .meters(meters))
            case 1: return place(hard: true, &generator)
            default: return place(hard: false, &generator)
            }
        }
        for index in 0..<20 { positions[index] = centers[index] }
        positions[20] = try #require(Position(longitude: 0, latitude: 0))
        positions[21] = try #require(Position(longitude: 180, latitude: 0))
        positions[22] = try #require(Position(longitude: -180, latitude: 0))

        let store = try TestStore()
        let days = try #require(Day("2024-01-01"))
        var records: [Record] = [.user("u")] + (0..<20).map { .habit("h\($0)", of: "u") }
        var places: [PositionedEvent] = []
        for (index, position) in positions.enumerated() {
            let place = PositionedEvent(id: "e\(index)", position: position)
            places.append(place)
            records.append(
                .event("h\(index % 20)", days.advanced(by: index / 20).description, id: place.id, at: position))
        }
        try store.write(records)
        return (store, places, centers)
    }

    private static func place(hard: Bool, _ generator: inout SeededGenerator) -> Position {
        let kind = hard ? Int.random(in: 0..<4, using: &generator) : 4
        let near = Double.random(in: -0.05...0.05, using: &generator)
        let longitude = Double.random(in: -180...180, using: &generator)
        let position =
            switch kind {
            case 0: Position(longitude: near < 0 ? 180 + near : -180 + near, latitude: -16.8 + near)
            case 1: Position(longitude: longitude, latitude: 90 - abs(near))
            case 2: Position(longitude: longitude, latitude: -90 + abs(near))
            case 3: Position(longitude: near < 0 ? -180 : 180, latitude: Double.random(in: -90...90, using: &generator))
            default: Position(longitude: longitude, latitude: Double.random(in: -89...89, using: &generator))
            }
        return position
            ?? Geodesic.destination(
                from: Position.origin, azimuth: 0, distance: .meters(0))
    }

    /// A degree of latitude is at least this long.
    private static let shortestDegree = Distance.meters(110_574)

    /// Returns the IDs of the events in a circle, from the nearest to the farthest.
    private static func bruteForce(
        _ places: [PositionedEvent],
        around center: Position,
        within distance: Distance
    ) -> [String] {
        var inside: [(id: String, meters: Double)] = []
        for place in places {
            let degrees = abs(place.position.latitude - center.latitude)
            guard degrees * shortestDegree.meters <= distance.meters else { continue }
            let meters = Geodesic.distance(from: center, to: place.position).meters
            if meters <= distance.meters { inside.append((place.id, meters)) }
        }
        let sorted = inside.sorted { a, b in
            a.meters == b.meters ? a.id < b.id : a.meters < b.meters
        }
        return sorted.map(\.id)
    }

    private static func query(_ viewer: Viewer) -> NearQuery {
        NearQuery(
            kinds: [.events], events: EventQuery(viewer: viewer),
            items: ItemQuery(viewer: viewer, clock: Clock(now: Instant(microseconds: 0))),
            posts: PostQuery(viewer: viewer))
    }

    @Test func nearMatchesBruteForceInOrder() throws {
        let sample = try Self.sample.get()
        let store = sample.store
        let places = sample.places
        let centers = sample.centers
        var hits = 0
        for (index, center) in centers.enumerated() {
            let distance: Distance = [.kilometers(5), .kilometers(5), .meters(0), .kilometers(300)][index % 4]
            let expected = Self.bruteForce(places, around: center, within: distance)
            let found = try store.rows(columns: ["id"]) { session, viewer in
                try Self.query(viewer).selection(near: Near(center: center, within: distance), in: session)
            }
            #expect(found.flatMap(\.self) == expected, "seed \(Self.seed), centre \(index): \(center), \(distance)")
            hits += expected.count
        }
        #expect(hits > 5000, "the test must find rows")
    }

    @Test func nearIncludesBoundaryOfLargeCircles() throws {
        let sample = try Self.sample.get()
        let store = sample.store
        let places = sample.places
        let centers = sample.centers
        for center in centers.prefix(12) {
            for distance in [Distance.kilometers(1000), .kilometers(15_000), .farthest] {
                let expected = Self.bruteForce(places, around: center, within: distance)
                let found = try store.rows(columns: ["id"]) { session, viewer in
                    try Self.query(viewer).selection(near: Near(center: center, within: distance), in: session)
                }
                #expect(found.flatMap(\.self) == expected, "seed \(Self.seed): \(center), \(distance)")
            }
            // An event at exactly the distance is included. At a slightly smaller distance, it is not.
            let place = places[Int(center.latitude.magnitude) + 100]
            let edge = Geodesic.distance(from: center, to: place.position)
            // PostGIS converts degrees to radians, which causes an error of about a nanometer.
            let slack = TestServer.isUsed ? 1e-6 : 0
            for (distance, isIn) in [
                (Distance.meters(edge.meters + slack), true), (.meters((edge.meters - slack).nextDown), false),
            ] {
                let found = try store.rows(columns: ["id"]) { session, viewer in
                    try Self.query(viewer).selection(near: Near(center: center, within: distance), in: session)
                }
                #expect(found.contains([place.id]) == isIn)
            }
        }
    }

    @Test func nearestMatchesBruteForce() throws {
        let sample = try Self.sample.get()
        let store = sample.store
        let places = sample.places
        let centers = sample.centers
        for center in centers.prefix(30) {
            let all = Self.bruteForce(places, around: center, within: .farthest)
            for count in [1, 7, 100, 20_000] {
                let found = try store.rows(columns: ["id"]) { session, viewer in
                    var query = Self.query(viewer)
                    query.nearest = count
                    return try query.selection(near: Near(center: center, within: .farthest), in: session)
                }
                #expect(found.flatMap(\.self) == Array(all.prefix(count)), "seed \(Self.seed): \(center), \(count)")
            }
        }
    }

    @Test func pageByDistanceIsInSmallerCircle() throws {
        let sample = try Self.sample.get()
        let store = sample.store
        let centers = sample.centers
        for center in centers.prefix(20) {
            let near = Near(center: center, within: .kilometers(20_000))
            var query = EventQuery(viewer: .operator)
            query.sort = .distance
            query.page = Page(limit: 5)
            func ids(in circle: Near) throws -> [String] {
                try store.rows(columns: ["id"]) { session, _ in
                    query.filter.near = circle
                    return try query.selection(in: session)
                }.flatMap(\.self)
            }
            let smaller = try store.engine.read { session in
                try near.smaller(containing: Page(limit: 5), in: session) { circle in
                    query.filter.near = circle
                    return try query.selection(in: session)
                }
            }
            #expect(smaller.distance < near.distance)
            #expect(try ids(in: smaller) == ids(in: near))
        }
    }

    /// The sort order does not change which rows are nearest.
    @Test func nearestSortedByNewestContainsSameEvents() throws {
        let sample = try Self.sample.get()
        let store = sample.store
        let places = sample.places
        let centers = sample.centers
        for center in centers.prefix(10) {
            let expected = Set(Self.bruteForce(places, around: center, within: .farthest).prefix(9))
            let found = try store.rows(columns: ["id", "day"]) { session, viewer in
                var query = Self.query(viewer)
                query.nearest = 9
                query.sort = .newest
                return try query.selection(near: Near(center: center, within: .farthest), in: session)
            }
            #expect(Set(found.map { $0[0] }) == expected)
            #expect(found.map { $0[1] } == found.map { $0[1] }.sorted(by: >))
        }
    }

    /// The sort columns need not be selected.
    @Test func nearestSortedByNewestNeedsNoSortColumns() throws {
        let place = try #require(Position(longitude: 9, latitude: 38))
        let store = try TestStore()
        try store.write([
            .user("ann"), .habit("run", of: "ann"), .event("run", "2026-11-01", id: "b", at: place),
            .event("run", "2026-11-02", id: "a", at: place), .event("run", "2026-10-31", id: "c", at: place),
        ])
        let ids = try store.rows(columns: ["id"]) { session, viewer in
            var events = EventQuery(viewer: viewer)
            events.columns = ["id"]
            var query = NearQuery(
                kinds: [.events], events: events, items: ItemQuery(viewer: viewer, clock: Clock(now: .now)),
                posts: PostQuery(viewer: viewer))
            query.nearest = 3
            query.sort = .newest
            return try query.selection(near: Near(center: place), in: session)
        }
        #expect(ids == [["a"], ["b"], ["c"]])
    }

    @Test(.fileStoreOnly) func indexAndFullScanAgree() throws {
        let sample = try Self.sample.get()
        let store = sample.store
        let centers = sample.centers
        for center in centers.prefix(60) {
            let near = Near(center: center)
            let indexed = try store.rows { session, viewer in
                try Self.query(viewer).selection(near: near, in: session)
            }
            let scanned = try store.rows { session, viewer in
                var selection = try Self.query(viewer).selection(near: near, in: session)
                let indexed = selection.sql
                var text = indexed.text
                let from = try #require(text.range(of: "FROM ("))
                let join = try #require(text.range(of: "CROSS JOIN event ON event.id = candidate.pkid"))
                text.replaceSubrange(from.lowerBound..<join.upperBound, with: "FROM event")
                selection.sql = SQL(text, indexed.bindings)
                selection.sql.texts = indexed.texts
                return selection
            }
            #expect(indexed == scanned)
        }
    }

    @Test func nearFindsNothingInEmptyStore() throws {
        let store = try TestStore()
        for nearest in [nil, 5] {
            let found = try store.rows { session, viewer in
                var query = Self.query(viewer)
                query.nearest = nearest
                return try query.selection(near: Near(center: .origin, within: .farthest), in: session)
            }
            #expect(found.isEmpty)
        }
    }

    @Test func boxIncludesEdgesAndCrossesAntimeridian() throws {
        let sample = try Self.sample.get()
        let store = sample.store
        let places = sample.places
        let boxes = [
            (-10.0, -10.0, 10.0, 10.0),
            (179.9, -90, -179.9, 90),
            (-180, 89.9, 180, 90),
            (0, 0, 0, 0),
            (180, -90, 180, 90),
            (-180, -90, -179.95, 90),
            (0.000001, -90, 0, 90),
        ]
        for (west, south, east, north) in boxes {
            let box = try #require(BoundingBox(west: west, south: south, east: east, north: north))
            let expected = Set(places.filter { box.contains($0.position) }.map(\.id))
            #expect(!expected.isEmpty)
            let found = try store.rows(columns: ["id"]) { session, viewer in
                var query = EventQuery(viewer: viewer)
                query.filter.box = box
                return try query.selection(in: session)
            }
            #expect(Set(found.flatMap(\.self)) == expected)
            #expect(found.count == expected.count)
        }
    }
}

extension Position {
    static var origin: Position {
        guard let origin = Position(longitude: 0, latitude: 0) else { preconditionFailure("0,0 is a position") }
        return origin
    }
}
