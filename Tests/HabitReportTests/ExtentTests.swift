import Geo
import Testing

@testable import HabitReport
@testable import Rendering

@Suite struct ExtentTests {
    private func box(_ positions: [Position]) -> BoundingBox? {
        var extent = Extent()
        for position in positions { extent.add(position) }
        return extent.box
    }

    @Test(
        arguments: [
            ([10], 10, 10),
            ([10, 20], 10, 20),
            ([-20, 30, 5], -20, 30),
            ([179, -179], 179, -179),
            ([170, 175, -170], 170, -170),
            ([180, -170], -180, -170),
            ([-180, 170], 170, 180),
            ([180, -180], -180, -180),
            ([180], 180, 180),
            ([-180], -180, -180),
            ([0, 180], 0, 180),
            ([-90, 0, 90], -90, 90),
            ([-90.2, -90.1, 0, 100, 179.9], 100, 0),
            ([-100, -10, 100], -100, 100),
            ([-150, 10, 150], 10, -150),
        ] as [([Double], Double, Double)])
    func extentIsSmallestIntervalOfLongitudes(longitudes: [Double], west: Double, east: Double) throws {
        let found = try #require(box(longitudes.compactMap { Position(longitude: $0, latitude: 1) }))
        #expect(found.west == west)
        #expect(found.east == east)
    }

    /// Each box is a pair of west and east.
    ///
    /// The extent is the complement of the widest gap between the boxes.
    @Test(
        arguments: [
            ([(-180, 180)], -180, 180),
            ([(-170, 170), (10, 20)], -170, 170),
            ([(-100, 100)], -100, 100),
            ([(-180, 0), (0, 180)], -180, 180),
            ([(170, -170)], 170, -170),
            ([(170, -170), (160, 165)], 160, -170),
            ([(10.1, 10.2), (10.3, 10.4)], 10.1, 10.4),
            ([(-179, -10), (20, 179.9)], 20, -10),
        ] as [([(Double, Double)], Double, Double)])
    func extentCoversBoxes(sides: [(Double, Double)], west: Double, east: Double) throws {
        var extent = Extent()
        for (west, east) in sides {
            extent.add(.box(try #require(BoundingBox(west: west, south: -3, east: east, north: 4))))
        }
        #expect(extent.box == BoundingBox(west: west, south: -3, east: east, north: 4))
    }

    @Test func extentIsUnsetWithoutPositionsAndGlobalWithoutGap() throws {
        #expect(box([]) == nil)
        let around = (0..<1440).compactMap { Position(longitude: Double($0) / 4 - 179.9, latitude: Double($0 % 3)) }
        #expect(box(around) == BoundingBox(west: -180, south: 0, east: 180, north: 2))
    }

    @Test(arguments: [UInt64.random(in: 0...(.max))])
    func extentIsComplementOfWidestGap(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let center = Double.random(in: -180...180, using: &random)
            let spread = Double.random(in: 0...200, using: &random)
            let positions = (0..<Int.random(in: 1...30, using: &random)).compactMap { _ -> Position? in
                var longitude = center + .random(in: -spread...spread, using: &random)
                while longitude > 180 { longitude -= 360 }
                while longitude < -180 { longitude += 360 }
                return Position(longitude: longitude, latitude: .random(in: -90...90, using: &random))
            }
            let found = try #require(box(positions))
            #expect(positions.allSatisfy { found.contains($0) }, "seed \(seed)")
            let sorted = positions.map(\.longitude).sorted()
            let innerGaps = zip(sorted, sorted.dropFirst()).map { west, east in east - west }
            let outerGap = sorted[0] + 360 - sorted[sorted.count - 1]
            let gaps = innerGaps + [outerGap]
            let width = found.east - found.west + (found.crossesAntimeridian ? 360 : 0)
            #expect(abs(width - (360 - (gaps.max() ?? 360))) < 1e-9, "seed \(seed)")
        }
    }
}
