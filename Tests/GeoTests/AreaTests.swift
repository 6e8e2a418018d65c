import HabitTestSupport
import Testing

@testable import Geo

@Suite(.engineIndependent) struct AreaTests {
    private static func area(_ text: String) throws -> Area { try Area(geoJSON: text.utf8) }

    private static func polygon(west: Double, south: Double, east: Double, north: Double) -> String {
        let ring = "[[\(west),\(south)],[\(east),\(south)],[\(east),\(north)],[\(west),\(north)],[\(west),\(south)]]"
        return #"{"type":"Polygon","coordinates":[\#(ring)]}"#
    }

    @Test func objectsOfGeoJSONHaveSamePolygons() throws {
        let first = Self.polygon(west: 0, south: 0, east: 1, north: 1)
        let second = Self.polygon(west: 2, south: 2, east: 3, north: 3)
        let features = [first, second].map { #"{"type":"Feature","properties":{"a":[1]},"geometry":\#($0)}"# }
        let multi = #"""
            {"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,1],[0,0]]],
            [[[2,2,7],[3,2,7,8],[3,3],[2,3],[2.0,2e0]]]]}
            """#
        let expected = try Self.area(multi)
        #expect(expected.polygons.count == 2)
        for text in [
            #"{"type":"FeatureCollection","features":[\#(features[0]),\#(features[1])]}"#,
            #"{"features":[\#(features[0]),\#(features[1])],"type":"FeatureCollection","bbox":[0,0,3,3]}"#,
            #"{"type":"GeometryCollection","geometries":[\#(first),\#(second)]}"#,
            #"{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[\#(first),\#(second)]}}"#,
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":\#(multi)}]}"#,
        ] {
            #expect(try Self.area(text) == expected, "\(text)")
        }
    }

    @Test(arguments: [
        ("", AreaError.notJSON),
        ("{", .notJSON),
        (#"{"type":"Polygon",}"#, .notJSON),
        ("{}", .notPolygons),
        (#"{"type":"Polygon","type":"Polygon","coordinates":[]}"#, .notJSON),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1e999,0],[1,1],[0,0]]]}"#, .notJSON),
        (String(repeating: "[", count: 100_000), .notJSON),
        (#"{"type":"Polygon","coordinates":[[[0,0],[-181,0],[1,1],[0,0]]]}"#, .positionInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}"#, .ringInvalid),
    ])
    func invalidTextIsRefused(text: String, error: AreaError) {
        #expect(throws: error) { try Self.area(text) }
    }

    @Test func sizeIsLimited() {
        #expect(throws: AreaError.tooLarge) {
            try Area(geoJSON: [UInt8](repeating: 32, count: Area.maximumBytes + 1))
        }
        let positions = String(repeating: "[0,0],", count: Area.maximumPositions)
        #expect(throws: AreaError.tooLarge) {
            try Self.area(#"{"type":"Polygon","coordinates":[[\#(positions)[0,0]]]}"#)
        }
        #expect("\(AreaError.tooLarge)".contains("200,000"))
        #expect(Area.maximumPositions == 200_000)
        #expect("\(AreaError.tooLarge)".contains("16 MiB"))
        #expect(Area.maximumBytes == 16 << 20)
    }

    private typealias Span = (west: Double, east: Double)

    /// The longitudes of polygons, and of the box that contains them.
    private static let spans: [(polygons: [Span], box: Span)] = [
        ([(170, 180), (-180, -170)], (170, -170)),
        ([(-10, 10), (20, 30)], (-10, 30)),
        ([(-170, 170)], (-170, 170)),
        ([(175, 178), (-179, -178)], (175, -178)),
        ([(-100, -90), (100, 110)], (100, -90)),
        ([(-180, 180), (1, 2)], (-180, 180)),
        ([(0, 100), (10, 20), (150, 160), (-170, -160)], (0, -160)),
    ]

    /// The box crosses the antimeridian only if it is then narrower.
    @Test(arguments: spans.indices) func boxIsNarrowest(index: Int) throws {
        let spans = Self.spans[index]
        let polygons = spans.polygons.map { span in
            Self.polygon(west: span.west, south: -5, east: span.east, north: 5)
        }
        let geometries = polygons.joined(separator: ",")
        let area = try Self.area(#"{"type":"GeometryCollection","geometries":[\#(geometries)]}"#)
        #expect(area.box == BoundingBox(west: spans.box.west, south: -5, east: spans.box.east, north: 5))
    }

    /// Integer coordinates, for which the winding number in integers is exact, in a ring with an index of its edges.
    @Test(arguments: [40, 400, 3000]) func ringWithManyEdgesHasWindingNumberOfAllEdges(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        var ring = (0..<count).map { _ -> (x: Int, y: Int) in
            let x = Int.random(in: -40...40, using: &random)
            let y = Int.random(in: -20...20, using: &random)
            return (x: x, y: y)
        }
        // Neighbors are close to each other, so most edges are short.
        for index in 1..<count where index % 7 != 0 {
            let previous = ring[index - 1]
            let x = previous.x + Int.random(in: -2...2, using: &random)
            let y = previous.y + Int.random(in: -2...2, using: &random)
            ring[index].x = min(40, max(-40, x))
            ring[index].y = min(20, max(-20, y))
        }
        ring.append(ring[0])
        let positions = ring.compactMap { Position(longitude: Double($0.x), latitude: Double($0.y)) }
        let polygon = try #require(Polygon(rings: [positions]))
        for y in -21...21 {
            for x in -41...41 {
                let position = try #require(Position(longitude: Double(x), latitude: Double(y)))
                #expect(polygon.side(of: position) == Self.side(x: x, y: y, of: ring), "\(x) \(y)")
            }
        }
    }

    private static func side(x: Int, y: Int, of ring: [(x: Int, y: Int)]) -> Polygon.Side {
        var winding = 0
        for (a, b) in zip(ring, ring.dropFirst()) {
            let turn = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
            let isInColumns = min(a.x, b.x) <= x && x <= max(a.x, b.x)
            let isInRows = min(a.y, b.y) <= y && y <= max(a.y, b.y)
            if turn == 0, isInColumns, isInRows { return .border }
            if a.y <= y, y < b.y, turn > 0 { winding += 1 }
            if b.y <= y, y < a.y, turn < 0 { winding -= 1 }
        }
        return winding == 0 ? .outside : .inside
    }

    /// A ring whose latitudes differ by the smallest possible amount.
    @Test func flatRingIsSearched() throws {
        let tiny = Double.leastNonzeroMagnitude
        let positions = (0..<100).compactMap { Position(longitude: Double($0), latitude: $0 % 2 == 0 ? 0 : tiny) }
        let polygon = try #require(Polygon(rings: [positions + positions.prefix(1)]))
        #expect(polygon.side(of: positions[50]) == .border)
        #expect(polygon.side(of: try #require(Position(longitude: 5, latitude: 1))) == .outside)
    }

    /// Polygons that are small, that are at the same latitude, that overlap, and one that contains the others.
    @Test func firstOfManyPolygonsThatContainsPositionDecides() throws {
        var random = SeededGenerator(seed: 7)
        let polygons = try (0..<500).map { index in
            let isLarge = index == 400
            let width = isLarge ? 80 : Int.random(in: 1...3, using: &random)
            let height = isLarge ? 40 : 1 + index % 3
            let west = isLarge ? -40 : Int.random(in: -40...37, using: &random)
            let south = isLarge ? -20 : index % 5 == 0 ? 3 : Int.random(in: -20...17, using: &random)
            let corners = [(0, 0), (width, 0), (width, height), (0, height), (0, 0)]
            let ring = corners.compactMap { x, y in
                Position(longitude: Double(west + x), latitude: Double(south + y))
            }
            return try #require(Polygon(rings: [ring]))
        }
        let area = try #require(Area(polygons))
        var sides: Set<Polygon.Side> = []
        for halfLatitude in -42...42 {
            for halfLongitude in -82...82 {
                let position = try #require(
                    Position(longitude: Double(halfLongitude) / 2, latitude: Double(halfLatitude) / 2))
                let expected = polygons.map { $0.side(of: position) }.first { $0 != .outside } ?? .outside
                #expect(area.side(of: position) == expected, "\(position)")
                sides.insert(expected)
            }
        }
        #expect(sides == [.inside, .border, .outside])
    }
}
