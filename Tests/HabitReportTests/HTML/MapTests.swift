import Foundation
import Geo
import HabitStore
import Testing

@testable import HabitReport
@testable import Rendering

@Suite struct MapTests {
    private func position(_ longitude: Double, _ latitude: Double) throws -> Position {
        try #require(Position(longitude: longitude, latitude: latitude))
    }

    @Test(arguments: [0, 38.7, -60, 84], [0.001, 0.1, 20])
    func lengthOfScaleBarMatchesGeodesic(latitude: Double, degrees: Double) throws {
        let bar = try #require(ScaleBar(at: latitude, degrees: degrees))
        #expect(bar.degrees <= degrees)
        #expect(bar.degrees > degrees / 2.6)
        // Adds up short pieces, because a long geodesic leaves the parallel.
        let piece = bar.degrees / 1000
        let a = try position(0, latitude)
        let b = try position(piece, latitude)
        #expect(abs(1000 * Geodesic.distance(from: a, to: b).meters / bar.meters - 1) < 1e-6)
    }

    @Test(arguments: [
        (-9.1393, 38.7223, 800.0),
        (179.9, -17, 50_000),
        (0, 90, 1000),
        (20, 85, 2_000_000),
    ])
    func everyPointOfCircleHasDistanceOfRadius(longitude: Double, latitude: Double, meters: Double) throws {
        let center = try position(longitude, latitude)
        let outline = MapDrawing.outline(.init(center: center, radius: .meters(meters)))
        #expect(outline.count == 91)
        #expect(outline.first == outline.last)
        for point in outline {
            #expect(abs(Geodesic.distance(from: center, to: point).meters - meters) < 1e-6)
        }
    }

    @Test(
        arguments: [
            (-9.2, 38.6, -9.1, 38.8),
            (179, -18, -179, -16),
            (10, 10, 10, 10),
            (-180, -90, 180, 90),
            (0, 89, 10, 90),
            (-180, -90, 180, -70),
            (5, -80, 6, 80),
            (180, 0, 180, 0),
            (-180, 0, -180, 0),
            (0, 90, 0, 90),
        ])
    func everyCornerIsInsideDrawing(west: Double, south: Double, east: Double, north: Double) throws {
        let box = try #require(BoundingBox(west: west, south: south, east: east, north: north))
        let map: any MapProjection = PolarMap(around: box) ?? FlatMap(around: box)
        for longitude in [west, east] {
            for latitude in [south, north] {
                let point = map.point(try position(longitude, latitude))
                #expect((0...map.size.width).contains(point.x))
                #expect((0...map.size.height).contains(point.y))
            }
        }
        #expect((130...400).contains(map.size.height))
        #expect(map.size.width == 340)
    }

    @Test(arguments: [0, 38.7, -70])
    func mapScaleIsEqualToEastAndNorth(latitude: Double) throws {
        let box = try #require(BoundingBox(west: 5, south: latitude - 0.1, east: 5.3, north: latitude + 0.1))
        let map = FlatMap(around: box)
        let origin = try position(5.15, latitude)
        func length(_ azimuth: Double) -> Double {
            let end = map.point(Geodesic.destination(from: origin, azimuth: azimuth, distance: .meters(1000)))
            return hypot(end.x - map.point(origin).x, end.y - map.point(origin).y)
        }
        #expect(abs(length(0) / length(90) - 1) < 0.01)
    }

    @Test func mapOfSinglePositionIsAboutOneKilometerWide() throws {
        let place = try position(-9.1393, 38.7223)
        let map = FlatMap(around: BoundingBox.around(place, within: .meters(0)))
        let meters = Geodesic.distance(
            from: try position(map.west, 38.7223), to: try position(map.west + map.width, 38.7223))
        #expect((900...2100).contains(meters.meters))
    }

    @Test func distantPositionsAreSplitIntoRegionsBySize() throws {
        let coordinates = [
            (-9.1, 38.7),
            (135.8, 35),
            (135.7, 35.1),
            (150, -30),
            (-179.9, -41),
            (179.9, -41),
        ]
        let marks = try coordinates.map { longitude, latitude in
            let position = try position(longitude, latitude)
            return MapChart.Mark(geometry: .point(position), center: position, swatch: nil, shade: nil)
        }
        #expect(MapRegion.split(marks).map(\.marks.count) == [2, 2, 1, 1])
        #expect(MapRegion.split(marks).map(\.name) == ["A", "B", "C", "D"])
        #expect(MapRegion.split(Array(marks[1...2])).isEmpty)
        #expect(MapRegion.split(Array(marks[4...5])).isEmpty)
    }

    @Test(
        arguments: [
            (-9.13931, "9.14° W", "9.14° S"),
            (0, "0°", "0°"),
            (-0.001, "0°", "0°"),
            (185, "175.00° W", "185.00° N"),
            (180, "180.00°", "180.00° N"),
            (-180, "180.00°", "180.00° S"),
            (5.5, "5.50° E", "5.50° N"),
        ])
    func degreesAreFormattedForMap(degrees: Double, longitude: String, latitude: String) {
        #expect(Degrees.longitude(degrees, decimals: 2) == longitude)
        #expect(Degrees.latitude(degrees, decimals: 2) == latitude)
    }

