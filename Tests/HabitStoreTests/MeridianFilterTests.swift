import Base
import Geo
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests of positions on the 180th meridian, on which the longitudes 180 and -180 are equal, in both engines.
@Suite struct MeridianFilterTests {
    private static let longitudes: [Double] = [-180, -179.5, -170, 0, 170, 179.5, 180]
    private static let latitudes: [Double] = [-1, 0, 1, 1.5]

    private static func positions() throws -> [Position] {
        try longitudes.flatMap { longitude in
            try latitudes.map { try #require(Position(longitude: longitude, latitude: $0)) }
        }
    }

    private static func makeStore() throws -> TestStore {
        let store = try TestStore()
        let first = try #require(Day("2026-01-01"))
        let events = try positions().enumerated().map { number, position in
            Record.event("h", "\(first.advanced(by: number))", id: "e\(number)", at: position)
        }
        try store.write([.user("me"), .habit("h", of: "me")] + events)
        return store
    }

    private static func found(
        in store: TestStore, _ change: (inout EventQuery) -> Void
    ) throws -> [String] {
        try store.rows(as: "me", columns: ["id"]) { session, viewer in
            var query = EventQuery(viewer: viewer)
            change(&query)
            return try query.selection(in: session)
        }.flatMap(\.self).sorted()
    }

    /// Returns the longitudes at which a position is in the plane.
    private static func images(of position: Position) -> [Double] {
        abs(position.longitude) == 180 ? [180, -180] : [position.longitude]
    }

    private static func ids(where isFound: (Position) -> Bool) throws -> [String] {
        try positions().enumerated().filter { isFound($0.element) }.map { "e\($0.offset)" }.sorted()
    }

    @Test func boxesFindBothLongitudes() throws {
        let store = try Self.makeStore()
        let geometry = Queryable(Queryable.geometry, .point)
        for west in Self.longitudes {
            for east in Self.longitudes {
                let box = try #require(BoundingBox(west: west, south: -1, east: east, north: 1))
                // Whether a longitude is between the edges, or is on one of them with `orOn`.
                func isBetween(_ position: Position, orOn: Bool) -> Bool {
                    if west == -180, east == 180 { return true }
                    return Self.images(of: position).contains { longitude in
                        // Degrees east of the western edge, from 0.
                        let width = (east - west + 720).truncatingRemainder(dividingBy: 360)
                        let offset = (longitude - west + 720).truncatingRemainder(dividingBy: 360)
                        if orOn { return offset <= width }
                        return width == 0 ? offset == 0 : offset > 0 && offset < width
                    }
                }
                let inside = try Self.ids { abs($0.latitude) <= 1 && isBetween($0, orOn: true) }
                let within = try Self.ids { abs($0.latitude) < 1 && isBetween($0, orOn: false) }
                #expect(try Self.found(in: store) { $0.filter.box = box } == inside, "\(box)")
                #expect(try Self.found(in: store) { $0.filter.boxOrUnlocated = box } == inside, "\(box)")
                for (relation, ids) in [
                    (SpatialRelation.intersects, inside), (.within, within),
                    (.disjoint, try Self.ids { _ in true }.filter { !inside.contains($0) }),
                ] {
                    let found = try Self.found(in: store) {
                        $0.filter.condition = .spatial(relation, geometry, .box(box))
                    }
                    #expect(found == ids, "\(relation) \(box)")
                }
            }
        }
    }

    @Test(
        .userSQL,
        arguments: [
            (170.0, 180.0),
            (-180, -170),
            (170, 179.5),
            (-180, 180),
        ])
    func polygonsFindBothLongitudes(west: Double, east: Double) throws {
        let store = try Self.makeStore()
        let corners = [(west, -1.0), (east, -1), (east, 1), (west, 1), (west, -1)]
        let ring = try corners.map { try #require(Position(longitude: $0.0, latitude: $0.1)) }
        let polygon = try #require(Polygon(rings: [ring]))
        let area = try #require(Area([polygon]))
        let geometry = Queryable(Queryable.geometry, .point)
        let inside = try Self.ids { position in
            abs(position.latitude) <= 1 && Self.images(of: position).contains { west <= $0 && $0 <= east }
        }
        let within = try Self.ids { position in
            abs(position.latitude) < 1 && west < position.longitude && position.longitude < east
        }
        #expect(try Self.found(in: store) { $0.filter.area = area } == inside)
        for (relation, ids) in [
            (SpatialRelation.intersects, inside), (.within, within),
            (.disjoint, try Self.ids { _ in true }.filter { !inside.contains($0) }),
        ] {
            let found = try Self.found(in: store) {
                $0.filter.condition = .spatial(relation, geometry, .area(area))
            }
            #expect(found == ids, "\(relation)")
        }
        let clock = Clock(now: Instant(microseconds: 1_795_608_000_000_000))
        for user in [nil, "me"] as [String?] {
            var rows: [String] = []
            try store.analyze(as: user, clock: clock) { session, viewer in
                let query = AnalysisQuery(
                    "SELECT id FROM events WHERE in_area(longitude, latitude, :area) = 1 ORDER BY id", viewer: viewer,
                    clock: clock, parameters: ["area": .text(area.geoJSON)])
                try query.run(in: session) { _ in { rows.append($0.text(0) ?? "") } }
            }
            #expect(rows == inside)
        }
    }

    @Test(arguments: [180.0, -180]) func pointFindsBothLongitudes(longitude: Double) throws {
        let store = try Self.makeStore()
        let point = try #require(Position(longitude: longitude, latitude: 1))
        let found = try Self.found(in: store) {
            $0.filter.condition = .spatial(.intersects, Queryable(Queryable.geometry, .point), .point(point))
        }
        #expect(try found == Self.ids { abs($0.longitude) == 180 && $0.latitude == 1 })
    }

    /// A place at the meridian is one place, whose mean longitude is not 0.
    @Test func placeAndCellOnMeridianAreOne() throws {
        let store = try TestStore()
        let records = [180.0, -180, 180].enumerated().map { number, longitude in
            Record.event("h", "2026-01-0\(number + 1)", at: Position(longitude: longitude, latitude: 90))
        }
        try store.write([.user("me"), .habit("h", of: "me")] + records)
        let clock = Clock(now: Instant(microseconds: 1_795_608_000_000_000))
        for (sql, expected) in [
            ("SELECT visits, longitude, latitude FROM habit_places(0.002, NULL, NULL, NULL, NULL) AS p", ["3 -180 90"]),
            ("SELECT events, cell_x, cell_y FROM event_cells(7, NULL, NULL, NULL, NULL) AS c", ["3 -26 12"]),
        ] {
            var rows: [String] = []
            try store.analyze(clock: clock) { session, viewer in
                _ = try AnalysisQuery(sql, viewer: viewer, clock: clock).run(in: session) { shape in
                    { row in rows.append(shape.columns.indices.map { "\(Int(row.number($0)))" }.joined(separator: " "))
                    }
                }
            }
            #expect(rows == expected)
        }
    }

    /// Each cell with a pole contains it, whatever its size.
    @Test(arguments: [
        0.00001, 0.01, 0.13, 0.25, 0.7, 1, 7, 13,
        45, 80, 89.9, 90, 100, 180, 360, 1000,
    ])
    func cellsContainTheirPositions(size: Double) throws {
        let store = try TestStore()
        let corners = [
            (-180.0, 90.0),
            (180, 90),
            (180, -90),
            (0, -90),
            (12.5, 89.99),
            (-12.5, 0),
        ]
        let events = corners.enumerated().map { number, corner in
            Record.event(
                "h", "2026-01-1\(number)", at: Position(longitude: corner.0, latitude: corner.1))
        }
        try store.write([.user("me"), .habit("h", of: "me")] + events)
        let clock = Clock(now: Instant(microseconds: 1_795_608_000_000_000))
        let sql = "SELECT cell_x, cell_y, events FROM event_cells(:cell, NULL, NULL, NULL, NULL) AS c"
        var cells: [BoundingBox] = []
        var count = 0
        try store.analyze(clock: clock) { session, viewer in
            let query = AnalysisQuery(sql, viewer: viewer, clock: clock, parameters: ["cell": .number(size)])
            try query.run(in: session) { _ in
                { row in
                    let x = row.number(0)
                    let y = row.number(1)
                    let box = BoundingBox(
                        west: max(x * size, -180), south: max(y * size, -90), east: min((x + 1) * size, 180),
                        north: min((y + 1) * size, 90))
                    if let box { cells.append(box) }
                    count += Int(row.integer(2))
                }
            }
        }
        #expect(count == corners.count)
        for (longitude, latitude) in corners {
            let position = try #require(Position(longitude: longitude == 180 ? -180 : longitude, latitude: latitude))
            // The edges are products, which are rounded.
            let isHeld = cells.contains { cell in
                cell.west - 1e-9 <= position.longitude && position.longitude <= cell.east + 1e-9
                    && cell.south - 1e-9 <= latitude && latitude <= cell.north + 1e-9 && cell.south < cell.north
            }
            #expect(isHeld, "\(position.longitude) \(position.latitude) in \(cells)")
        }
    }
}
