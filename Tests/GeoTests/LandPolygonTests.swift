import HabitTestSupport
import Testing

@testable import Geo

@Suite(.engineIndependent) struct LandPolygonTests {
    @Test(arguments: BaseMap.Level.allCases) func polygonsContainEachOutlineOnce(level: BaseMap.Level) {
        let polygons = LandPolygon.all(at: level)
        let count = polygons.reduce(0) { count, polygon in count + 1 + polygon.holes.count }
        #expect(count == BaseMap.level(level).land.count)
    }

    @Test(arguments: BaseMap.Level.allCases) func caspianSeaIsHoleInEurasia(level: BaseMap.Level) throws {
        let polygons = LandPolygon.all(at: level).filter { polygon in
            polygon.holes.contains { hole in hole.box.west < 48 && hole.box.east > 53 && hole.box.north > 46 }
        }
        let eurasia = try #require(polygons.first)
        #expect(polygons.count == 1)
        #expect(eurasia.outline.box.east > 170)
    }

    /// A position that is in an outline and in none of its holes is on land by the even-odd rule, and no other.
    @Test(arguments: BaseMap.Level.allCases) func polygonsAndEvenOddRuleHaveSameLand(level: BaseMap.Level) {
        var random = SeededGenerator(seed: 7)
        let polygons = LandPolygon.all(at: level)
        let lines = BaseMap.level(level).land
        for _ in 0..<2000 {
            let longitude = Double.random(in: -180...180, using: &random)
            let latitude = Double.random(in: -89...84, using: &random)
            let crossings = lines.count { line in line.surrounds(longitude, latitude) }
            let containing = polygons.count { polygon in
                let isInHole = polygon.holes.contains { hole in hole.surrounds(longitude, latitude) }
                return polygon.outline.surrounds(longitude, latitude) && !isInHole
            }
            #expect(containing == crossings % 2, "\(longitude) \(latitude)")
        }
    }
}

extension BaseMap.Line {
    /// Returns whether the outline contains a position, by counting crossings to the east.
    fileprivate func surrounds(_ longitude: Double, _ latitude: Double) -> Bool {
        var isInside = false
        for (a, b) in zip(points, points.dropFirst()) where (a.latitude > latitude) != (b.latitude > latitude) {
            let share = (latitude - a.latitude) / (b.latitude - a.latitude)
            if a.longitude + share * (b.longitude - a.longitude) > longitude { isInside.toggle() }
        }
        return isInside
    }
}