    @Test(arguments: [
        (-9.2, 0.1, 5),
        (0.0, 360, 5),
        (179, 2, 5),
        (0, 0.009, 4),
    ])
    func gridHasFewRoundDegreesInsideRange(start: Double, width: Double, most: Int) {
        let steps = DegreeSteps(from: start, width: width, most: most)
        #expect((2...most + 1).contains(steps.values.count))
        #expect(steps.values.allSatisfy { $0 >= start - 1e-9 })
        #expect(steps.values.allSatisfy { $0 <= start + width + 1e-9 })
    }

    /// Returns the x coordinates of a path's points.
    private func xCoordinates(_ points: [(x: Double, y: Double)]) -> [Double] { points.map(\.x) }

    /// Returns the difference of the greatest and the least value, or 0 if there are no values.
    private func extent(of values: [Double]) -> Double {
        guard let least = values.min(), let most = values.max() else { return 0 }
        return most - least
    }

    @Test func boxThatEndsAtAntimeridianIsDrawnAtEasternEdge() throws {
        let world = FlatMap.world
        let box = try #require(BoundingBox(west: 179.95, south: -41.3, east: 180, north: -41.25))
        let outline = try #require(world.outlines(of: box).first)
        #expect(world.outlines(of: box).count == 1)
        #expect(xCoordinates(outline).allSatisfy { $0 > FlatMap.left + FlatMap.plotWidth - 3 }, "\(outline)")
    }

