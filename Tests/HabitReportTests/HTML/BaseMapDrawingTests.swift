import Foundation
import Geo
import Testing

@testable import Rendering

@Suite struct BaseMapDrawingTests {
    typealias Point = DrawingPoint

    private func projection(
        west: Double, south: Double, east: Double, north: Double
    ) throws -> any MapProjection {
        let box = try #require(BoundingBox(west: west, south: south, east: east, north: north))
        return PolarMap(around: box) ?? FlatMap(around: box)
    }

    /// Returns the vertices of the path of a class, in units of the drawing, one list for each part.
    private func vertices(_ name: String, _ svg: String) throws -> [[Point]] {
        let path = try #require(
            svg.firstMatch(of: try Regex("class=\"\(name)\" d=\"([^\"]*)\"", as: (Substring, Substring).self)))
        return path.output.1.split(separator: "M").map { part in
            var x = 0.0
            var y = 0.0
            let numbers = part.matches(of: #/-?\d+/#).compactMap { Double($0.output) }
            return stride(from: 0, to: numbers.count - 1, by: 2).map { i in
                x += numbers[i] / 2
                y += numbers[i + 1] / 2
                return (x, y)
            }
        }
    }

    @Test(
        arguments: [
            (-180, -90, 180, 90),
            (-12, 36, -6, 43),
            (-9.9, 38.2, -8.7, 39.2),
            (170, -50, -175, -30),
            (0, 85, 20, 90),
            (-180, -90, 180, -65),
            (-180, 62, 180, 89),
            (177, -19, -178, -15),
        ])
    func landAndBordersStayInsideMap(west: Double, south: Double, east: Double, north: Double) throws {
        let projection = try projection(west: west, south: south, east: east, north: north)
        let paths = BaseMapDrawing(projection).paths.text
        let drawn = try vertices("land", paths) + vertices("border", paths)
        for point in drawn.joined() {
            // The vertices are rounded to half a unit.
            let offsets = [-0.5, 0.5]
            let moved = offsets.flatMap { dx in
                offsets.map { dy in (point.x + dx, point.y + dy) }
            }
            #expect(moved.contains { projection.area.contains($0) }, "\(point)")
        }
        #expect(paths.utf8.count < 30_000)
    }

    @Test func mapOfCityHasNoCoarseCoasts() throws {
        let projection = try projection(west: -9.2, south: 38.68, east: -9.1, north: 38.74)
        #expect(BaseMapDrawing(projection).paths.text.isEmpty)
    }

    @Test func mapOfSeaHasNoLand() throws {
        let projection = try projection(west: -30, south: 30, east: -29, north: 31)
        let land = try vertices("land", BaseMapDrawing(projection).paths.text)
        #expect(land.isEmpty)
    }

