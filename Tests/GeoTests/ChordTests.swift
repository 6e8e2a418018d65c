import Foundation
import HabitTestSupport
import Testing

@testable import Geo

/// Tests that short distances computed from the chord match Karney's algorithm within its precision.
@Suite(.engineIndependent) struct ChordTests {
    private static let tolerance = 20e-9

    /// Returns the distance to the end of a geodesic by both methods, in meters.
    private func distances(
        from origin: Position, azimuth: Double, length: Double
    ) -> (chord: Double?, exact: Double) {
        let end = Geodesic.destination(from: origin, azimuth: azimuth, distance: .meters(length))
        let chord = Chord(Geodesic.Origin(origin), end).arc?.meters
        let exact = Geodesic.longDistance(from: origin, to: end).meters
        return (chord, exact)
    }

    @Test(arguments: [UInt64.random(in: 0...(.max))]) func chordMatchesGeodesicAtRandomPositions(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var worst = 0.0
        for _ in 0..<200_000 {
            // Positions are uniform over the sphere, and lengths are uniform over the orders of magnitude.
            let latitude = asin(Double.random(in: -1...1, using: &random)) * 180 / .pi
            let origin = try #require(
                Position(longitude: .random(in: -180...180, using: &random), latitude: latitude))
            let length = exp(Double.random(in: log(1e-4)...log(19_990), using: &random))
            let azimuth = Double.random(in: 0..<360, using: &random)
            let distances = distances(from: origin, azimuth: azimuth, length: length)
            let chord = try #require(distances.chord)
            worst = max(worst, abs(chord - distances.exact))
        }
        #expect(worst < Self.tolerance, "seed \(seed)")
    }

    @Test func chordMatchesGeodesicAtPolesAndAntimeridian() throws {
        let longitudes = [-180.0, -179.9999, 0, 179.95, 180]
        let latitudes = [
            -90, -89.99, -89.9, -80, -45, -0.01, 0,
            0.01, 45, 80, 89.9, 89.95, 89.999, 90,
        ]
        for longitude in longitudes {
            for latitude in latitudes {
                let origin = try #require(Position(longitude: longitude, latitude: latitude))
                for azimuth in stride(from: 0.0, to: 360, by: 7.5) {
                    for length in [0, 1e-6, 0.1, 30, 4999.9999, 5000, 19_999] {
                        let distances = distances(from: origin, azimuth: azimuth, length: length)
                        let chord = try #require(distances.chord)
                        let difference = abs(chord - distances.exact)
                        #expect(difference < Self.tolerance, "\(origin), \(azimuth) degrees, \(length) m")
                    }
                }
            }
        }
    }

    /// Equal positions have the distance 0 in every spelling.
    @Test(arguments: [
        (0.0, 180.0, 0.0, -180.0),
        (90, 0, 90, 123.4),
        (-90, -180, -90, 33),
        (38.7, 180, 38.7, -180),
        (12.3, 45.6, 12.3, 45.6),
    ])
    func chordIsZeroWhenPositionsAreEqual(latitude1: Double, longitude1: Double, latitude2: Double, longitude2: Double)
        throws
    {
        let a = try #require(Position(longitude: longitude1, latitude: latitude1))
        let b = try #require(Position(longitude: longitude2, latitude: latitude2))
        #expect(Chord(Geodesic.Origin(a), b).arc == .meters(0))
        #expect(Chord(Geodesic.Origin(b), a).arc == .meters(0))
    }

    @Test func chordIsUnsetWhenDistanceExceedsLimit() throws {
        let lisbon = try #require(Position(longitude: -9.1393, latitude: 38.7223))
        for azimuth in stride(from: 0.0, to: 360, by: 15) {
            for length in [20_001, 50_000, 1_000_000, 19_000_000.0] {
                let distances = distances(from: lisbon, azimuth: azimuth, length: length)
                #expect(distances.chord == nil)
                #expect(abs(distances.exact - length) < 1e-6)
            }
        }
        let end = Geodesic.destination(from: lisbon, azimuth: 33, distance: .meters(20_001))
        #expect(Geodesic.distance(from: lisbon, to: end) == Geodesic.longDistance(from: lisbon, to: end))
    }
}
