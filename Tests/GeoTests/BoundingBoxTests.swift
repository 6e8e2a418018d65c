import HabitTestSupport
import Testing

@testable import Geo

@Suite(.engineIndependent) struct BoundingBoxTests {
    @Test func boxAroundCircleContainsEveryPointAtRadius() throws {
        let seed: UInt64 = 20_261_120
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<4000 {
            let anyLatitude = Double.random(in: -90...90, using: &generator)
            let anyLongitude = Double.random(in: -180...180, using: &generator)
            let latitudes: [Double] = [90, -90, 89.9999, -89.99, 0, anyLatitude]
            let longitudes: [Double] = [180, -180, 179.9999, anyLongitude]
            let longitude = longitudes[Int.random(in: longitudes.indices, using: &generator)]
            let latitude = latitudes[Int.random(in: latitudes.indices, using: &generator)]
            let center = try #require(Position(longitude: longitude, latitude: latitude))
            let radii: [Double] = [0, 0.01, 1, 5000, 300_000, 1_000_000, 10_000_000, 20_003_000]
            let meters = radii[Int.random(in: radii.indices, using: &generator)]
            let box = BoundingBox.around(center, within: .meters(meters))
            let edge = Geodesic.destination(
                from: center, azimuth: Double.random(in: 0..<360, using: &generator), distance: .meters(meters))
            #expect(box.contains(edge), "seed \(seed): \(center), \(meters) m, \(edge), \(box)")
        }
    }

    @Test func boxAroundCircleExceedsRadiusByLessThanOnePercent() throws {
        let center = try #require(Position(longitude: -9.1393, latitude: 38.7223))
        let box = BoundingBox.around(center, within: .kilometers(5))
        let east = try #require(Position(longitude: box.east, latitude: center.latitude))
        let north = try #require(Position(longitude: center.longitude, latitude: box.north))
        #expect(Geodesic.distance(from: center, to: east).meters < 5025)
        #expect(Geodesic.distance(from: center, to: north).meters < 5040)
    }

    @Test func boxAroundCircleHasTwoPartsWhenItCrossesAntimeridian() throws {
        let center = try #require(Position(longitude: 179.99, latitude: -16.8))
        let box = BoundingBox.around(center, within: .kilometers(5))
        #expect(box.crossesAntimeridian)
        #expect(box.parts.count == 2)
        #expect(box.parts.first?.east == 180)
        #expect(box.parts.last?.west == -180)
    }

    @Test func halvesSplitBoxOnlyWhenItCrossesAntimeridian() throws {
        let across = try #require(BoundingBox(west: 170, south: -1, east: -160, north: 1))
        #expect(across.halves.map { [$0.west, $0.east] } == [[170, 180], [-180, -160]])
        for (west, east) in [(-180.0, -170.0), (170, 180), (-180, 180), (3, 4)] {
            let box = try #require(BoundingBox(west: west, south: -1, east: east, north: 1))
            #expect(box.halves == [box])
        }
    }

    @Test func boxSpansAllLongitudesWhenCircleContainsPole() throws {
        let center = try #require(Position(longitude: 12, latitude: 89.99))
        let box = BoundingBox.around(center, within: .kilometers(5))
        #expect((box.west, box.east, box.north) == (-180, 180, 90))
    }

    @Test func boxAtAntimeridianContainsBothLongitudesOfIt() throws {
        for (west, east) in [
            (-180.0, -179.0),
            (179.0, 180.0),
            (-180, 180),
            (180, -180),
            (180, 180),
            (-180, -180),
        ] {
            let box = try #require(BoundingBox(west: west, south: -1, east: east, north: 1))
            for longitude in [180.0, -180.0] {
                #expect(box.contains(try #require(Position(longitude: longitude, latitude: 0))), "\(west), \(east)")
            }
        }
    }

    @Test(arguments: [
        ("-9.3,38.6,-9.0,38.9", true), ("-74.3,40.5,-73.7,40.9", true), ("170,-20,-170,-10", true), ("1,2,3", false),
        ("0,10,1,5", false), ("0,0,181,1", false), ("a,b,c,d", false),
    ])
    func boxIsParsedOnlyFromFourValidNumbers(text: String, isValid: Bool) {
        #expect((BoundingBox(text) != nil) == isValid)
    }
}

@Suite(.engineIndependent) struct GeodesicTests {
    /// Reference distances from the documentation of GeographicLib.
    ///
    /// The list contains JFK to LHR and a nearly antipodal pair, for which Vincenty's formula fails.
    @Test(arguments: [
        (40.6, -73.8, 51.6, -0.5, 5_551_759.400),
        (0.0, 0.0, 0.5, 179.5, 19_936_288.579),
        (0.0, 0.0, 0.0, 0.0, 0.0),
        (90.0, 0.0, 90.0, 123.0, 0.0),
    ])
    func geodesicDistanceMatchesReferenceValues(
        latitude1: Double, longitude1: Double, latitude2: Double, longitude2: Double, meters: Double
    ) throws {
        let a = try #require(Position(longitude: longitude1, latitude: latitude1))
        let b = try #require(Position(longitude: longitude2, latitude: latitude2))
        #expect(abs(Geodesic.distance(from: a, to: b).meters - meters) < 0.001)
    }
}