    @Test func mapInsideLandIsFilled() throws {
        let projection = try projection(west: 9, south: 50, east: 10.4, north: 51)
        let land = try vertices("land", BaseMapDrawing(projection).paths.text)
        #expect(land.count == 1)
        #expect(
            abs(area(try #require(land.first)) - FlatMap.plotWidth * (projection.size.height - FlatMap.top - 33)) < 300)
    }

    @Test func landOnBothSidesOfAntimeridianIsDrawn() throws {
        let projection = try projection(west: 170, south: 62, east: -170, north: 70)
        let land = try vertices("land", BaseMapDrawing(projection).paths.text)
        let total = land.map(area).reduce(0, +)
        let xs = land.joined().map(\.x)
        #expect(total > 1000)
        #expect((xs.min() ?? 0) < FlatMap.left + 1)
        #expect((xs.max() ?? 0) > FlatMap.left + 0.6 * FlatMap.plotWidth)
    }

    private func area(_ points: [Point]) -> Double {
        var doubled = 0.0
        for (a, b) in zip(points, points.dropFirst() + points.prefix(1)) {
            doubled += a.x * b.y - b.x * a.y
        }
        return abs(doubled) / 2
    }

    /// Whether a point is inside a polygon, by the even-odd rule.
    private func isInside(_ point: Point, _ ring: [Point]) -> Bool {
        var isInside = false
        let edges = zip(ring, ring.dropFirst() + ring.prefix(1))
        for (a, b) in edges where (a.y > point.y) != (b.y > point.y) {
            let x: Double = a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
            if x > point.x { isInside.toggle() }
        }
        return isInside
    }

    @Test func clippedPolygonHasSamePointsInsideArea() {
        var generator = SystemRandomNumberGenerator()
        let angles = (0..<6).map { Double($0) * .pi / 3 }
        let hexagon = ConvexArea(angles.map { (50 + 40 * cos($0), 50 + 40 * sin($0)) })
        for area in [ConvexArea.rectangle(left: 20, top: 30, width: 50, height: 40), hexagon] {
            for _ in 0..<200 {
                let ring = (0..<12).map { _ in
                    (Double.random(in: -50...150, using: &generator), Double.random(in: -50...150, using: &generator))
                }
                let clipped = area.clip(ring: ring)
                for _ in 0..<20 {
                    let point = (
                        Double.random(in: 0...100, using: &generator), Double.random(in: 0...100, using: &generator)
                    )
                    let expected = area.contains(point) && isInside(point, ring)
                    #expect(isInside(point, clipped) == expected, "\(ring) \(point)")
                }
            }
        }
    }

    @Test func clippedLineEndsAtEdges() {
        let area = ConvexArea.rectangle(left: 0, top: 0, width: 10, height: 10)
        let line: [Point] = [
            (-5, 5),
            (5, 5),
            (5, 15),
            (20, 15),
            (20, 8),
            (8, 8),
            (9, 9),
        ]
        let parts = area.clip(line: line)
        let coordinates = parts.map { part in
            part.map { point in [point.x, point.y] }
        }
        #expect(
            coordinates == [
                [[0, 5], [5, 5], [5, 10]],
                [[10, 8], [8, 8], [9, 9]],
            ])
        #expect(area.clip(line: [(-5, 8), (-1, 20), (12, 13)]).isEmpty)
    }

    @Test func namesOfCitiesAvoidMarksAndEachOther() throws {
        let projection = try projection(west: -10, south: 36, east: 20, north: 56)
        let free = BaseMapDrawing(projection).cities(avoiding: LabelLayout(size: projection.size)).names.text
        #expect(free.contains(">Paris<"))
        #expect(free.contains(">London<"))
        #expect(free.matches(of: #/<text/#).count <= 8)
        var labels = LabelLayout(size: projection.size)
        let paris = projection.point(try #require(Position(longitude: 2.35, latitude: 48.86)))
        for x in stride(from: -60.0, through: 60, by: 4) {
            for y in stride(from: -12.0, through: 12, by: 4) { labels.reserve((paris.x + x, paris.y + y)) }
        }
        let names = BaseMapDrawing(projection).cities(avoiding: labels).names.text
        #expect(!names.contains(">Paris<"))
        #expect(names.contains("<text"))
    }

    @Test(
        arguments: [
            (-9.14, 38.72, "Lisbon"),
            (-9.14, 38.0, "80 km from Lisbon"),
            (-30, 40, nil),
            (0, 90, nil),
        ])
    func positionIsNamedAfterNearCity(longitude: Double, latitude: Double, name: String?) throws {
        let position = try #require(Position(longitude: longitude, latitude: latitude))
        #expect(CityName(nearestTo: position)?.text == name)
    }

    @Test(arguments: [
        (nil, "A · Lisbon · 2 locations"), (8, "A · Lisbon · 16 visits"),
    ])
    func captionOfRegionNamesCity(visits: Int?, caption: String) throws {
        let position = try #require(Position(longitude: -9.14, latitude: 38.72))
        let mark = MapChart.Mark(geometry: .point(position), center: position, swatch: nil, shade: nil, visits: visits)
        #expect(MapRegion(name: "A", marks: [mark, mark]).caption == caption)
    }

    @Test func captionOfRegionAtSeaHasCoordinates() throws {
        let position = try #require(Position(longitude: -30, latitude: 40))
        let mark = MapChart.Mark(geometry: .point(position), center: position, swatch: nil, shade: nil)
        #expect(MapRegion(name: "B", marks: [mark]).caption == "B · 40.00° N 30.00° W · 1 location")
    }
}