    @Test func boxThatCrossesMapEdgeIsDrawnAtBothEdges() throws {
        let world = FlatMap.world
        let outlines = world.outlines(of: try #require(BoundingBox(west: 178, south: -1, east: -178, north: 1)))
        #expect(outlines.count == 2)
        let widths = outlines.map { outline in extent(of: xCoordinates(outline)) }
        #expect(widths.allSatisfy { $0 > 0 }, "\(widths)")
        #expect(widths.allSatisfy { $0 < 5 }, "\(widths)")
    }

    @Test func boxInWindowAcrossAntimeridianIsDrawnOnce() throws {
        let window = try #require(BoundingBox(west: 178, south: -20, east: -178, north: -16))
        for (west, east) in [(179.0, 180.0), (-180, -179), (179.5, -179.5)] {
            let box = try #require(BoundingBox(west: west, south: -18, east: east, north: -17))
            let map = FlatMap(around: window)
            let outlines = map.outlines(of: box)
            #expect(outlines.count == 1)
            let width = extent(of: outlines.first.map(xCoordinates) ?? [])
            #expect(abs(width - FlatMap.plotWidth / map.width) < 1e-6, "\(west)")
        }
    }

    @Test func boxAroundPoleIsRing() throws {
        let box = try #require(BoundingBox(west: -180, south: -90, east: 180, north: -80))
        let map = try #require(PolarMap(around: box))
        let outline = try #require(map.outlines(of: box).first)
        let width = extent(of: xCoordinates(outline))
        let height = extent(of: outline.map(\.y))
        #expect(width > 100)
        #expect(abs(width - height) < 1)
    }

    private func mark(_ longitude: Double, _ latitude: Double) throws -> MapChart.Mark {
        let position = try position(longitude, latitude)
        return MapChart.Mark(geometry: .point(position), center: position, swatch: nil, shade: nil)
    }

    @Test func distantTownsHaveMapsOfTheirOwn() throws {
        // Lisbon and Porto, 270 km apart.
        let lisbon = try (0..<20).map { try mark(-9.1 - Double($0) / 500, 38.7) }
        let porto = try (0..<5).map { try mark(-8.6, 41.1 + Double($0) / 500) }
        let regions = MapRegion.split(porto + lisbon)
        #expect(regions.map(\.marks.count) == [20, 5])
        #expect(regions.map(\.name) == ["A", "B"])
        // The surroundings of a town are one region.
        #expect(try MapRegion.split(lisbon + [mark(-9.4, 38.8), mark(-8.9, 38.5)]).isEmpty)
    }

    @Test func scatteredLocationsHaveOneMap() throws {
        let scattered = try (0..<100).map { try mark(Double($0 % 10), 45 + Double($0 / 10)) }
        #expect(MapRegion.split(scattered).isEmpty)
        // Beyond 20 degrees, regions are larger.
        let all = try scattered + [mark(170, -40), mark(171, -41)]
        #expect(MapRegion.split(all).map(\.marks.count) == [100, 2])
    }

    @Test(arguments: [(0.36, false), (1.0, true)])
    func smallMapHasNoLand(height: Double, hasLand: Bool) throws {
        // Taveuni is 40 km long.
        let box = try #require(BoundingBox(west: 179.9, south: -17, east: -179.9, north: -17 + height))
        #expect((FlatMap(around: box).detail != nil) == hasLand)
    }

    @Test(arguments: [
        (-9.17, -9.09),
        (-180, 180),
        (5, 5.3),
        (135.7, 135.713),
    ])
    func nameOfMeridianIsBelowItsLine(west: Double, east: Double) throws {
        let box = try #require(BoundingBox(west: west, south: 38.7, east: east, north: 38.75))
        let map = FlatMap(around: box)
        let graticule = map.graticule.text
        let names = graticule.matches(of: #/class="mid" x="([0-9.]+)"/#).compactMap { Double($0.output.1) }
        let meridians = graticule.matches(of: #/M([0-9.]+) [0-9.]+V/#)
        let lines = meridians.compactMap { Double($0.output.1) }
        #expect(names.count >= 2)
        for name in names { #expect(lines.contains { abs($0 - name) < 0.06 }, "\(name) \(lines)") }
    }

    @Test func scaleBarIsOutsideOfMap() throws {
        let box = try #require(BoundingBox(west: 5, south: 50, east: 5.3, north: 50.2))
        let map = FlatMap(around: box)
        let scale = try #require(map.scaleName)
        let bottom = map.area.corners.map(\.y).max() ?? 0
        // The name is 10 units high.
        #expect(scale.y - 10 >= bottom)
        #expect(scale.y + 4 <= map.size.height)
    }

    @Test func smallCellIsDrawnAtVisibleSize() throws {
        let corners = [(-9.15, 38.7), (135.75, 35.0)]
        let boxes = try corners.map { west, south in
            try #require(BoundingBox(west: west, south: south, east: west + 0.05, north: south + 0.05))
        }
        let center = try position(0, 0)
        let marks = boxes.map {
            MapChart.Mark(geometry: .box($0), center: center, swatch: nil, shade: 1)
        }
        var drawing = MapDrawing(ofRegionsOf: marks.map(\.geometry))
        drawing.draw(marks, MapStyle(marks, shade: "events"))
        let svg = drawing.svg("2 places", width: 440).text
        let path = try #require(svg.firstMatch(of: #/class="cell"[^>]* d="([^"]*)"/#)).output.1
        let cells = path.split(separator: "z").map { cell -> [Double] in
            let vertices = cell.matches(of: #/[ML]([0-9.]+) [0-9.]+/#)
            return vertices.compactMap { Double($0.output.1) }
        }
        #expect(cells.count == 2)
        for cell in cells {
            #expect(abs(extent(of: cell) - 3) < 0.11, "\(cell)")
        }
    }

    @Test func outlinesOfSymbolsArePaintedBelowSymbols() throws {
        let style = StyleSheet.charts.text
        let rule = try #require(style.firstMatch(of: #/\.point \{([^}]*)\}/#)).output.1
        #expect(rule.contains("paint-order: stroke"))
    }

    @Test(arguments: [
        (338.0, 50.0),
        (2, 50),
        (170, 2),
        (170, 178),
        (338, 178),
    ])
    func nameAtEdgeIsNotCut(x: Double, y: Double) {
        var labels = LabelLayout(size: (340, 180))
        let place = labels.place("C", nextTo: (x, y))
        #expect(place.x >= 0)
        #expect(place.x + LabelLayout.width(of: "C") <= 340)
        #expect((7...180).contains(place.y))
    }

    @Test func namesOfOneLocationDoNotOverlap() {
        var labels = LabelLayout(size: (340, 180))
        let places = ["A", "B", "C", "D"].map { labels.place($0, nextTo: (170, 90)) }
        for (i, one) in places.enumerated() {
            for other in places[..<i] {
                #expect(abs(one.x - other.x) >= LabelLayout.width(of: "A") || abs(one.y - other.y) >= 11)
            }
        }
    }

    @Test(arguments: [
        (174.66, 174.92, -41.3),
        (-9.161, -9.134, 38.73),
        (-180, 180, 0),
        (9.99, 10.01, 0),
    ])
    func namesOfMeridiansAreNeitherCutNorOverlapping(west: Double, east: Double, latitude: Double) throws {
        let half = (east - west) / 4
        let box = try #require(
            BoundingBox(west: west, south: max(-90, latitude - half), east: east, north: min(90, latitude + half)))
        let map = FlatMap(around: box)
        let matches = map.graticule.text.matches(of: #/class="mid" x="([0-9.]+)"[^>]*>([^<]*)/#)
        let names = matches.map { found in
            let center = Double(found.output.1) ?? 0
            let half = LabelLayout.width(of: String(found.output.2)) / 2
            return center - half...center + half
        }
        #expect(names.count >= 2)
        for (one, next) in zip(names, names.dropFirst()) { #expect(one.upperBound < next.lowerBound) }
        let drawing = -0.01...map.size.width + 0.01
        for name in names {
            #expect(drawing.contains(name.lowerBound))
            #expect(drawing.contains(name.upperBound))
        }
    }
}
